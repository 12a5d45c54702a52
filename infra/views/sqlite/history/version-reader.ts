import type { Row, Tally, Value, ViewQuery, ViewShape } from '../../../../src/domain/kernel/view.ts'
import { knownColumns, pageSql } from '../query-sql.ts'
import { createRowReader, quoted, tableOf } from '../shape.ts'
import type { Statements } from '../statements.ts'
import { accessOf, keyOf } from './access-path.ts'
import { conditionOf } from './conditions.ts'
import { keysOfPage } from './order-reader.ts'
import { createIdReader, keyCoding, type StoredQuery, storedQuery } from './stored-ids.ts'
import { base, from, goneTableOf, more, n, pastOrders, pastTableOf, restColumns, to } from './tables.ts'
import { type Back, backColumns, oldestFrom, readBack } from './version-links.ts'
import { type PastRows, pastScanSql, pastTallySql, stillSql } from './version-sql.ts'

/** Returns the rows that were in force at a position. */
export const pastRows = (
  statements: Statements,
  shape: ViewShape,
  past: PastRows,
  query: ViewQuery,
): readonly Row[] => {
  const columns = knownColumns(shape, query.columns)
  // Throws if the page is invalid.
  pageSql(query)
  const access = accessOf(shape, query)
  if (access.kind === 'scan' || access.kind === 'still') {
    const { sql, values } = (access.kind === 'scan' ? pastScanSql : stillSql)(shape, past, query)
    const read = createRowReader(columns, shape)
    return statements(sql)
      .all(...values)
      .map(read)
  }
  const stored = storedQuery(statements, shape, past.generation, query)
  return stored ? rowsFound(statements, shape, stored, past, query, columns) : []
}

/** Finds rows by their key, or in an order that the history has pages in. */
const rowsFound = (
  statements: Statements,
  shape: ViewShape,
  stored: StoredQuery,
  past: PastRows,
  query: ViewQuery,
  columns: readonly string[],
): readonly Row[] => {
  const access = accessOf(shape, query)
  if (access.kind === 'one') {
    const { where = [], offset = 0, limit = 1 } = query
    const conditions = where.map((condition) => ({ ...condition, isTrue: conditionOf(shape, condition) }))
    if (offset > 0 || limit < 1) return []
    const versionAt = createVersions(statements, shape, past.generation)
    const row = versionAt(keyOf(stored.shape, stored.query), past)?.row
    if (!row || !conditions.every(({ column, isTrue }) => isTrue(row[column] as Value))) return []
    return [Object.fromEntries(columns.map((column) => [column, row[column]]))]
  }
  const versionAt = createVersions(statements, shape, past.generation, columns)
  const rows: Row[] = []
  for (const key of storedKeys(statements, shape, stored, past, query)) {
    const version = versionAt(key, past)
    if (version) rows.push(version.row)
  }
  return rows
}

/** Returns the keys of a page, as tables store them. */
function* storedKeys(
  statements: Statements,
  shape: ViewShape,
  stored: StoredQuery,
  past: PastRows,
  query: ViewQuery,
): Iterable<readonly Value[]> {
  const access = accessOf(shape, query)
  if (access.kind !== 'page') return
  const isOfNumbers = pastOrders(shape)[access.order]?.length !== 1
  if (!shape.ids || isOfNumbers) {
    const part = accessOf(stored.shape, stored.query)
    if (part.kind === 'page') yield* keysOfPage(statements, stored.shape, past, part, stored.query)
    return
  }
  const coding = keyCoding(statements, shape, past.generation)
  for (const key of keysOfPage(statements, shape, past, access, query)) {
    const numbers = coding.stored(key)
    if (numbers) yield numbers
  }
}

/** A version of a row; `to` is null if it is still in force. */
export interface Version {
  readonly row: Row
  readonly from: number
  readonly to: number | null
}

