import type { Tally, Value, ViewQuery } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import {
  columnsIn,
  type Fragment,
  knownColumns,
  type OrderTerm,
  orderOf,
  orderSql,
  pageSql,
  tallyParts,
  whereSql,
} from '../query-sql.ts'
import { list, quoted, tableOf } from '../shape.ts'
import { sourceOf } from '../source.ts'
import type { Statements } from '../statements.ts'
import {
  base,
  end,
  firstRecord,
  from,
  lastRecord,
  more,
  n,
  restColumns,
  runsTableOf,
  to,
  versionTableOf,
} from './tables.ts'

/** The rows of a generation that were in force at a position. */
export interface RowsAsOf {
  readonly generation: number
  readonly position: number
  /** The first record of history that ended behind the position: earlier ones do not matter. */
  readonly bound: number
  /**
   * The last record that may have ended behind it and begun another version before: that of the transaction; otherwise
   * less than `bound`.
   */
  readonly runsUntil: number
}

/** Must be called in the read transaction of the query. */
export const rowsAsOf = (
  statements: Statements,
  { name }: StoredShape,
  generation: number,
  position: number,
): RowsAsOf => {
  const bound = Number(statements(boundSql(name, generation)).get(position)?.[0] ?? 0)
  const run = statements(
    `SELECT ${lastRecord} FROM ${runsTableOf(name, generation)} WHERE ${end} > ? AND ${firstRecord} <= ? ORDER BY ${end} LIMIT 1`,
  )
  return { generation, position, bound, runsUntil: Number(run.get(position, bound)?.[0] ?? -1) }
}

/** Numbers and ends of records grow together: a binary search. */
const boundSql = (view: string, generation: number): string => {
  const versions = versionTableOf(view, generation)
  const middle = '(low + high) / 2'
  const isBefore = `(SELECT ${end} FROM ${versions} WHERE ${n} = ${middle}) <= ?1`
  return `WITH RECURSIVE part (low, high) AS (
      SELECT (SELECT MIN(${n}) FROM ${versions}), (SELECT MAX(${n}) + 1 FROM ${versions})
      UNION ALL
      SELECT IIF(${isBefore}, ${middle} + 1, low), IIF(${isBefore}, high, ${middle}) FROM part WHERE low < high)
    SELECT low FROM part WHERE low = high`
}

/**
 * A source of rows: the versions of a view's history, in records of either form. `first` and `later` choose among
 * records `p`.
 */
export const versionsSql = (
  shape: StoredShape,
  generation: number,
  columns: readonly string[],
  { first = '1', later = '1' }: { readonly first?: string; readonly later?: string } = {},
): string => {
  const versions = versionTableOf(shape.name, generation)
  const rest = restColumns(shape)
  const selected = (sqlOf: (column: string, at: number) => string) =>
    columns.map((name) => {
      const at = rest.indexOf(name)
      return `, ${at < 0 ? `p.${quoted(name)}` : `${sqlOf(quoted(name), at)} AS ${quoted(name)}`}`
    })
  return `SELECT p.${from}, p.${to}${selected((name) => `IFNULL(p.${name}, b.${name})`).join('')}
      FROM ${versions} AS p LEFT JOIN ${versions} AS b ON b.${n} = p.${base} WHERE ${first}
    UNION ALL
    SELECT v.value ->> 0 AS ${from}, v.value ->> 1 AS ${to}${selected((_, at) => `v.value ->> ${at + 2}`).join('')}
      FROM ${versions} AS p CROSS JOIN json_each(p.${more}) AS v WHERE p.${more} IS NOT NULL AND ${later}`
}

/** A column in a statement about history: its original value or, for an id that breaks a tie, its number. */
interface Selected {
  readonly column: string
  readonly isNumber: boolean
}

const nameOf = ({ column, isNumber }: Selected): string => quoted(isNumber ? `@${column}` : column)

