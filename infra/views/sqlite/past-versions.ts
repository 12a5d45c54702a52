import type { DatabaseSync } from 'node:sqlite'
import type { Row, Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import { createStored, type Ids } from './ids.ts'
import { createPastOrder, type PastOrder } from './past-order.ts'
import { from, pastOrders, pastTableOf, to } from './past-tables.ts'
import type { Entry } from './row-cache.ts'
import { list } from './shape.ts'

/** A version of a row that has ended; without a row, the time during which it was absent. */
export interface EndedVersion {
  readonly row: Row | undefined
  readonly from: number
  readonly to: number
}

/** Writes the past of a view while it is folded. */
export interface PastVersions {
  write(entry: Entry): void
  /** To be called once a transaction, with its last position. */
  flush(position: number): void
}

export const createPastVersions = (
  db: DatabaseSync,
  shape: ViewShape,
  generation: number,
  blockEntries: number,
  ids?: Ids,
): PastVersions => {
  const past = pastTableOf(shape.name, generation)
  const columns = list(Object.keys(shape.columns))
  const values = ['?', '?', ...Object.keys(shape.columns).map(() => '?')].join(', ')
  const insert = db.prepare(`INSERT INTO ${past} (${from}, ${to}, ${columns}) VALUES (${values})`)
  const insertAbsence = db.prepare(
    `INSERT INTO ${past} (${to}, ${list(shape.key)}) VALUES (?, ${shape.key.map(() => '?').join(', ')})`,
  )
  const stored = createStored(shape, ids)
  const orders = pastOrders(shape).map((names, number) =>
    createPastOrder(db, shape, generation, { columns: names, number, maxEntries: blockEntries }, ids),
  )

  return {
    write: (entry) => {
      const { ended } = entry
      if (!ended) return
      const { row } = entry
      const key = stored.key(row ? shape.key.map((name) => row[name] as Value) : (entry.key ?? []))
      for (const { row, from, to } of ended)
        if (row === undefined) insertAbsence.run(to, ...key)
        else insert.run(from, to, ...stored.row(row))
      for (const order of orders) writePlaces(order, entry, ended)
    },
    flush: (position) => {
      for (const order of orders) order.flush(position)
    },
  }
}

/** From when until when the row had each place in an order. */
const writePlaces = (
  order: PastOrder,
  { row: last, from: lastFrom, isStored }: Entry,
  ended: readonly EndedVersion[],
): void => {
  let row = isStored ? ended[0]?.row : undefined
  let since = -1
  let isWritten = isStored
  const go = (next: Row | undefined, from: number): void => {
    if (row && next && order.isSamePlace(row, next)) return
    if (row && isWritten) order.end(row, from)
    else if (row) order.add(row, since, from)
    row = next
    since = from
    isWritten = false
  }
  for (let i = isStored ? 1 : 0; i < ended.length; i++) {
    const version = ended[i] as EndedVersion
    go(version.row, version.from)
  }
  go(last, lastFrom)
  if (row && !isWritten) order.begin(row, since)
}
