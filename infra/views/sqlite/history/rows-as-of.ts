import type { Row, Tally, Value, ViewQuery } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { knownColumns, pageSql } from '../query-sql.ts'
import { createRowReader } from '../shape.ts'
import type { Statements } from '../statements.ts'
import { accessOf, keyOf, type Part } from './access-path.ts'
import { conditionOf } from './conditions.ts'
import { keysOfPage } from './order-reader.ts'
import { keyCoding, type StoredQuery, storedQuery } from './stored-ids.ts'
import { historyOrders } from './tables.ts'
import { createVersionReader } from './version-reader.ts'
import { type RowsAsOf, scanAsOfSql, stillSql, tallyAsOfSql } from './version-sql.ts'

/** Returns the rows that were in force at a position. */
export const queryAsOf = (
  statements: Statements,
  shape: StoredShape,
  asOf: RowsAsOf,
  query: ViewQuery,
): readonly Row[] => {
  const columns = knownColumns(shape, query.columns)
  // Throws if the page is invalid.
  pageSql(query)
  const access = accessOf(shape, query)
  if (access.kind === 'scan' || access.kind === 'still') {
    const { sql, values } = (access.kind === 'scan' ? scanAsOfSql : stillSql)(shape, asOf, query)
    return statements(sql)
      .all(...values)
      .map(createRowReader(columns, shape))
  }
  const stored = storedQuery(statements, shape, asOf.generation, query)
  if (!stored) return []
  if (access.kind !== 'page') return oneRow(statements, shape, stored, asOf, query, columns)
  const versionAt = createVersionReader(statements, shape, asOf.generation, columns)
  const keys = storedKeys(statements, shape, stored, asOf, query, access)
  const rows: Row[] = []
  for (const key of keys) {
    const version = versionAt(key, asOf)
    if (version) rows.push(version.row)
  }
  return rows
}

/** Finds a row by its key. */
const oneRow = (
  statements: Statements,
  shape: StoredShape,
  stored: StoredQuery,
  asOf: RowsAsOf,
  { where = [], offset = 0, limit = 1 }: ViewQuery,
  columns: readonly string[],
): readonly Row[] => {
  const conditions = where.map((condition) => ({ ...condition, isTrue: conditionOf(shape, condition) }))
  if (offset > 0 || limit < 1) return []
  const versionAt = createVersionReader(statements, shape, asOf.generation)
  const row = versionAt(keyOf(stored.shape, stored.query), asOf)?.row
  if (!row || !conditions.every(({ column, isTrue }) => isTrue(row[column] as Value))) return []
  return [Object.fromEntries(columns.map((column) => [column, row[column]]))]
}

/** Returns the keys of a page, as tables store them. */
function* storedKeys(
  statements: Statements,
  shape: StoredShape,
  stored: StoredQuery,
  asOf: RowsAsOf,
  query: ViewQuery,
  part: Part,
): Iterable<readonly Value[]> {
  const isOfNumbers = historyOrders(shape)[part.order]?.length !== 1
  if (!shape.ids || isOfNumbers) {
    const storedPart = accessOf(stored.shape, stored.query)
    if (storedPart.kind === 'page')
      yield* keysOfPage(statements, stored.shape, asOf, storedPart, stored.query)
    return
  }
  const coding = keyCoding(statements, shape, asOf.generation)
  for (const key of keysOfPage(statements, shape, asOf, part, query)) {
    const numbers = coding.stored(key)
    if (numbers) yield numbers
  }
}

export const tallyAsOf = (
  statements: Statements,
  shape: StoredShape,
  asOf: RowsAsOf,
  tally: Tally,
): readonly Row[] => {
  const { sql, values, columns } = tallyAsOfSql(shape, asOf, tally)
  return statements(sql)
    .all(...values)
    .map(createRowReader(columns, shape))
}
