import type { DatabaseSync } from 'node:sqlite'
import type { Row, Value, ViewShape } from '../../../../src/domain/kernel/view.ts'
import { query } from '../../../sqlite/query.ts'
import type { Ids } from '../ids.ts'
import { list } from '../shape.ts'
import { leaves, maxBlockEntries, placesAt, recordOf, recordsOf } from './block-records.ts'
import { compareTuples, type Tuple } from './place.ts'
import {
  alive,
  block,
  blocksOf,
  changes,
  closed,
  entries,
  entriesOf,
  isNumberedIn,
  least,
  n,
} from './tables.ts'

/*
 * An order in which history has pages, with blocks like the leaves of a multiversion B-tree. A block holds a part of
 * the order for some time: the places of rows in it, and their changes (past-block.ts). A block with too many changes
 * is closed: the places in force are copied into one or several new ones. Two blocks with few places are merged. So a
 * page of any moment reads few blocks, whatever happened before and after it. All changes of a transaction to a block
 * are one record.
 */

/** Most changes of a block; what one event adds may be more. */
export const defaultBlockEntries = 1024
/** Fewest places of a new block, if there are as many. */
const partOf = (blockEntries: number): number => Math.ceil(blockEntries / 8)
/** A block with fewer is merged with its neighbour. */
const leastOf = (blockEntries: number): number => Math.ceil(blockEntries / 32)

interface Block {
  readonly id: number
  /** The first place that may be in it; it ends where the next block begins. */
  readonly lower: Tuple
  /** Undefined until the block is first changed. */
  size: Size | undefined
  /** Not written to the file yet. */
  pending: Value[]
}

interface Size {
  records: number
  /** Changes. */
  entries: number
  /** Places in force. */
  alive: number
}

/** One order of a view's history, while it is folded. */
export interface PastOrder {
  /** Replaces a row from an event on; undefined: no row. Positions do not fall. */
  change(before: Row | undefined, after: Row | undefined, position: number): void
  /** Must be called once per transaction. */
  flush(): void
}

interface OrderOptions {
  readonly columns: readonly string[]
  /** Index in `pastOrders`. */
  readonly number: number
  readonly blockEntries: number
}

/** `ids`: for a shape that names columns of ids, whose places hold numbers. */
export const createPastOrder = (
  db: DatabaseSync,
  shape: ViewShape,
  generation: number,
  options: OrderOptions,
  ids?: Ids,
): PastOrder => {
  const maxEntries = Math.min(options.blockEntries, maxBlockEntries)
  const partEntries = partOf(maxEntries)
  const minAlive = leastOf(maxEntries)
  const { placeOf, isSamePlace } = createPlaces(shape, options.columns, ids)
  const { open, sizeOf, write, placesIn, begin, close } = createBlockTables(db, shape, generation, options)
  let touched = new Set<Block>()
  /** Blocks with too many changes or too few places. */
  let unfit = new Set<Block>()
  /** Position of the last change. */
  let last = -1

  const note = (at: Block, change: number, place: Tuple, more: number): void => {
    const size = sizeOf(at)
    at.pending.push(change, ...place)
    size.entries++
    size.alive += more
    touched.add(at)
    if (size.entries > maxEntries || (size.alive < minAlive && open.length > 1)) unfit.add(at)
  }

  /** Replaces one block, or two adjacent ones, with new blocks. */
  const renew = (index: number, length: number): void => {
    const old = open.slice(index, index + length)
    for (const each of old) write(each)
    const places = old.flatMap((each) => [...placesIn(each)]).sort(compareTuples)
    const size = Math.ceil(places.length / Math.max(1, Math.floor(places.length / partEntries)))
    const made = Array.from({ length: size === 0 ? 1 : Math.ceil(places.length / size) }, (_, i): Block => {
      const own = places.slice(i * size, (i + 1) * size)
      return begin(i === 0 ? (old[0] as Block).lower : (own[0] as Tuple), own, last + 1)
    })
    for (const each of old) close(each, last + 1)
    for (const each of made) touched.add(each)
    open.splice(index, length, ...made)
  }

  /** Renews the blocks of `unfit`. All changes at `last` must be in. */
  const renewUnfit = (): void => {
    const these = unfit
    unfit = new Set()
    for (const each of these) {
      const index = indexAt(open, each.lower)
      // It was merged with its neighbour.
      if (open[index] !== each) continue
      const isSparse = sizeOf(each).alive < minAlive && open.length > 1
      if (isSparse) renew(Math.max(0, index - 1), 2)
      else if (sizeOf(each).entries > maxEntries) renew(index, 1)
    }
  }

  return {
    change: (before, after, position) => {
      if (before && after && isSamePlace(before, after)) return
      if (position !== last) {
        if (unfit.size > 0) renewUnfit()
        last = position
      }
      const [was, is] = [before && placeOf(before), after && placeOf(after)]
      const [out, into] = [was && open[indexAt(open, was)], is && open[indexAt(open, is)]]
      if (out && was && out !== into) note(out, leaves(position), was, -1)
      if (into && is) note(into, position, is, out === into ? 0 : 1)
    },
    flush: () => {
      if (unfit.size > 0) renewUnfit()
      for (const each of touched) write(each)
      touched = new Set()
    },
  }
}

