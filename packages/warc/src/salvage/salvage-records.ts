import type { Visit } from '../open-records.ts'
import { type ReadOptions, type ReadSummary, readAll, readFile, summaryOf } from '../read-file.ts'
import { joinParts } from './parts.ts'
import { type Loss, survey } from './survey.ts'

/** Of a file that was read as far as it is good. */
export interface SalvageSummary extends ReadSummary {
  /** Absent: the file is whole. */
  readonly loss?: Loss
}

export interface SalvageOptions extends ReadOptions {
  /** Throws `UnreadableArchive` for a record that counts as damaged, though its bytes may be read. Default: none. */
  readonly check?: Visit
}

/**
 * As `readRecords`, for a damaged file: first it is found out which records are whole, then these are read as if the file had no
 * others. So no record is visited before it was read to its end. Throws `UnreadableArchive` where no record is whole.
 */
export const salvageRecords = (
  path: string,
  visit: Visit,
  options: SalvageOptions = {},
): Promise<SalvageSummary> =>
  readFile(path, options, async (file, inflater, { name, breathe }) => {
    const { check = () => undefined } = options
    const { parts, head, loss } = await survey(file, inflater, name, check, breathe)
    const joined = joinParts(file, parts, head)
    const read = await readAll(joined, inflater, visit, breathe, joined.placeOf)
    return { ...summaryOf(file, name, read), ...(loss && { loss }) }
  })
