import type { OnProgress } from './progress.ts'
import { UnreadableArchive } from './read-failure.ts'
import type { Source, SourceFile } from './source.ts'

/** An archive file that lies, as it is, within another file. */
export interface ContainedArchive {
  /** Its own name. */
  readonly name: string
  /** Offset of its first byte in the other file. */
  readonly from: number
  readonly bytes: Source
  /** Called when its records were read. Returns what is odd, and why it counts as damaged, if it does. */
  readonly end?: () => { readonly warnings: readonly string[]; readonly damage?: string }
}

export interface Contents {
  /** In the order in which they are read. */
  readonly archives: readonly ContainedArchive[]
  /** Oddities that do no harm, one sentence each. */
  readonly warnings: readonly string[]
}

/** Finds the archive files in a file. Undefined: it is none of these, and is read as an archive file itself. */
export type FindContents = (file: Source, onProgress: OnProgress) => Promise<Contents | undefined>

/** Calls `read` for each archive file in a file: for the file itself, if it contains none. */
export const readContents = async (
  file: SourceFile,
  name: string,
  find: FindContents | undefined,
  onProgress: OnProgress,
  read: (archive: ContainedArchive) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  const contents = await find?.(file, onProgress)
  if (!contents) return read({ name, from: 0, bytes: file })
  const warnings = [...contents.warnings]
  for (const archive of contents.archives) warnings.push(...(await read(archive)))
  return warnings
}

/** Names the archive file in the failure, whose offset becomes one of the file that contains it. */
export const failureWithin = (error: unknown, { name, from }: ContainedArchive): unknown => {
  if (!(error instanceof UnreadableArchive)) return error
  const { code, reason, offset } = error.failure
  return new UnreadableArchive(code, `${name}: ${reason}`, offset === undefined ? undefined : from + offset)
}
