import type { Inflater } from '../bytes/inflater.ts'
import { type ContainedArchive, failureWithin, readContents } from '../contents.ts'
import type { Visit } from '../open-records.ts'
import type { OnProgress } from '../progress.ts'
import { UnreadableArchive } from '../read-failure.ts'
import { type ReadOptions, type ReadSummary, readAll, readFile, warningsOf } from '../read-file.ts'
import type { SourceFile } from '../source.ts'
import { createLosses, type Loss } from './losses.ts'
import { joinParts } from './parts.ts'
import { survey } from './survey.ts'

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
  file: string | SourceFile,
  visit: Visit,
  options: SalvageOptions = {},
): Promise<SalvageSummary> =>
  readFile(file, options, async (opened, inflater, { name, onProgress }) => {
    const { check = () => undefined, contents } = options
    const losses = createLosses()
    let records = 0
    let lostWhole: unknown
    const warnings = await readContents(opened, name, contents, onProgress, async (archive) => {
      const salvaged = await salvageArchive(archive, { inflater, check, visit, onProgress }).catch(
        (error: unknown) => {
          if (archive.bytes === opened || !isDamage(error)) throw error
          return failureWithin(error, archive) as UnreadableArchive
        },
      )
      if (salvaged instanceof UnreadableArchive) {
        lostWhole ??= salvaged
        losses.add(archive.from, archive.from + archive.bytes.size, salvaged.failure.reason)
        return []
      }
      records += salvaged.records
      if (salvaged.loss) losses.addAll(salvaged.loss, archive.from)
      return salvaged.warnings
    })
    if (lostWhole && records === 0) throw lostWhole
    const loss = losses.all()
    const { size, modifiedAt } = opened
    return { records, size, modifiedAt, warnings, ...(loss && { loss }) }
  })

/** Failures without an offset are those of the file: what is to be read is away, or changes. */
const isDamage = (error: unknown): boolean =>
  error instanceof UnreadableArchive && !['growing', 'not-found', 'unreadable'].includes(error.failure.code)

interface SalvageTools {
  readonly inflater: Inflater
  readonly check: Visit
  readonly visit: Visit
  readonly onProgress: OnProgress
}

const salvageArchive = async (
  { name, from, bytes, end }: ContainedArchive,
  { inflater, check, visit, onProgress }: SalvageTools,
) => {
  const { parts, head, loss } = await survey(bytes, inflater, name, check, onProgress)
  const joined = joinParts(bytes, parts, head)
  const placeOf = (offset: number) => from + joined.placeOf(offset)
  const read = await readAll(joined, inflater, visit, onProgress, placeOf)
  const { warnings, damage } = end?.() ?? { warnings: [] }
  return {
    records: read.records,
    loss,
    warnings: [...warningsOf(name, read), ...(damage === undefined ? [] : [damage]), ...warnings],
  }
}
