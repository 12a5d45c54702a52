import type { DatabaseSync } from 'node:sqlite'
import type { Value } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { query } from '../../../sqlite/query.ts'
import type { createStored } from '../ids.ts'
import type { EndedVersion, Entry } from '../row-cache.ts'
import { list, marks } from '../shape.ts'
import { base, end, from, more, n, restColumns, runsTableOf, to, versionTableOf } from './tables.ts'
import { linkColumns, linkValues, withRecord } from './version-links.ts'

/** Estimated bytes of a number: most have as many. */
const bytesOfNumber = 3
/** Most records between one and its base. */
export const maxBaseAge = 2 ** 18

/** Writes the records of ended versions. */
export const createRecordWriter = (
  db: DatabaseSync,
  shape: StoredShape,
  generation: number,
  stored: ReturnType<typeof createStored>,
) => {
  const { insert, insertAbsence, insertRun, bounds } = recordStatements(db, shape, generation)
  const columns = Object.keys(shape.columns)
  const rest = restColumns(shape).map((column) => columns.indexOf(column))
  let records = bounds.get()?.[1] ?? 0
  /** Records before it are dropped. */
  let firstKept = 0

  return {
    /** Must be called before the first record of a transaction. Returns its number. */
    begin: (): number => {
      firstKept = bounds.get()?.[0] ?? 0
      return records + 1
    },
    /** Writes a record of one version, or of several consecutive ones: `more` has those behind the first. */
    write: (entry: Entry, { row, from, to }: EndedVersion, end: number, more: string | null): void => {
      const record = ++records
      const links = linkValues(entry.links)
      if (!row) insertAbsence.run(record, end, null, to, ...links, more, null, ...stored.key(entry.key ?? []))
      else {
        const values = stored.row(row)
        const oldest = Math.max(firstKept, record - maxBaseAge)
        const isBased = entry.base && entry.baseRecord >= oldest && leaveOut(entry.base, values, rest)
        insert.run(record, end, from, to, ...links, more, isBased ? entry.baseRecord : null, ...values)
        if (!isBased) {
          entry.base = values
          entry.baseRecord = record
        }
      }
      entry.links = withRecord(entry.links, record)
    },
    /**
     * Returns JSON of a version behind the first one of a record: mostly of a counter, so numbers are not given to
     * `JSON.stringify`.
     */
    laterVersion: ({ row, from, to }: EndedVersion): string => {
      if (!row) return `[null,${to}]`
      const values = stored.row(row)
      let text = `[${from},${to}`
      for (const at of rest) {
        const value = values[at] as Value
        text += typeof value === 'number' ? `,${value}` : `,${JSON.stringify(value)}`
      }
      return `${text}]`
    },
    /** Records that some of the records from `first` on have several versions. */
    noteRuns: (position: number, first: number): void => {
      insertRun.run(position, first, records)
    },
  }
}

const recordStatements = (db: DatabaseSync, shape: StoredShape, generation: number) => {
  const { name, key } = shape
  const table = versionTableOf(name, generation)
  const columns = Object.keys(shape.columns)
  const own = [n, end, from, to, ...linkColumns, more, base]
  return {
    insert: db.prepare(
      `INSERT INTO ${table} (${own.join(', ')}, ${list(columns)}) VALUES (${marks([...own, ...columns])})`,
    ),
    /** Inserts the absence of a row. */
    insertAbsence: db.prepare(
      `INSERT INTO ${table} (${own.join(', ')}, ${list(key)}) VALUES (${marks([...own, ...key])})`,
    ),
    insertRun: db.prepare(`INSERT INTO ${runsTableOf(name, generation)} VALUES (?, ?, ?)`),
    bounds: query<[first: number | null, last: number | null]>(
      db,
      `SELECT (SELECT MIN(${n}) FROM ${table}), (SELECT MAX(${n}) FROM ${table})`,
    ),
  }
}

/**
 * Stores null in columns equal to those of `base`. Returns false if at most half are equal, by size, or if a value is
 * null where that of `base` is not: it would be taken for an equal one.
 */
const leaveOut = (base: readonly Value[], values: Value[], rest: readonly number[]): boolean => {
  let [same, all] = [0, 0]
  for (const at of rest) {
    const value = values[at] as Value
    const size = typeof value === 'string' ? value.length : bytesOfNumber
    const isSame = value === base[at]
    if (value === null && !isSame) return false
    all += size
    if (isSame) same += size
  }
  if (2 * same <= all) return false
  for (const at of rest) if (values[at] === base[at]) values[at] = null
  return true
}
