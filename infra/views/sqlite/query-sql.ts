import {
  type Condition,
  type Tally,
  type Value,
  type ViewQuery,
  ViewQueryError,
} from '../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../src/ports/view-store.ts'
import { quoted } from './shape.ts'
import { type SqlOf, sourceOf } from './source.ts'

/** SQL with a `?` for every value; `columns` names those of its rows, in order. */
export interface SqlQuery {
  readonly sql: string
  readonly values: readonly Value[]
  readonly columns: readonly string[]
}

export const querySql = (shape: StoredShape, generation: number, query: ViewQuery): SqlQuery => {
  const columns = knownColumns(shape, query.columns)
  const order = orderOf(shape, query.orderBy)
  const ordered = order.filter(({ isTie }) => !isTie).map(({ column }) => column)
  const isByKey = ordered[0] === shape.key[0] && !isNarrowed(shape, query.where)
  const used = [...columns, ...columnsIn(query.where), ...ordered]
  const { from, sqlOf } = sourceOf(shape, generation, used, isByKey ? ordered[0] : undefined)
  const { sql, values } = whereSql(shape, query.where, sqlOf)
  const page = pageSql(query)
  return {
    sql: `SELECT ${columns.map(sqlOf).join(', ')} FROM ${from}${sql} ORDER BY ${orderSql(order, sqlOf)}${page.sql}`,
    values: [...values, ...page.values],
    columns,
  }
}

export const knownColumns = (shape: StoredShape, columns: ViewQuery['columns']): readonly string[] =>
  columns?.map((column) => known(shape, column)) ?? Object.keys(shape.columns)

export const pageSql = ({ limit, offset }: ViewQuery): Fragment =>
  limit === undefined && offset === undefined
    ? { sql: '', values: [] }
    : {
        sql: ' LIMIT ? OFFSET ?',
        // SQLite accepts an offset only behind a limit: -1 is none.
        values: [limit === undefined ? -1 : whole('limit', limit), whole('offset', offset ?? 0)],
      }

export const tallySql = (shape: StoredShape, generation: number, tally: Tally): SqlQuery => {
  const { from, sqlOf } = sourceOf(shape, generation, [...tally.by, ...columnsIn(tally.where)])
  const { columns, results, grouped } = tallyParts(shape, tally, sqlOf)
  const { sql, values } = whereSql(shape, tally.where, sqlOf)
  return {
    sql: `SELECT ${results.join(', ')} FROM ${from}${sql}${grouped}`,
    values,
    columns,
  }
}

/** Returns the selected expressions and the grouping of a tally; `columns` names the results. */
export const tallyParts = (shape: StoredShape, tally: Tally, sqlOf: SqlOf = quoted) => {
  const sums = tally.sum ?? []
  for (const name of tally.by) scalar(shape, name)
  for (const name of sums) numeric(shape, name)
  const columns = [...tally.by, 'count', ...sums]
  const twice = columns.find((name, i) => columns.indexOf(name) !== i)
  if (twice !== undefined)
    throw new ViewQueryError(`the tally would have two columns called ${twice}; leave one out`)
  // TOTAL, unlike SUM, gives 0 for no numbers and cannot overflow.
  const by = tally.by.map(sqlOf)
  const results = [...by, 'COUNT(*)', ...sums.map((name) => `TOTAL(${sqlOf(name)})`)]
  const most = tally.limit === undefined ? '' : ` LIMIT ${whole('limit', tally.limit)}`
  const grouped = by.length > 0 ? ` GROUP BY ${by.join(', ')} ORDER BY ${by.join(', ')}${most}` : ''
  return { columns, results, grouped }
}

export interface OrderTerm {
  readonly column: string
  readonly descending: boolean
  /** A column of the key, behind the requested order: ids are then ordered by their numbers, as indexes are. */
  readonly isTie: boolean
}

/** The key comes last, so that the order is total and pages neither repeat nor miss rows. */
export const orderOf = (shape: StoredShape, orderBy: ViewQuery['orderBy'] = []): readonly OrderTerm[] => {
  for (const { column } of orderBy) scalar(shape, column)
  // In the direction of the column before it: an index on that column has this order.
  const last = { descending: orderBy.at(-1)?.descending ?? false, isTie: orderBy.length > 0 }
  const named = new Set(orderBy.map(({ column }) => column))
  const key = shape.key.filter((column) => !named.has(column)).map((column) => ({ column, ...last }))
  return [...orderBy.map(({ column, descending = false }) => ({ column, descending, isTie: false })), ...key]
}

export const orderSql = (order: readonly OrderTerm[], sqlOf: SqlOf = quoted): string =>
  order
    .map(({ column, descending, isTie }) => (isTie ? quoted : sqlOf)(column) + (descending ? ' DESC' : ''))
    .join(', ')

