import { basename } from 'node:path'
import { createInflater, type Inflater } from './bytes/inflater.ts'
import { type ContainedArchive, type FindContents, failureWithin, readContents } from './contents.ts'
import { openRecords, type RecordsRead, type Visit } from './open-records.ts'
import { type OnProgress, stepBytes } from './progress.ts'
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
   * last part of the path; of a file that was opened, nothing.
   */
  readonly name?: string
  /** Awaited about every 8 MiB of records. An error that it throws ends the reading. */
  readonly onProgress?: OnProgress
  /** Finds archive files within the file: each is read, with offsets in the file. Default: the file is one itself. */
  readonly contents?: FindContents
  /** Makes the error thrown if the system refuses the file. Default: `UnreadableArchive` with the message of the system. */
  readonly toError?: ToError
}

/**
 * Reads the records of a WARC or ARC file in constant memory, and visits each. The file is a path, or was opened, and
 * is closed in either case. Throws `UnreadableArchive` if the file is damaged or changed meanwhile: records that were
 * visited before must then be dropped.
 */
export const readRecords = (
  file: string | SourceFile,
  visit: Visit,
  options: ReadOptions = {},
): Promise<ReadSummary> =>
  readFile(file, options, async (opened, inflater, { name, onProgress }) => {
    let records = 0
    const warnings = await readContents(opened, name, options.contents, onProgress, async (archive) => {
      const read = await readContained(archive, opened, inflater, visit, onProgress)
      records += read.records
      return [...warningsOf(archive.name, read), ...endOf(archive)]
    })
    return { records, size: opened.size, modifiedAt: opened.modifiedAt, warnings }
  })

const readContained = async (
  archive: ContainedArchive,
  file: SourceFile,
  inflater: Inflater,
  visit: Visit,
  onProgress: OnProgress,
): Promise<RecordsRead> => {
  const { bytes, from } = archive
  if (bytes === file) return readAll(bytes, inflater, visit, onProgress)
  try {
    return await readAll(bytes, inflater, visit, onProgress, (offset) => from + offset)
  } catch (error) {
    throw failureWithin(error, archive)
  }
}

const endOf = ({ end, from }: ContainedArchive): readonly string[] => {
  const { warnings, damage } = end?.() ?? { warnings: [] }
  if (damage !== undefined) throw new UnreadableArchive('corrupt', damage, from)
  return warnings
}

/** Opens a file, unless it is open, and closes it, whatever `how` does. */
export const readFile = async <Summary>(
  path: string | SourceFile,
  { name, onProgress = () => {}, toError }: ReadOptions,
  how: (
    file: SourceFile,
    inflater: Inflater,
    options: { readonly name: string; readonly onProgress: OnProgress },
  ) => Promise<Summary>,
): Promise<Summary> => {
  const file = typeof path === 'string' ? openSourceFile(path, toError) : path
  const inflater = createInflater()
  try {
    const called = name ?? (typeof path === 'string' ? basename(path) : '')
    const summary = await how(file, inflater, { name: called, onProgress })
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

export const warningsOf = (
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
