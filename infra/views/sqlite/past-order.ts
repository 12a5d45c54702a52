import type { DatabaseSync } from 'node:sqlite'
import type { Row, Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import { query } from '../../sqlite/query.ts'
import type { Ids } from './ids.ts'
import { block, blocksOf, closed, entriesOf, least, since, until } from './past-tables.ts'
import { compareTuples, type Tuple } from './past-tuple.ts'
import { list, quoted } from './shape.ts'

/*
 * An order in which the past has pages, as a multiversion B-tree has its leaves. An entry says from when until when a row had a place
 * in the order. Entries lie in blocks: a block holds a part of the order for some time, and of each moment of that time enough entries
 * that were in force. One that is too full is closed: those that are in force are copied into a new block, or into several; of
 * two in which few are, they are copied into one. So a page of any moment reads few blocks, whatever came before and behind it.
 */

/** Most entries of a block; what one transaction adds may be more. */
export const defaultBlockEntries = 2048
/** A new block has at least so many that are in force, where there are. */
const partOf = (blockEntries: number): number => Math.ceil((blockEntries * 3) / 16)
/** Fewer in force are put together with those of a neighbour. */
const leastOf = (blockEntries: number): number => Math.ceil(blockEntries / 32)

interface Block {
  readonly id: number
  /** The first place that may be in it; it ends where the next block begins. */
  readonly lower: Tuple
  /** Undefined until the block is first changed. */
  counts: { entries: number; alive: number } | undefined
}

/** One order of a view's past, while it is folded. */
export interface PastOrder {
  /** Of two rows with one key. */
  isSamePlace(one: Row, other: Row): boolean
  begin(row: Row, from: number): void
  /** Of an entry that was written. */
  end(row: Row, to: number): void
  /** Of an entry that begins and ends in this transaction. */
  add(row: Row, from: number, to: number): void
  /** To be called once a transaction, with its last position. */
  flush(position: number): void
}

interface OrderOptions {
  readonly columns: readonly string[]
  /** Of `pastOrders`. */
  readonly number: number
  /** Of a block. */
  readonly maxEntries: number
}

/** `ids`: where the shape names columns of ids, of which places hold numbers. */
export const createPastOrder = (
  db: DatabaseSync,
  { name, key, ids: idColumns = [] }: ViewShape,
  generation: number,
  { columns, number, maxEntries }: OrderOptions,
  ids?: Ids,
): PastOrder => {
  const partEntries = partOf(maxEntries)
  const minAlive = leastOf(maxEntries)
  const blocks = blocksOf(name, generation, number)
  const entries = entriesOf(name, generation, number)
  const places = columns.map(() => '?').join(', ')
  const isAt = columns.map((column) => `${quoted(column)} = ?`).join(' AND ')
  const insert = db.prepare(`INSERT INTO ${entries} VALUES (?, ${places}, ?, ?)`)
  const finish = db.prepare(
    `UPDATE ${entries} SET ${until} = ? WHERE ${block} = ? AND ${isAt} AND ${until} IS NULL`,
  )
  const count = query<[entries: number, alive: number]>(
    db,
    `SELECT COUNT(*), COUNT(*) FILTER (WHERE ${until} IS NULL) FROM ${entries} WHERE ${block} = ?`,
  )
  const openBlock = db.prepare(`INSERT INTO ${blocks} VALUES (NULL, ?, NULL, ${places})`)
  const closeBlock = db.prepare(`UPDATE ${blocks} SET ${closed} = ? WHERE ${block} = ?`)
  const inForce = `FROM ${entries} WHERE ${block} IN (?, ?) AND ${until} IS NULL`
  const bounds = query<Value[]>(
    db,
    `SELECT ${list(columns)} FROM
       (SELECT ${list(columns)}, ROW_NUMBER() OVER (ORDER BY ${list(columns)}) - 1 AS "@n" ${inForce})
     WHERE "@n" > 0 AND "@n" % ? = 0`,
  )
  const copy = db.prepare(
    `INSERT INTO ${entries} SELECT ?, ${list(columns)}, ${since}, NULL ${inForce} AND (${list(columns)}) >= (${places})`,
  )
  const copyPart = db.prepare(
    `INSERT INTO ${entries} SELECT ?, ${list(columns)}, ${since}, NULL ${inForce} AND (${list(columns)}) >= (${places}) AND (${list(columns)}) < (${places})`,
  )

  /** The open ones, in their order. */
  const open: Block[] = query<Value[]>(
    db,
    `SELECT ${block}, ${list(columns)} FROM ${blocks} WHERE ${closed} IS NULL ORDER BY ${list(columns)}`,
  )
    .all()
    .map(([id, ...lower]) => ({ id: Number(id), lower, counts: undefined }))
  let touched = new Set<Block>()

  /** The last block that does not begin behind a place. */
  const indexAt = (place: Tuple): number => {
    let low = 0
    let high = open.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (compareTuples((open[middle] as Block).lower, place) <= 0) low = middle
      else high = middle
    }
    return low
  }

  const countsOf = (at: Block): { entries: number; alive: number } => {
    const [entries, alive] = at.counts ? [] : (count.get(at.id) ?? [])
    at.counts ??= { entries: entries ?? 0, alive: alive ?? 0 }
    touched.add(at)
    return at.counts
  }

  const areIds = columns.map((column) => idColumns.includes(column))
  const placeOf = (row: Row): Tuple =>
    columns.map((column, i) => {
      const value = row[column] as Value
      if (value === null) return least
      return ids && areIds[i] ? ids.numberOf(value as string) : value
    })
  const ownColumns = columns.filter((column) => !key.includes(column))

  const write = (row: Row, from: number, to: number | null): void => {
    const place = placeOf(row)
    const at = open[indexAt(place)] as Block
    const counts = countsOf(at)
    insert.run(at.id, ...place, from, to)
    counts.entries++
    if (to === null) counts.alive++
  }

  /** Puts new blocks in the place of one or two that stand side by side. */
  const renew = (index: number, length: number, position: number): void => {
    const old = open.slice(index, index + length)
    const [one, other] = [(old[0] as Block).id, (old.at(-1) as Block).id]
    const alive = old.reduce((sum, each) => sum + countsOf(each).alive, 0)
    const parts = Math.max(1, Math.floor(alive / partEntries))
    const size = Math.ceil(alive / parts)
    const lowers = [(old[0] as Block).lower, ...(parts > 1 ? bounds.all(one, other, size) : [])]
    const made = lowers.map((lower, i): Block => {
      const id = Number(openBlock.run(position + 1, ...lower).lastInsertRowid)
      const end = lowers[i + 1]
      const { changes } = end
        ? copyPart.run(id, one, other, ...lower, ...end)
        : copy.run(id, one, other, ...lower)
      return { id, lower, counts: { entries: Number(changes), alive: Number(changes) } }
    })
    for (const { id } of old) closeBlock.run(position + 1, id)
    open.splice(index, length, ...made)
  }

  return {
    isSamePlace: (one, other) => {
      for (const column of ownColumns) if (one[column] !== other[column]) return false
      return true
    },
    begin: (row, from) => write(row, from, null),
    end: (row, to) => {
      const place = placeOf(row)
      const at = open[indexAt(place)] as Block
      const counts = countsOf(at)
      finish.run(to, at.id, ...place)
      counts.alive--
    },
    add: write,
    flush: (position) => {
      for (const each of touched) {
        const { entries, alive } = countsOf(each)
        const isSparse = alive < minAlive && open.length > 1
        if (!isSparse && entries <= maxEntries) continue
        const index = open.indexOf(each)
        // It was put together with its neighbour.
        if (index < 0) continue
        if (isSparse) renew(Math.max(0, index - 1), 2, position)
        else renew(index, 1, position)
      }
      touched = new Set()
    },
  }
}
