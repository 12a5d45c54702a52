import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Value, ViewShape } from '../../../../src/domain/kernel/view.ts'
import { query } from '../../../sqlite/query.ts'
import { createStored, type Ids } from '../ids.ts'
import type { EndedVersion, Entry } from '../row-cache.ts'
import { list, quoted } from '../shape.ts'
import { createCame } from './created-rows.ts'
import { createPastOrder } from './order-writer.ts'
import {
  base,
  end,
  from,
  goneTableOf,
  more,
  n,
  pastOrders,
  pastTableOf,
  restColumns,
  runsTableOf,
  to,
} from './tables.ts'
import { type Back, backColumns, backValues, readBack, withRecord } from './version-links.ts'

/** Writes the history of a view while it is folded. */
export interface PastVersions {
  /** Ends the version of a row that is in force at `to`. An earlier event began it. */
  end(entry: Entry, to: number): void
  /** Returns the start and the links of a row's absence; undefined if the row never existed. */
  gone(key: readonly Value[]): { readonly from: number; readonly back: Back } | undefined
  /** Writes ended versions. Must be called once per transaction, with its last position, before `settle`. */
  flush(position: number): void
  /** Completes a row that was written or deleted in this transaction. */
  settle(entry: Entry): void
}

/** Fewest versions of one row in one transaction that are gathered into records: mostly of counters. */
const minRun = 8
/** Estimated bytes of a number: most have as many. */
const bytesOfNumber = 3
/** Most records between one and its base. */
export const maxBaseAge = 2 ** 18
/** Characters of a record's `@more`, which is read whole; one version more begins another record. */
const maxMore = 2000

export const createPastVersions = (
  db: DatabaseSync,
  shape: ViewShape,
  generation: number,
  blockEntries: number,
  ids?: Ids,
): PastVersions => {
  const stored = createStored(shape, ids)
  const orders = pastOrders(shape).map((names, number) =>
    createPastOrder(db, shape, generation, { columns: names, number, blockEntries }, ids),
  )
  const gone = createGone(db, shape, generation)
  const came = createCame(db, shape, generation)
  const records = createRecords(db, shape, generation, stored)
  /** Entries in the order of time. */
  let ending: Entry[] = []

  const keyOf = ({ key = [] }: Entry): readonly Value[] => stored.key(key)

  /** Writes a record when the last version that it has room for ends. Returns true if it has several. */
  const gather = (entry: Entry, ended: readonly EndedVersion[], i: number): boolean => {
    const version = ended[i] as EndedVersion
    if (ended.length < minRun) {
      if (version.row) records.write(entry, version, version.to, null)
      else came.note(version.to, keyOf(entry))
      return false
    }
    if (entry.run) entry.run.more += `,${records.laterVersion(version)}`
    else entry.run = { first: version, more: '' }
    const { first, more } = entry.run
    if (i + 1 < ended.length && more.length < maxMore) return false
    records.write(entry, first, version.to, more === '' ? null : `[${more.slice(1)}]`)
    entry.run = undefined
    return more !== ''
  }

  return {
    end: (entry, to) => {
      entry.ended ??= []
      entry.ended.push({ row: entry.row, from: entry.from, to })
      ending.push(entry)
    },
    gone: (key) => {
      const known = stored.knownKey(key)
      return known && gone.find(known)
    },
    flush: (position) => {
      if (ending.length === 0) return
      const first = records.begin()
      let hasRuns = false
      for (const entry of ending) {
        const ended = entry.ended as EndedVersion[]
        const i = entry.gathered++
        const version = ended[i] as EndedVersion
        if (gather(entry, ended, i)) hasRuns = true
        const next = i + 1 < ended.length ? (ended[i + 1] as EndedVersion).row : entry.row
        for (const order of orders) order.change(version.row, next, version.to)
      }
      if (hasRuns) records.noteRuns(position, first)
      ending = []
      came.flush()
      for (const order of orders) order.flush()
    },
    settle: (entry) => {
      if (entry.row === undefined) gone.put(keyOf(entry), entry.from, entry.back)
      else if (entry.isGone) gone.remove(keyOf(entry))
      entry.isGone = entry.row === undefined
      entry.ended = undefined
      entry.gathered = 0
    },
  }
}

type Stored = ReturnType<typeof createStored>

/** The records of ended versions, in the file. */
const createRecords = (db: DatabaseSync, shape: ViewShape, generation: number, stored: Stored) => {
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
      const way = backValues(entry.back)
      if (!row) insertAbsence.run(record, end, null, to, ...way, more, null, ...stored.key(entry.key ?? []))
      else {
        const values = stored.row(row)
        const oldest = Math.max(firstKept, record - maxBaseAge)
        const isBased = entry.base && entry.baseRecord >= oldest && leaveOut(entry.base, values, rest)
        insert.run(record, end, from, to, ...way, more, isBased ? entry.baseRecord : null, ...values)
        if (!isBased) {
          entry.base = values
          entry.baseRecord = record
        }
      }
      entry.back = withRecord(entry.back, record)
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

const recordStatements = (db: DatabaseSync, shape: ViewShape, generation: number) => {
  const { name, key } = shape
  const past = pastTableOf(name, generation)
  const columns = Object.keys(shape.columns)
  const own = [n, end, from, to, ...backColumns, more, base]
  const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ')
  return {
    insert: db.prepare(
      `INSERT INTO ${past} (${own.join(', ')}, ${list(columns)}) VALUES (${marks([...own, ...columns])})`,
    ),
    /** Inserts the absence of a row. */
    insertAbsence: db.prepare(
      `INSERT INTO ${past} (${own.join(', ')}, ${list(key)}) VALUES (${marks([...own, ...key])})`,
    ),
    insertRun: db.prepare(`INSERT INTO ${runsTableOf(name, generation)} VALUES (?, ?, ?)`),
    bounds: query<[first: number | null, last: number | null]>(
      db,
      `SELECT (SELECT MIN(${n}) FROM ${past}), (SELECT MAX(${n}) FROM ${past})`,
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

const isKeySql = (key: readonly string[]): string =>
  key.map((column) => `${quoted(column)} = ?`).join(' AND ')

/** The links to earlier versions of deleted rows. */
const createGone = (db: DatabaseSync, { name, key, isWrittenOnce }: ViewShape, generation: number) => {
  const table = goneTableOf(name, generation)
  const isKey = isKeySql(key)
  const select = query<[from: number, ...back: Value[]]>(
    db,
    `SELECT ${[from, ...backColumns].join(', ')} FROM ${table} WHERE ${isKey}`,
  )
  const replace = db.prepare(
    `INSERT OR REPLACE INTO ${table} (${list(key)}, ${[from, ...backColumns].join(', ')}) VALUES (${key.map(() => '?, ').join('')}?, ?, ?, ?)`,
  )
  const drop = db.prepare(`DELETE FROM ${table} WHERE ${isKey}`)
  let isEmpty = isWrittenOnce || query(db, `SELECT 1 FROM ${table} LIMIT 1`).get() === undefined
  return {
    find: (key: readonly Value[]) => {
      const [from, ...back] = isEmpty ? [] : (select.get(...(key as SQLInputValue[])) ?? [])
      return from === undefined ? undefined : { from, back: readBack(back) }
    },
    put: (key: readonly Value[], from: number, back: Back | undefined): void => {
      isEmpty = false
      replace.run(...key, from, ...backValues(back))
    },
    remove: (key: readonly Value[]): void => {
      drop.run(...key)
    },
  }
}
