import type { Row, Tally, Value, ViewQuery, ViewShape } from '../../../src/domain/kernel/view.ts'
import { accessOf, keyOf } from './past-access.ts'
import { type StoredQuery, storedQuery } from './past-ids.ts'
import { keysOfPage } from './past-places.ts'
import { type PastRows, pastRowSql, pastScanSql, pastTallySql } from './past-sql.ts'
import { knownColumns, pageSql, whereSql } from './query-sql.ts'
import { createRowReader } from './shape.ts'
import type { Statements } from './statements.ts'

/** Of the rows that were in force at a position. */
export const pastRows = (
  statements: Statements,
  shape: ViewShape,
  past: PastRows,
  query: ViewQuery,
): readonly Row[] => {
  const columns = knownColumns(shape, query.columns)
  // Says what is wrong with them.
  pageSql(query)
  const read = createRowReader(columns, shape)
  if (accessOf(shape, query).kind === 'scan') {
    const { sql, values } = pastScanSql(shape, past, query)
    return statements(sql)
      .all(...values)
      .map(read)
  }
  const stored = storedQuery(statements, shape, past.generation, query)
  return stored ? rowsFound(statements, stored, past, columns).map(read) : []
}

/** Of a question that finds them by their key, or in an order that the past has pages in. */
const rowsFound = (
  statements: Statements,
  { shape, query }: StoredQuery,
  past: PastRows,
  columns: readonly string[],
): readonly (readonly Value[])[] => {
  const access = accessOf(shape, query)
  if (access.kind === 'scan') return []
  const isOne = access.kind === 'one'
  // Those of a page are asked of its places.
  const conditions = isOne ? whereSql(shape, query.where) : { sql: '', values: [] }
  const find = versionFinder(statements, pastRowSql(shape, past.generation, columns, conditions.sql))
  const rows: (readonly Value[])[] = []
  for (const key of isOne ? [keyOf(shape, query)] : keysOfPage(statements, shape, past, access, query)) {
    const version = find(past.position, ...key, ...conditions.values)
    if (version) rows.push(version)
  }
  const { offset = 0, limit = rows.length } = query
  return isOne ? rows.slice(offset, offset + limit) : rows
}

/** The columns of a version, from when it was in force, and until when; null where it still is. */
export const versionFinder = (statements: Statements, sql: readonly [still: string, ended: string]) => {
  const [still, ended] = [statements(sql[0]), statements(sql[1])]
  return (...values: Value[]): readonly Value[] | undefined => still.get(...values) ?? ended.get(...values)
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
