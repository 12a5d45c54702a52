import type { Value, ViewQuery, ViewShape } from '../../../src/domain/kernel/view.ts'
import type { Part } from './past-access.ts'
import type { PastRows } from './past-sql.ts'
import {
  block,
  blocksOf,
  closed,
  entriesOf,
  leastSql,
  opened,
  pastOrders,
  since,
  until,
} from './past-tables.ts'
import { type Fragment, whereSql } from './query-sql.ts'
import { list, quoted } from './shape.ts'
import type { Statements } from './statements.ts'

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/** The keys of the rows of a page at a position, in its order. */
export function* keysOfPage(
  statements: Statements,
  shape: ViewShape,
  past: PastRows,
  part: Part,
  { where, limit = Number.POSITIVE_INFINITY, offset = 0 }: ViewQuery,
): Iterable<readonly Value[]> {
  const { generation, position } = past
  const columns = pastOrders(shape)[part.order] ?? []
  const direction = part.descending ? ' DESC' : ''
  const ordered = columns.map((name) => quoted(name) + direction).join(', ')
  const { sql, values } = entrySql(shape, where)
  const inForce = `FROM ${entriesOf(shape.name, generation, part.order)}
    WHERE ${block} = ? AND ${since} <= ? AND IFNULL(${until} > ?, 1)${sql}`
  const select = statements(`SELECT ${list(shape.key)} ${inForce} ORDER BY ${ordered} LIMIT ?`)
  const count = statements(`SELECT COUNT(*) ${inForce}`)
  let left = limit
  let toSkip = offset
  for (const id of blocksAt(statements, shape, past, part, columns)) {
    if (left <= 0) return
    if (toSkip > 0) {
      const found = Number(count.get(id, position, position, ...values)?.[0])
      if (found <= toSkip) {
        toSkip -= found
        continue
      }
    }
    const most = Math.min(left + toSkip, Number.MAX_SAFE_INTEGER)
    const keys = select.all(id, position, position, ...values, most).slice(toSkip)
    toSkip = 0
    left -= keys.length
    yield* keys
  }
}

/** A null is `least` in an order: no value is compared with it. */
const entrySql = (shape: ViewShape, where: ViewQuery['where']): Fragment => {
  const { sql, values } = whereSql(shape, where)
  const notNull = (where ?? [])
    .filter(({ is }) => is === '<' || is === '<=')
    .map(({ column }) => ` AND ${quoted(column)} > ${leastSql}`)
  return { sql: sql.replace(/^ WHERE /, ' AND ') + notNull.join(''), values }
}

/** The blocks of a moment that a part of the order lies in, in its direction. */
function* blocksAt(
  statements: Statements,
  { name }: ViewShape,
  { generation, position }: PastRows,
  { order, descending, low, high }: Part,
  columns: readonly string[],
): Iterable<Value> {
  const table = blocksOf(name, generation, order)
  const atMoment = `${opened} <= ? AND IFNULL(${closed} > ?, 1)`
  const first = (values: readonly Value[]) => list(columns.slice(0, values.length))
  const moment = [position, position]
  // What is at the low end may begin in the block before.
  const before =
    low.length > 0
      ? statements(
          `SELECT ${list(columns)} FROM ${table} WHERE ${atMoment} AND (${first(low)}) < (${marks(low)})
           ORDER BY ${columns.map((column) => `${quoted(column)} DESC`).join(', ')} LIMIT 1`,
        ).get(...moment, ...low)
      : undefined
  const start = before ? ` AND (${list(columns)}) >= (${marks(columns)})` : ''
  const end = high.length > 0 ? ` AND (${first(high)}) <= (${marks(high)})` : ''
  const ordered = columns.map((column) => quoted(column) + (descending ? ' DESC' : '')).join(', ')
  const found = statements(
    `SELECT ${block} FROM ${table} WHERE ${atMoment}${start}${end} ORDER BY ${ordered}`,
  )
  for (const [id] of found.iterate(...moment, ...(before ?? []), ...high)) yield id as Value
}
