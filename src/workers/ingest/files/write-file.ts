import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDigests, type DigestAlgorithm } from '../../runtime/digests.ts'
import { quoted, whyNotName } from './file-name.ts'

/** A file of an object, as it was written or read. */
export interface WrittenFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
  /** Those asked for, and SHA-256. */
  readonly digests: ReadonlyMap<DigestAlgorithm, string>
}

/** What was submitted cannot be used, and could not be the next time (ingest X8, X13). */
export class UnusableContent extends Error {
  override readonly name = 'UnusableContent'
}

/** Writes a new file below the folder, in the memory of a chunk. Throws `UnusableContent` where it may not have its name. */
export const writeFileBelow = async (
  folder: string,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => {},
  algorithms: readonly DigestAlgorithm[] = [],
): Promise<WrittenFile> => {
  const why = whyNotName(path)
  if (why) throw new UnusableContent(`the name ${quoted(path)} ${why}`)
  const file = await openNew(join(folder, path), path)
  try {
    const digests = await createDigests(['sha256', ...algorithms])
    let size = 0
    for await (const chunk of bytes) {
      onBytes(chunk.length)
      digests.update(chunk)
      for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten
      size += chunk.length
    }
    const found = digests.end()
    return { path, size, sha256: found.get('sha256')!, digests: found }
  } finally {
    await file.close()
  }
}

const openNew = async (place: string, path: string) => {
  try {
    await mkdir(dirname(place), { recursive: true })
    return await open(place, 'wx')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'EISDIR' || code === 'ENOTDIR')
      throw new UnusableContent(
        `two are named ${quoted(path)}, or it would be a file and the folder of another`,
      )
    throw error
  }
}
