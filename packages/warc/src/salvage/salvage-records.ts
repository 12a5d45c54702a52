import type { Visit } from '../open-records.ts'
import { type ReadOptions, type ReadSummary, readAll, readFile, summaryOf } from '../read-file.ts'
import { joinParts } from './parts.ts'
import { type Loss, survey } from './survey.ts'

/** The outcome of a salvage. */
export interface SalvageSummary extends ReadSummary {
  /** Absent if the file is whole. */
  readonly loss?: Loss
}

export interface SalvageOptions extends ReadOptions {
  /** Throws `UnreadableArchive` for a record that counts as damaged, though its bytes may be read. Default: none. */
  readonly check?: Visit
}

/**
 * Reads the whole records of a damaged file. A first pass finds them, a second visits them as if the file had
 * no others: no record is visited before it was read to its end. Throws `UnreadableArchive` if no record is
 * whole.
 */
export const salvageRecords = (
  path: string,
  visit: Visit,
  options: SalvageOptions = {},
): Promise<SalvageSummary> =>
  readFile(path, options, async (file, inflater, { name, onProgress }) => {
    const { check = () => undefined } = options
    const { parts, head, loss } = await survey(file, inflater, name, check, onProgress)
    const joined = joinParts(file, parts, head)
    const read = await readAll(joined, inflater, visit, onProgress, joined.placeOf)
    return { ...summaryOf(file, name, read), ...(loss && { loss }) }
  })
