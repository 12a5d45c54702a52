import type { Tally, Value, ViewQuery, ViewShape } from '../../../src/domain/kernel/view.ts'
import { from, pastKeyIndexOf, pastTableOf, pastTimeIndexOf, to } from './past-tables.ts'
import { type Fragment, knownColumns, orderOf, orderSql, pageSql, tallyParts, whereSql } from './query-sql.ts'
import { list, quoted, tableOf } from './shape.ts'

/** Rows of a generation that were in force at a position. */
export interface PastRows {
  readonly generation: number
  readonly position: number
}

const select = (columns: readonly string[], table: string, where: string, conditions: Fragment): string =>
  `SELECT ${list(columns)} FROM ${table} WHERE ${where}${conditions.sql.replace(/^ WHERE /, ' AND ')}`

/** The version of a row, with `from` and `to`: values are the position, the key, and those of the conditions. */
export const pastRowSql = (
  { name, key }: ViewShape,
  generation: number,
  columns: readonly string[],
  conditions = '',
): readonly [still: string, ended: string] => {
  const isKey = key.map((column, i) => `${quoted(column)} = ?${i + 2}`).join(' AND ')
  const selected = columns.map((column) => `${quoted(column)}, `).join('')
  const more = conditions.replace(/^ WHERE /, ' AND ')
  const past = pastTableOf(name, generation)
  return [
    `SELECT ${selected}${from}, NULL FROM ${tableOf(name, generation)} WHERE ${isKey} AND ${from} <= ?1${more}`,
    `SELECT ${selected}${from}, ${to} FROM ${past} WHERE ${to} > ?1 AND rowid =
       (SELECT rowid FROM ${past} INDEXED BY ${pastKeyIndexOf(name, generation)}
        WHERE ${isKey} AND ${from} <= ?1 ORDER BY ${from} DESC LIMIT 1)${more}`,
  ]
}

/** All rows of the moment are read, and all versions that ended behind it. */
const allParts = (
  { name }: ViewShape,
  { generation, position }: PastRows,
  columns: readonly string[],
  conditions: Fragment,
): Fragment => {
  const past = `${pastTableOf(name, generation)} INDEXED BY ${pastTimeIndexOf(name, generation)}`
  return {
    sql: `${select(columns, past, `${to} > ? AND ${from} <= ?`, conditions)} UNION ALL
      ${select(columns, tableOf(name, generation), `${from} <= ?`, conditions)}`,
    values: [position, position, ...conditions.values, position, ...conditions.values],
  }
}

export const pastScanSql = (shape: ViewShape, past: PastRows, query: ViewQuery): Fragment => {
  const order = orderOf(shape, query.orderBy)
  // A compound is ordered by what it selects.
  const selected = [...new Set([...knownColumns(shape, query.columns), ...order.map(({ column }) => column)])]
  const all = allParts(shape, past, selected, whereSql(shape, query.where))
  const page = pageSql(query)
  return {
    sql: `${all.sql} ORDER BY ${orderSql(order)}${page.sql}`,
    values: [...all.values, ...page.values],
  }
}

export const pastTallySql = (shape: ViewShape, past: PastRows, tally: Tally) => {
  const { columns, results, grouped } = tallyParts(shape, tally)
  const needed = [...new Set([...tally.by, ...(tally.sum ?? [])])]
  const all = allParts(shape, past, needed.length > 0 ? needed : shape.key, whereSql(shape, tally.where))
  return { sql: `SELECT ${results.join(', ')} FROM (${all.sql})${grouped}`, values: all.values, columns }
}

/** How many rows `pastScanSql` reads, `most` at most. */
export const pastCountSql = (
  { name }: ViewShape,
  { generation, position }: PastRows,
  most: number,
): Fragment => ({
  sql: `SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM ${pastTableOf(name, generation)} WHERE ${to} > ? LIMIT ?))
    + (SELECT COUNT(*) FROM (SELECT 1 FROM ${tableOf(name, generation)} LIMIT ?))`,
  values: [position, most, most] satisfies Value[],
})
