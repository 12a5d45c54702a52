import { basename } from 'node:path'
import { createInflater, type Inflater } from './bytes/inflater.ts'
import { openRecords, type RecordsRead, type Visit } from './open-records.ts'
import { UnreadableArchive } from './read-failure.ts'
import { type Explain, openSourceFile, type Source, type SourceFile } from './source.ts'

/** Of a file that was read whole. */
export interface ReadSummary {
  readonly records: number
  readonly size: number
  /** When the file was opened. */
  readonly modifiedAt: Date
  /** What is odd and does no harm, a sentence each. */
  readonly warnings: readonly string[]
}

export interface ReadOptions {
  /** Of the file, with its suffix: warnings name it, and say where it does not fit the content. Default: the path's. */
  readonly name?: string
  /** Is awaited about every 8 MiB of records: what it throws ends the reading. */
  readonly breathe?: Breathe
  /** Makes what is thrown where the file cannot be read. Default: `UnreadableArchive` with the system's words. */
  readonly explain?: Explain
}

export type Breathe = () => void | Promise<void>

/** Bytes of records between two breaths. */
export const stepBytes = 8 * 1024 * 1024

/**
 * Reads the records of a WARC or ARC file in constant memory, whatever compresses them, and visits each. Throws `UnreadableArchive` where
 * the file is damaged, or did not stand still meanwhile: what was visited before counts for nothing then.
 */
export const readRecords = (path: string, visit: Visit, options: ReadOptions = {}): Promise<ReadSummary> =>
  readFile(path, options, async (file, inflater, { name, breathe }) =>
    summaryOf(file, name, await readAll(file, inflater, visit, breathe)),
  )

/** As `readRecords`, in another way of reading. */
export const readFile = async <Summary>(
  path: string,
  { name = basename(path), breathe = () => {}, explain }: ReadOptions,
  how: (
    file: SourceFile,
    inflater: Inflater,
    options: { readonly name: string; readonly breathe: Breathe },
  ) => Promise<Summary>,
): Promise<Summary> => {
  const file = openSourceFile(path, explain)
  const inflater = createInflater()
  try {
    const summary = await how(file, inflater, { name, breathe })
    if (file.hasChanged()) throw changed()
    return summary
  } catch (error) {
    // Of a file that is still written, damage says nothing.
    throw error instanceof UnreadableArchive && file.hasChanged() ? changed() : error
  } finally {
    inflater.close()
    file.close()
  }
}

const changed = () => new UnreadableArchive('growing', 'the file changed while it was read')

/** To the end. */
export const readAll = async (
  source: Source,
  inflater: Inflater,
  visit: Visit,
  breathe: Breathe,
  placeOf?: (offset: number) => number,
): Promise<RecordsRead> => {
  const { read, step } = openRecords(source, inflater, visit, placeOf)
  while (step(stepBytes)) await breathe()
  return read
}

export const summaryOf = (
  { size, modifiedAt }: SourceFile,
  name: string,
  read: RecordsRead,
): ReadSummary => ({ records: read.records, size, modifiedAt, warnings: warningsOf(name, read) })

const warningsOf = (
  name: string,
  { suffix, shortEnds, firstShortEnd, noLengths, firstNoLength }: RecordsRead,
): readonly string[] => [
  ...(name.toLowerCase().endsWith(suffix)
    ? []
    : [
        `the name ${name} does not say what the content is: records as in a file whose name ends with ${suffix}`,
      ]),
  ...(shortEnds === 0
    ? []
    : [
        `records without the two empty lines that WARC wants behind each: ${shortEnds}, the first at byte ${firstShortEnd}; they are whole`,
      ]),
  ...(firstNoLength === undefined
    ? []
    : [
        `records whose length cannot be right: ${noLengths}, the first at byte ${firstNoLength.offset}, where it is ${JSON.stringify(firstNoLength.says)}; each is taken to end where its member does, or where the next one begins`,
      ]),
]