/** Reads all rows of the moment, and all versions that ended behind it. */
const allParts = (
  shape: StoredShape,
  { generation, position, bound, runsUntil }: RowsAsOf,
  selected: readonly Selected[],
  where: ViewQuery['where'],
): Fragment => {
  const inner = [...new Set([...selected.map(({ column }) => column), ...columnsIn(where)])]
  const ended = versionsSql(shape, generation, inner, {
    first: `p.${n} >= ?1 AND p.${from} <= ?3 AND p.${to} > ?3`,
    later: `p.${n} BETWEEN ?1 AND ?2 AND p.${to} <= ?3 AND v.value ->> 0 <= ?3 AND v.value ->> 1 > ?3`,
  })
  const still = `SELECT ${list(inner)} FROM ${tableOf(shape.name, generation)} WHERE ${from} <= ?3`
  const used = [
    ...selected.flatMap(({ column, isNumber }) => (isNumber ? [] : [column])),
    ...columnsIn(where),
  ]
  const all = `(SELECT ${list(inner)} FROM (${ended}) UNION ALL ${still})`
  const { from: source, sqlOf } = sourceOf(shape, generation, used, undefined, all)
  const columns = selected.map((one) => `${(one.isNumber ? quoted : sqlOf)(one.column)} AS ${nameOf(one)}`)
  const conditions = whereSql(shape, where, sqlOf)
  return {
    sql: `SELECT ${columns.join(', ')} FROM ${source}${conditions.sql}`,
    values: [bound, runsUntil, position, ...conditions.values],
  }
}

export const scanAsOfSql = (shape: StoredShape, asOf: RowsAsOf, query: ViewQuery): Fragment => {
  const order = orderOf(shape, query.orderBy)
  const orderedBy = ({ column, isTie }: OrderTerm): Selected => ({
    column,
    isNumber: isTie && (shape.ids?.includes(column) ?? false),
  })
  const asked = knownColumns(shape, query.columns).map((column) => ({ column, isNumber: false }))
  // A compound is ordered by selected columns.
  const selected = [...asked, ...order.map(orderedBy)]
  const different = [...new Map(selected.map((one) => [nameOf(one), one])).values()]
  const all = allParts(shape, asOf, different, query.where)
  const page = pageSql(query)
  const ordered = order.map((term) => nameOf(orderedBy(term)) + (term.descending ? ' DESC' : ''))
  return {
    sql: `${all.sql} ORDER BY ${ordered.join(', ')}${page.sql}`,
    values: [...all.values, ...page.values],
  }
}

/** For a view without versions: current rows that existed already. */
export const stillSql = (
  shape: StoredShape,
  { generation, position }: RowsAsOf,
  query: ViewQuery,
): Fragment => {
  const columns = knownColumns(shape, query.columns)
  const order = orderOf(shape, query.orderBy)
  const ordered = order.flatMap(({ column, isTie }) => (isTie ? [] : [column]))
  const { from: source, sqlOf } = sourceOf(shape, generation, [
    ...columns,
    ...columnsIn(query.where),
    ...ordered,
  ])
  const conditions = whereSql(shape, query.where, sqlOf)
  const page = pageSql(query)
  return {
    sql: `SELECT ${columns.map(sqlOf).join(', ')} FROM ${source}${conditions.sql} AND ${from} <= ? ORDER BY ${orderSql(order, sqlOf)}${page.sql}`,
    values: [...conditions.values, position, ...page.values],
  }
}

export const tallyAsOfSql = (shape: StoredShape, asOf: RowsAsOf, tally: Tally) => {
  const { columns, results, grouped } = tallyParts(shape, tally)
  const needed = [...new Set([...tally.by, ...(tally.sum ?? [])])]
  const selected = (needed.length > 0 ? needed : shape.key).map((column) => ({
    column,
    isNumber: needed.length === 0,
  }))
  const all = allParts(shape, asOf, selected, tally.where)
  return { sql: `SELECT ${results.join(', ')} FROM (${all.sql})${grouped}`, values: all.values, columns }
}

/** Counts the rows that `scanAsOfSql` reads, `most` at most. */
export const scanCountSql = (
  { name }: StoredShape,
  { generation, bound }: RowsAsOf,
  most: number,
): Fragment => ({
  sql: `SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM ${versionTableOf(name, generation)} WHERE ${n} >= ? LIMIT ?))
    + (SELECT COUNT(*) FROM (SELECT 1 FROM ${tableOf(name, generation)} LIMIT ?))`,
  values: [bound, most, most] satisfies Value[],
})