export const columnsIn = (where: readonly Condition[] = []): readonly string[] =>
  where.map(({ column }) => column)

/** Returns whether an index leads to few rows. These are then searched by it, not scanned in the order of the key. */
const isNarrowed = (
  { key, indexes = [], sparse = [] }: StoredShape,
  where: readonly Condition[] = [],
): boolean => {
  const indexed = new Set([...indexes, ...sparse].map(([first]) => first))
  return where.some(
    ({ column, is }) => indexed.has(column) || (column === key[0] && (is === '=' || is === 'in')),
  )
}

export interface Fragment {
  readonly sql: string
  readonly values: readonly Value[]
}

export const whereSql = (
  shape: StoredShape,
  where: readonly Condition[] = [],
  sqlOf: SqlOf = quoted,
): Fragment => {
  if (where.length === 0) return { sql: '', values: [] }
  const parts = where.map((condition) => conditionSql(shape, condition, sqlOf))
  return {
    sql: ` WHERE ${parts.map((part) => part.sql).join(' AND ')}`,
    values: parts.flatMap((part) => part.values),
  }
}

const conditionSql = (shape: StoredShape, condition: Condition, sqlOf: SqlOf): Fragment => {
  const { column } = condition
  const name = sqlOf(known(shape, column))
  if (condition.is === 'in') {
    const read = scalar(shape, column) === 'text' ? textOf : numberOf
    const values = condition.value.map((value) => read(column, value))
    // One parameter, so that the statement is the same for any number of values.
    return { sql: `${name} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }
  }
  const { is, value } = condition
  if (value === null) {
    if (is === '=') return { sql: `${name} IS NULL`, values: [] }
    if (is === '!=') return { sql: `${name} IS NOT NULL`, values: [] }
    throw new ViewQueryError(`${column} ${is} null has no answer; null can only be compared with = and !=`)
  }
  const type = scalar(shape, column)
  const wanted = type === 'text' ? textOf(column, value) : numberOf(column, value)
  switch (is) {
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { sql: `${name} ${is} ?`, values: [wanted] }
    case '!=':
      // IS NOT, because a null is not equal to the value.
      return { sql: `${name} IS NOT ?`, values: [wanted] }
    case 'prefix': {
      if (type !== 'text')
        throw new ViewQueryError(`${column} holds numbers; prefix asks for the beginning of a text`)
      const end = successor(String(wanted))
      return end === undefined
        ? { sql: `${name} >= ?`, values: [wanted] }
        : { sql: `${name} >= ? AND ${name} < ?`, values: [wanted, end] }
    }
    default:
      throw new ViewQueryError(
        `there is no comparison ${String(is)}; there are =, !=, <, <=, >, >=, prefix and in`,
      )
  }
}

/**
 * Returns the first text behind all that start with `prefix`; undefined if there is none. SQLite compares text by its
 * UTF-8 bytes, which is the order of code points (not of JavaScript's UTF-16 units). So the last code point that has a
 * successor is replaced by it, and the rest is cut off. Surrogates are skipped: no text holds them.
 */
export const successor = (prefix: string): string | undefined => {
  const points = [...prefix].map((character) => character.codePointAt(0) as number)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

const known = (shape: StoredShape, column: string): string => {
  if (Object.hasOwn(shape.columns, column)) return column
  throw new ViewQueryError(
    `view ${shape.name} has no column ${column}; it has ${Object.keys(shape.columns).join(', ')}`,
  )
}

const scalar = (shape: StoredShape, column: string): 'text' | 'integer' | 'real' => {
  const type = shape.columns[known(shape, column)]
  if (type === 'text' || type === 'integer' || type === 'real') return type
  throw new ViewQueryError(`${column} holds JSON; the only question to it is whether it is null`)
}

const numeric = (shape: StoredShape, column: string): void => {
  if (scalar(shape, column) === 'text')
    throw new ViewQueryError(`${column} holds text; it cannot be added up`)
}

const textOf = (column: string, value: string | number): string => {
  const text = String(value)
  if (!text.isWellFormed()) throw new ViewQueryError(`${column} is compared with broken Unicode`)
  return text
}

/** Converts text, too: conditions are typed on command lines and in addresses. */
const numberOf = (column: string, value: string | number): number => {
  const number = typeof value === 'number' || value.trim() !== '' ? Number(value) : Number.NaN
  if (Number.isNaN(number))
    throw new ViewQueryError(`${column} holds numbers; ${JSON.stringify(value)} is none`)
  return number
}

const whole = (name: string, value: number): number => {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new ViewQueryError(`${name} must be a whole number from 0, got ${value}`)
}