/** Finds the version of a row that was in force at a position; the key as it is stored. */
export type VersionAt = (
  key: readonly Value[],
  at: Pick<PastRows, 'position' | 'bound'>,
) => Version | undefined

export const createVersions = (
  statements: Statements,
  shape: ViewShape,
  generation: number,
  columns: readonly string[] = Object.keys(shape.columns),
): VersionAt => {
  const { name, key } = shape
  const past = pastTableOf(name, generation)
  const way = [from, ...backColumns].join(', ')
  const isKey = key.map((column) => `${quoted(column)} = ?`).join(' AND ')
  const selected = columns.map((column) => `, ${quoted(column)}`).join('')
  const now = tableOf(name, generation)
  const ofNow = statements(`SELECT ${way} FROM ${now} WHERE ${isKey}`)
  const rowOfNow = statements(`SELECT ${from}${selected} FROM ${now} WHERE ${isKey}`)
  const ofGone = statements(`SELECT ${way} FROM ${goneTableOf(name, generation)} WHERE ${isKey}`)
  const wayBack = statements(`SELECT ${backColumns.join(', ')} FROM ${past} WHERE ${n} = ?`)
  const record = statements(`SELECT ${from}, ${to}, ${more}, ${base}${selected} FROM ${past} WHERE ${n} = ?`)
  const basedAt = 4
  const readRow = createRowReader(columns, shape)
  const named = createIdReader(statements, shape, generation, columns)
  const read = (values: readonly Value[]) => readRow(named(values))
  const later = createLaterReader(shape, columns, read)

  /** Returns the record that has the version of a moment; undefined if the row was not written before. */
  const recordAt = (back: Back, bound: number): number | undefined => {
    let found: number | undefined
    for (let next = oldestFrom(back, bound); next !== undefined; ) {
      found = next
      next = oldestFrom(readBack(wayBack.get(next) ?? []), bound)
    }
    return found
  }

  return (key, { position, bound }) => {
    const isNow = ofNow.get(...key)
    const [begun, ...left] = isNow ?? ofGone.get(...key) ?? []
    if (begun === undefined) return undefined
    if (Number(begun) <= position) {
      const row = isNow && rowOfNow.get(...key)
      return row && { row: read(row.slice(1)), from: Number(begun), to: null }
    }
    const at = recordAt(readBack(left), bound)
    const [first, ended, runs, base, ...own] = (at !== undefined && record.get(at)) || []
    if (ended === undefined) return undefined
    if (Number(ended) <= position) return later(String(runs), position, key)
    if (first === null || Number(first) > position) return undefined
    const based = (base && record.get(base)?.slice(basedAt)) || []
    const all = based.length === 0 ? own : own.map((value, i) => value ?? (based[i] as Value))
    return { row: read(all), from: Number(first), to: Number(ended) }
  }
}

/** Reads a version behind the first one of a record. */
const createLaterReader = (
  shape: ViewShape,
  columns: readonly string[],
  read: (values: readonly Value[]) => Row,
) => {
  const rest = restColumns(shape)
  const places = columns.map((column) => rest.indexOf(column))
  return (more: string, position: number, key: readonly Value[]): Version | undefined => {
    const versions = JSON.parse(more) as [from: number | null, to: number, ...values: Value[]][]
    const found = versions.find(([, to]) => to > position)
    const [from = null, to = null, ...values] = found ?? []
    if (from === null || from > position) return undefined
    const valueAt = (at: number, i: number) =>
      (at < 0 ? key[shape.key.indexOf(columns[i] as string)] : values[at]) as Value
    return { row: read(places.map(valueAt)), from, to }
  }
}

export const tallyOfPast = (
  statements: Statements,
  shape: ViewShape,
  past: PastRows,
  tally: Tally,
): readonly Row[] => {
  const { sql, values, columns } = pastTallySql(shape, past, tally)
  return statements(sql)
    .all(...values)
    .map(createRowReader(columns, shape))
}
