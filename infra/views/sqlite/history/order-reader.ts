import type { Value, ViewQuery } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { list, marks, quoted } from '../shape.ts'
import type { Statements } from '../statements.ts'
import type { Part } from './access-path.ts'
import { placesAt, recordsOf } from './block-records.ts'
import { conditionOf } from './conditions.ts'
import { comparePlaces, type Place } from './place.ts'
import {
  block,
  blocksOf,
  changes,
  closed,
  entriesOf,
  historyOrders,
  least,
  n,
  opened,
  since,
} from './tables.ts'
import type { RowsAsOf } from './version-sql.ts'

/** Returns the keys of the rows of a page at a position, in its order. */
export function* keysOfPage(
  statements: Statements,
  shape: StoredShape,
  asOf: RowsAsOf,
  part: Part,
  { where = [], limit = Number.POSITIVE_INFINITY, offset = 0 }: ViewQuery,
): Iterable<readonly Value[]> {
  const { generation, position } = asOf
  const columns = historyOrders(shape)[part.order] ?? []
  const keyAt = shape.key.map((name) => columns.indexOf(name))
  const conditions = where.map((condition) => ({
    at: columns.indexOf(condition.column),
    isTrue: conditionOf(shape, condition),
  }))
  const isAsked = (place: Place) =>
    conditions.every(({ at, isTrue }) => isTrue(place[at] === least ? null : (place[at] as Value)))
  const records = statements(
    `SELECT ${changes} FROM ${entriesOf(shape.name, generation, part.order)}
     WHERE ${n} BETWEEN ? AND ? AND ${since} <= ? ORDER BY ${n}`,
  )
  let left = limit
  let toSkip = offset
  for (const id of blocksAt(statements, shape, asOf, part, columns)) {
    if (left <= 0) return
    const texts = records.all(...recordsOf(Number(id)), position).map(([text]) => String(text))
    const found = [...placesAt(texts, columns.length, keyAt, position)].filter(isAsked)
    if (found.length <= toSkip) {
      toSkip -= found.length
      continue
    }
    found.sort(comparePlaces)
    if (part.descending) found.reverse()
    const page = found.slice(toSkip, toSkip + left)
    toSkip = 0
    left -= page.length
    for (const place of page) yield keyAt.map((at) => place[at] as Value)
  }
}

/** Returns the blocks of a moment that a part of the order lies in, in its direction. */
function* blocksAt(
  statements: Statements,
  { name }: StoredShape,
  { generation, position }: RowsAsOf,
  { order, descending, low, high }: Part,
  columns: readonly string[],
): Iterable<Value> {
  const table = blocksOf(name, generation, order)
  const atMoment = `${opened} <= ? AND IFNULL(${closed} > ?, 1)`
  const first = (values: readonly Value[]) => list(columns.slice(0, values.length))
  const moment = [position, position]
  // Entries at the low end may be in the block that begins before it.
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
