import type * as E from 'fp-ts/lib/Either.js'
import type { Capture } from '../../../../domain/indexing/capture.ts'
import type { Loss } from '../../../../domain/indexing/outcome.ts'
import {
  type Breathe,
  type CaptureDraft,
  type ReadSummary,
  readAll,
  readFile,
  summaryOf,
} from '../read-archive.ts'
import type { ReadFailure } from '../read-failure.ts'
import type { RecordOptions } from '../read-records.ts'
import { joinParts } from './parts.ts'
import { survey } from './survey.ts'

/** Of a file that was read as far as it is good. */
export interface SalvageSummary extends ReadSummary {
  /** Absent: the file is whole. */
  readonly loss?: Loss
}

/**
 * As `readArchive`, for a damaged file: first it is found out which records are whole, then these are read as if the file had no
 * others. So no capture comes of a record before that was read to its end.
 */
export const salvageArchive = (
  path: string,
  options: RecordOptions,
  draft: CaptureDraft,
  breathe: Breathe = () => {},
): Promise<E.Either<ReadFailure, SalvageSummary>> =>
  readFile(path, draft, async (file, inflater) => {
    const { parts, head, loss } = await survey(file, inflater, options.name, breathe)
    const joined = joinParts(file, parts, head)
    const inFile = (capture: Capture): Capture => ({
      ...capture,
      offset: joined.placeOf(capture.offset),
      ...(capture.original && {
        original: { ...capture.original, offset: joined.placeOf(capture.original.offset) },
      }),
    })
    // What a crawl log names lies in other files.
    const take = (capture: Capture) => draft.add(options.kind === 'content' ? inFile(capture) : capture)
    const read = await readAll(joined, inflater, options, take, breathe)
    const firstShortEnd = joined.placeOf(read.firstShortEnd)
    const { firstNoLength: first } = read
    const firstNoLength = first && { ...first, offset: joined.placeOf(first.offset) }
    const placed = { ...read, firstShortEnd, ...(firstNoLength && { firstNoLength }) }
    return { ...summaryOf(file, options.name, placed), ...(loss && { loss }) }
  })
