import type { Tally, Value, ViewQuery, ViewShape } from '../../../src/domain/kernel/view.ts'
import { from, pastKeyIndexOf, pastTableOf, pastTimeIndexOf, to } from './past-tables.ts'
import {
  columnsIn,
  type Fragment,
  knownColumns,
  type OrderTerm,
  orderOf,
  pageSql,
  tallyParts,
  whereSql,
} from './query-sql.ts'
import { quoted, tableOf } from './shape.ts'
import { columnSql, sourceOf } from './source.ts'

/** Rows of a generation that were in force at a position. */
export interface PastRows {
  readonly generation: number
  readonly position: number
}

/** The version of a row, with `from` and `to`: values are the position, the key as it is stored, and those of the conditions. */
export const pastRowSql = (
  shape: ViewShape,
  generation: number,
  columns: readonly string[],
  conditions = '',
): readonly [still: string, ended: string] => {
  const { name, key } = shape
  const isKey = key.map((column, i) => `${quoted(column)} = ?${i + 2}`).join(' AND ')
  const selected = columns.map((column) => `${columnSql(shape, generation)(column)}, `).join('')
  const more = conditions.replace(/^ WHERE /, ' AND ')
  const past = pastTableOf(name, generation)
  return [
    `SELECT ${selected}${from}, NULL FROM ${tableOf(name, generation)} WHERE ${isKey} AND ${from} <= ?1${more}`,
    `SELECT ${selected}${from}, ${to} FROM ${past} WHERE ${to} > ?1 AND rowid =
       (SELECT rowid FROM ${past} INDEXED BY ${pastKeyIndexOf(name, generation)}
        WHERE ${isKey} AND ${from} <= ?1 ORDER BY ${from} DESC LIMIT 1)${more}`,
  ]
}

/** A column as a statement about the past has it: what was put into it, or, of an id that breaks a tie, its number. */
interface Selected {
  readonly column: string
  readonly isNumber: boolean
}

const nameOf = ({ column, isNumber }: Selected): string => quoted(isNumber ? `@${column}` : column)

/** All rows of the moment are read, and all versions that ended behind it. */
const allParts = (
  shape: ViewShape,
  { generation, position }: PastRows,
  selected: readonly Selected[],
  where: ViewQuery['where'],
): Fragment => {
  const { name } = shape
  const used = [
    ...selected.flatMap(({ column, isNumber }) => (isNumber ? [] : [column])),
    ...columnsIn(where),
  ]
  const part = (table: string, inForce: string) => {
    const { from: source, sqlOf } = sourceOf(shape, generation, used, undefined, table)
    const columns = selected.map((one) => `${(one.isNumber ? quoted : sqlOf)(one.column)} AS ${nameOf(one)}`)
    const conditions = whereSql(shape, where, sqlOf)
    return {
      sql: `SELECT ${columns.join(', ')} FROM ${source} WHERE ${inForce}${conditions.sql.replace(/^ WHERE /, ' AND ')}`,
      values: conditions.values,
    }
  }
  const ended = part(
    `${pastTableOf(name, generation)} INDEXED BY ${pastTimeIndexOf(name, generation)}`,
    `${to} > ? AND ${from} <= ?`,
  )
  const still = part(tableOf(name, generation), `${from} <= ?`)
  return {
    sql: `${ended.sql} UNION ALL ${still.sql}`,
    values: [position, position, ...ended.values, position, ...still.values],
  }
}

export const pastScanSql = (shape: ViewShape, past: PastRows, query: ViewQuery): Fragment => {
  const order = orderOf(shape, query.orderBy)
  const orderedBy = ({ column, isTie }: OrderTerm): Selected => ({
    column,
    isNumber: isTie && (shape.ids?.includes(column) ?? false),
  })
  const asked = knownColumns(shape, query.columns).map((column) => ({ column, isNumber: false }))
  // A compound is ordered by what it selects.
  const selected = [...asked, ...order.map(orderedBy)]
  const different = [...new Map(selected.map((one) => [nameOf(one), one])).values()]
  const all = allParts(shape, past, different, query.where)
  const page = pageSql(query)
  const ordered = order.map((term) => nameOf(orderedBy(term)) + (term.descending ? ' DESC' : ''))
  return {
    sql: `${all.sql} ORDER BY ${ordered.join(', ')}${page.sql}`,
    values: [...all.values, ...page.values],
  }
}

export const pastTallySql = (shape: ViewShape, past: PastRows, tally: Tally) => {
  const { columns, results, grouped } = tallyParts(shape, tally)
  const needed = [...new Set([...tally.by, ...(tally.sum ?? [])])]
  const selected = (needed.length > 0 ? needed : shape.key).map((column) => ({
    column,
    isNumber: needed.length === 0,
  }))
  const all = allParts(shape, past, selected, tally.where)
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
