import type { DatabaseSync } from 'node:sqlite'
import type { Value } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { query } from '../../../sqlite/query.ts'
import { list, marks } from '../shape.ts'
import { leaves, placesAt, recordOf, recordsOf } from './block-records.ts'
import type { Place } from './place.ts'
import { alive, block, blocksOf, changes, closed, entries, entriesOf, n } from './tables.ts'

export interface Block {
  readonly id: number
  /** The first place that may be in it; it ends where the next block begins. */
  readonly lower: Place
  /** Undefined until the block is first changed. */
  size: Size | undefined
  /** Not written to the file yet. */
  pending: Value[]
  /** None of its places is behind this one. Undefined: unknown. */
  top: Place | undefined
}

export interface Size {
  records: number
  /** Changes. */
  entries: number
  /** Places in force. */
  alive: number
}

export interface Order {
  readonly columns: readonly string[]
  /** Index in `historyOrders`. */
  readonly number: number
}

/** The blocks of an order in the file. */
export const createBlockTables = (
  db: DatabaseSync,
  { name, key }: StoredShape,
  generation: number,
  { columns, number }: Order,
) => {
  const blocks = blocksOf(name, generation, number)
  const table = entriesOf(name, generation, number)
  const keyAt = key.map((column) => columns.indexOf(column))
  const insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?)`)
  const lastRecord = query<[n: number, entries: number, alive: number]>(
    db,
    `SELECT ${n}, ${entries}, ${alive} FROM ${table} WHERE ${n} BETWEEN ? AND ? ORDER BY ${n} DESC LIMIT 1`,
  )
  const recordsIn = query<[changes: string]>(
    db,
    `SELECT ${changes} FROM ${table} WHERE ${n} BETWEEN ? AND ? ORDER BY ${n}`,
  )
  const openBlock = db.prepare(`INSERT INTO ${blocks} VALUES (NULL, ?, NULL, ${marks(columns)})`)
  const closeBlock = db.prepare(`UPDATE ${blocks} SET ${closed} = ? WHERE ${block} = ?`)
  const open: Block[] = query<Value[]>(
    db,
    `SELECT ${block}, ${list(columns)} FROM ${blocks} WHERE ${closed} IS NULL ORDER BY ${list(columns)}`,
  )
    .all()
    .map(([id, ...lower]) => ({ id: Number(id), lower, size: undefined, pending: [], top: undefined }))

  const sizeOf = (at: Block): Size => {
    if (at.size) return at.size
    const [record, entries = 0, alive = 0] = lastRecord.get(...recordsOf(at.id)) ?? []
    const records = record === undefined ? 0 : record - recordOf(at.id, 0) + 1
    at.size = { records, entries, alive }
    return at.size
  }

  return {
    /** Open blocks, in their order. */
    open,
    sizeOf,
    /** Writes pending changes. */
    write: (at: Block): void => {
      const [first] = at.pending as number[]
      if (first === undefined) return
      const size = sizeOf(at)
      const since = first < 0 ? leaves(first) : first
      insert.run(recordOf(at.id, size.records), since, size.entries, size.alive, JSON.stringify(at.pending))
      size.records++
      at.pending = []
    },
    /** Returns the places in force, from written records. */
    placesIn: (at: Block): Iterable<Place> => {
      const records = recordsIn.all(...recordsOf(at.id)).map(([changes]) => changes)
      return placesAt(records, columns.length, keyAt, Number.POSITIVE_INFINITY)
    },
    /** Creates a block with these places pending, which are in their order. */
    begin: (lower: Place, places: readonly Place[], position: number): Block => ({
      id: Number(openBlock.run(position, ...lower).lastInsertRowid),
      lower,
      pending: places.flatMap((place) => [0, ...place]),
      size: { records: 0, entries: places.length, alive: places.length },
      top: places.at(-1) ?? lower,
    }),
    close: ({ id }: Block, position: number): void => {
      closeBlock.run(position, id)
    },
  }
}
