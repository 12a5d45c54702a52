import {
  type Condition,
  type Tally,
  type Value,
  type ViewQuery,
  ViewQueryError,
  type ViewShape,
} from '../../../src/domain/kernel/view.ts'
import { list, quoted, tableOf } from './shape.ts'

/** SQL with a `?` for every value; `columns` names what its rows hold, in order. */
export interface SqlQuery {
  readonly sql: string
  readonly values: readonly Value[]
  readonly columns: readonly string[]
}

export const querySql = (shape: ViewShape, generation: number, query: ViewQuery): SqlQuery => {
  const columns = Object.keys(shape.columns)
  const { sql, values } = whereSql(shape, query.where)
  const order = orderSql(shape, query.orderBy)
  const { limit, offset } = query
  // SQLite takes an offset only behind a limit: -1 is none.
  const pages =
    limit === undefined && offset === undefined
      ? []
      : [limit === undefined ? -1 : whole('limit', limit), whole('offset', offset ?? 0)]
  return {
    sql: `SELECT ${list(columns)} FROM ${tableOf(shape.name, generation)}${sql} ORDER BY ${order}${pages.length > 0 ? ' LIMIT ? OFFSET ?' : ''}`,
    values: [...values, ...pages],
    columns,
  }
}

export const tallySql = (shape: ViewShape, generation: number, tally: Tally): SqlQuery => {
  const sums = tally.sum ?? []
  for (const name of tally.by) scalar(shape, name)
  for (const name of sums) numeric(shape, name)
  const columns = [...tally.by, 'count', ...sums]
  const twice = columns.find((name, i) => columns.indexOf(name) !== i)
  if (twice !== undefined)
    throw new ViewQueryError(`the tally would have two columns called ${twice}; leave one out`)
  const { sql, values } = whereSql(shape, tally.where)
  // TOTAL, unlike SUM, gives 0 for no numbers and cannot overflow.
  const results = [...tally.by.map(quoted), 'COUNT(*)', ...sums.map((name) => `TOTAL(${quoted(name)})`)]
  const grouped = tally.by.length > 0 ? ` GROUP BY ${list(tally.by)} ORDER BY ${list(tally.by)}` : ''
  return {
    sql: `SELECT ${results.join(', ')} FROM ${tableOf(shape.name, generation)}${sql}${grouped}`,
    values,
    columns,
  }
}

/** The key comes last, so that the order is total and pages neither repeat nor miss rows. */
const orderSql = (shape: ViewShape, orderBy: ViewQuery['orderBy'] = []): string => {
  for (const { column } of orderBy) scalar(shape, column)
  // In the direction of the column before it: an index on that column has this order.
  const descending = orderBy.at(-1)?.descending ?? false
  const named = new Set(orderBy.map(({ column }) => column))
  const key = shape.key.filter((column) => !named.has(column)).map((column) => ({ column, descending }))
  return [...orderBy, ...key]
    .map(({ column, descending }) => quoted(column) + (descending ? ' DESC' : ''))
    .join(', ')
}

interface Fragment {
  readonly sql: string
  readonly values: readonly Value[]
}

const whereSql = (shape: ViewShape, where: readonly Condition[] = []): Fragment => {
  if (where.length === 0) return { sql: '', values: [] }
  const parts = where.map((condition) => conditionSql(shape, condition))
  return {
    sql: ` WHERE ${parts.map((part) => part.sql).join(' AND ')}`,
    values: parts.flatMap((part) => part.values),
  }
}

const conditionSql = (shape: ViewShape, condition: Condition): Fragment => {
  const { column } = condition
  const name = quoted(known(shape, column))
  if (condition.is === 'in') {
    const read = scalar(shape, column) === 'text' ? textOf : numberOf
    const values = condition.value.map((value) => read(column, value))
    // As one parameter, so that the statement is the same for any number of values.
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
 * The first text behind all that start with `prefix`; undefined where there is none. SQLite compares text by its UTF-8
 * bytes, which is the order of code points (not of JavaScript's UTF-16 units). So the last code point that has a successor
 * is replaced by it, and what follows is cut off. Surrogates are left out: no text holds them.
 */
export const successor = (prefix: string): string | undefined => {
  const points = [...prefix].map((character) => character.codePointAt(0) as number)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

const known = (shape: ViewShape, column: string): string => {
  if (Object.hasOwn(shape.columns, column)) return column
  throw new ViewQueryError(
    `view ${shape.name} has no column ${column}; it has ${Object.keys(shape.columns).join(', ')}`,
  )
}

const scalar = (shape: ViewShape, column: string): 'text' | 'integer' | 'real' => {
  const type = shape.columns[known(shape, column)]
  if (type === 'text' || type === 'integer' || type === 'real') return type
  throw new ViewQueryError(`${column} holds JSON; the only question to it is whether it is null`)
}

const numeric = (shape: ViewShape, column: string): void => {
  if (scalar(shape, column) === 'text')
    throw new ViewQueryError(`${column} holds text; it cannot be added up`)
}

const textOf = (column: string, value: string | number): string => {
  const text = String(value)
  if (!text.isWellFormed()) throw new ViewQueryError(`${column} is compared with broken Unicode`)
  return text
}

/** Numbers may come as text: conditions are typed on command lines and in addresses. */
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