/** Returns the index of the last block that does not begin behind a place. */
const indexAt = (open: readonly Block[], place: Tuple): number => {
  let low = 0
  let high = open.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (compareTuples((open[middle] as Block).lower, place) <= 0) low = middle
    else high = middle
  }
  return low
}

/** Computes the places of rows in an order. */
const createPlaces = (shape: ViewShape, columns: readonly string[], ids: Ids | undefined) => {
  const ownColumns = columns.filter((column) => !shape.key.includes(column))
  const areIds = columns.map((column) => isNumberedIn(columns, column, shape))
  return {
    placeOf: (row: Row): Tuple =>
      columns.map((column, i) => {
        const value = row[column] as Value
        if (value === null) return least
        return ids && areIds[i] ? ids.numberOf(value as string) : value
      }),
    /** Compares two versions of one row. */
    isSamePlace: (one: Row, other: Row): boolean => {
      for (const column of ownColumns) if (one[column] !== other[column]) return false
      return true
    },
  }
}

/** The blocks of an order in the file. */
const createBlockTables = (
  db: DatabaseSync,
  { name, key }: ViewShape,
  generation: number,
  { columns, number }: OrderOptions,
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
  const openBlock = db.prepare(
    `INSERT INTO ${blocks} VALUES (NULL, ?, NULL, ${columns.map(() => '?').join(', ')})`,
  )
  const closeBlock = db.prepare(`UPDATE ${blocks} SET ${closed} = ? WHERE ${block} = ?`)
  const open: Block[] = query<Value[]>(
    db,
    `SELECT ${block}, ${list(columns)} FROM ${blocks} WHERE ${closed} IS NULL ORDER BY ${list(columns)}`,
  )
    .all()
    .map(([id, ...lower]) => ({ id: Number(id), lower, size: undefined, pending: [] }))

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
    placesIn: (at: Block): Iterable<Tuple> => {
      const records = recordsIn.all(...recordsOf(at.id)).map(([changes]) => changes)
      return placesAt(records, columns.length, keyAt, Number.POSITIVE_INFINITY)
    },
    /** Creates a block with these places pending. */
    begin: (lower: Tuple, places: readonly Tuple[], position: number): Block => ({
      id: Number(openBlock.run(position, ...lower).lastInsertRowid),
      lower,
      pending: places.flatMap((place) => [0, ...place]),
      size: { records: 0, entries: places.length, alive: places.length },
    }),
    close: ({ id }: Block, position: number): void => {
      closeBlock.run(position, id)
    },
  }
}
