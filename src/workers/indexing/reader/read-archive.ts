import * as E from 'fp-ts/lib/Either.js'
import type { Capture } from '../../../domain/indexing/capture.ts'
import { createInflater, type Inflater } from './bytes/inflater.ts'
import { type ReadFailure, UnreadableArchive } from './read-failure.ts'
import { openRecords, type RecordOptions, type RecordsRead } from './read-records.ts'
import { openSourceFile, type Source, type SourceFile } from './source.ts'

/** Captures that count for nothing before `keep`: a file that fails at its end has captures, too (W16, W17). */
export interface CaptureDraft {
  add(capture: Capture): void
  /** The file was read to its end, and stood still meanwhile. */
  keep(): void | Promise<void>
  discard(): void | Promise<void>
}

/** Of a file that was read whole. */
export interface ReadSummary {
  readonly records: number
  readonly captures: number
  readonly size: number
  readonly modifiedAt: Date
  /** What is odd and does no harm, a sentence each. */
  readonly warnings: readonly string[]
}

/** Bytes of records between two breaths. */
export const stepBytes = 8 * 1024 * 1024

/**
 * Reads the records of a WARC or ARC file, and adds its captures to the draft. It ends with either `keep` or `discard`, whichever is
 * due: nobody else has to know whether the file was whole. `breathe` is awaited now and then; what it throws is thrown on, as all is
 * that the draft throws, once that is discarded.
 */
export const readArchive = (
  path: string,
  options: RecordOptions,
  draft: CaptureDraft,
  breathe: Breathe = () => {},
): Promise<E.Either<ReadFailure, ReadSummary>> =>
  readFile(path, draft, async (file, inflater) =>
    summaryOf(
      file,
      options.name,
      await readAll(file, inflater, options, (capture) => draft.add(capture), breathe),
    ),
  )

export type Breathe = () => void | Promise<void>

/** As `readArchive`, in another way of reading. */
export const readFile = async <Summary extends ReadSummary>(
  path: string,
  draft: Pick<CaptureDraft, 'keep' | 'discard'>,
  how: (file: SourceFile, inflater: Inflater) => Promise<Summary>,
): Promise<E.Either<ReadFailure, Summary>> => {
  try {
    const summary = await readStill(path, how)
    await draft.keep()
    return E.right(summary)
  } catch (error) {
    await draft.discard()
    if (error instanceof UnreadableArchive) return E.left(error.failure)
    throw error
  }
}

const readStill = async <Summary>(
  path: string,
  how: (file: SourceFile, inflater: Inflater) => Promise<Summary>,
): Promise<Summary> => {
  const file = openSourceFile(path)
  const inflater = createInflater()
  try {
    const summary = await how(file, inflater)
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
  options: RecordOptions,
  take: (capture: Capture) => void,
  breathe: Breathe,
): Promise<RecordsRead> => {
  const { read, step } = openRecords(source, inflater, options, take)
  while (step(stepBytes)) await breathe()
  return read
}

export const summaryOf = (
  { size, modifiedAt }: SourceFile,
  name: string,
  read: RecordsRead,
): ReadSummary => ({
  records: read.records,
  captures: read.captures,
  size,
  modifiedAt,
  warnings: warningsOf(name, read),
})

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
