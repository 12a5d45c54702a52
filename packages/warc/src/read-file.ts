import { basename } from 'node:path'
import { createInflater, type Inflater } from './bytes/inflater.ts'
import { openRecords, type RecordsRead, type Visit } from './open-records.ts'
import { UnreadableArchive } from './read-failure.ts'
import { openSourceFile, type Source, type SourceFile, type ToError } from './source.ts'

/** The outcome of reading a file to its end. */
export interface ReadSummary {
  readonly records: number
  readonly size: number
  /** The modification time when the file was opened. */
  readonly modifiedAt: Date
  /** Oddities that do no harm, one sentence each. */
  readonly warnings: readonly string[]
}

export interface ReadOptions {
  /**
   * The file's name with its suffix. A suffix that does not fit the content causes a warning. Default: the
   * last part of the path.
   */
  readonly name?: string
  /** Awaited about every 8 MiB of records. An error that it throws ends the reading. */
  readonly onProgress?: OnProgress
  /** Makes the error thrown if the system refuses the file. Default: `UnreadableArchive` with the message of the system. */
  readonly toError?: ToError
}

export type OnProgress = () => void | Promise<void>

/** Bytes of records between two calls of `onProgress`. */
export const stepBytes = 8 * 1024 * 1024

/**
 * Reads the records of a WARC or ARC file in constant memory, and visits each. Throws `UnreadableArchive` if the file is damaged or
 * changed meanwhile: records that were visited before must then be dropped.
 */
export const readRecords = (path: string, visit: Visit, options: ReadOptions = {}): Promise<ReadSummary> =>
  readFile(path, options, async (file, inflater, { name, onProgress }) =>
    summaryOf(file, name, await readAll(file, inflater, visit, onProgress)),
  )

/** As `readRecords`, in another way of reading. */
export const readFile = async <Summary>(
  path: string,
  { name = basename(path), onProgress = () => {}, toError }: ReadOptions,
  how: (
    file: SourceFile,
    inflater: Inflater,
    options: { readonly name: string; readonly onProgress: OnProgress },
  ) => Promise<Summary>,
): Promise<Summary> => {
  const file = openSourceFile(path, toError)
  const inflater = createInflater()
  try {
    const summary = await how(file, inflater, { name, onProgress })
    if (file.hasChanged()) throw changed()
    return summary
  } catch (error) {
    // Damage means nothing in a file that is still being written.
    throw error instanceof UnreadableArchive && file.hasChanged() ? changed() : error
  } finally {
    inflater.close()
    file.close()
  }
}

const changed = () => new UnreadableArchive('growing', 'the file changed while it was read')

/** Reads to the end. */
export const readAll = async (
  source: Source,
  inflater: Inflater,
  visit: Visit,
  onProgress: OnProgress,
  placeOf?: (offset: number) => number,
): Promise<RecordsRead> => {
  const { read, step } = openRecords(source, inflater, visit, placeOf)
  while (step(stepBytes)) await onProgress()
  return read
}

export const summaryOf = (
  { size, modifiedAt }: SourceFile,
  name: string,
  read: RecordsRead,
): ReadSummary => ({ records: read.records, size, modifiedAt, warnings: warningsOf(name, read) })

const warningsOf = (
  name: string,
  { suffix, shortEnds, firstShortEnd, malformedLengths, firstMalformedLength }: RecordsRead,
): readonly string[] => [
  ...(name.toLowerCase().endsWith(suffix)
    ? []
    : [
        `the name ${name} does not say what the content is: records as in a file whose name ends with ${suffix}`,
      ]),
  ...(shortEnds === 0
    ? []
    : [
        `records without the ${suffix.startsWith('.arc') ? 'line feed that ARC' : 'two empty lines that WARC'} wants behind each: ${shortEnds}, the first at byte ${firstShortEnd}; they are whole`,
      ]),
  ...(firstMalformedLength === undefined
    ? []
    : [
        `records whose length cannot be right: ${malformedLengths}, the first at byte ${firstMalformedLength.offset}, where it is ${JSON.stringify(firstMalformedLength.text)}; each is taken to end where its member does, or where the next one begins`,
      ]),
]
