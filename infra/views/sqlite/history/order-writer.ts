import type { DatabaseSync } from 'node:sqlite'
import type { Row, Value } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import type { Ids } from '../ids.ts'
import { leaves, maxBlockEntries } from './block-records.ts'
import { type Block, createBlockTables, type Order } from './block-tables.ts'
import { comparePlaces, type Place } from './place.ts'
import { isNumberedIn, least } from './tables.ts'

/*
 * An order in which history has pages, with blocks like the leaves of a multiversion B-tree. A block holds a part of
 * the order for some time: the places of rows in it, and their changes (block-records.ts). A block with too many changes
 * is closed: the places in force are copied into one or several new ones. A full one to which rows were only added stays
 * open if the next row comes behind all of its own: a new block begins there, so that rows in order are written once. Two
 * blocks with few places are merged. So a page of any moment reads few blocks, whatever happened before and after it.
 * All changes of a transaction to a block are one record.
 */

/** Most changes of a block; what one event adds may be more. */
export const defaultBlockEntries = 1024
/** Fewest places of a new block, if there are as many. */
const partOf = (blockEntries: number): number => Math.ceil(blockEntries / 8)
/** A block with fewer is merged with its neighbour. */
const leastOf = (blockEntries: number): number => Math.ceil(blockEntries / 32)

/** One order of a view's history, while it is folded. */
export interface OrderWriter {
  /** Replaces a row from an event on; undefined: no row. Positions do not fall. */
  change(before: Row | undefined, after: Row | undefined, position: number): void
  /** Must be called once per transaction. */
  flush(): void
}

/** `ids`: for a shape that names columns of ids, whose places hold numbers. */
export const createOrderWriter = (
  db: DatabaseSync,
  shape: StoredShape,
  generation: number,
  options: Order & { readonly blockEntries: number },
  ids?: Ids,
): OrderWriter => {
  const maxEntries = Math.min(options.blockEntries, maxBlockEntries)
  const partEntries = partOf(maxEntries)
  const minAlive = leastOf(maxEntries)
  const { placeOf, isSamePlace } = createPlaces(shape, options.columns, ids)
  const { open, sizeOf, write, placesIn, begin, close } = createBlockTables(db, shape, generation, options)
  let touched = new Set<Block>()
  /** Blocks with too many changes or too few places. */
  let unbalanced = new Set<Block>()
  /** Position of the last change. */
  let last = -1

  const note = (at: Block, change: number, place: Place, more: number): void => {
    const size = sizeOf(at)
    at.pending.push(change, ...place)
    size.entries++
    size.alive += more
    if (at.top && change >= 0 && comparePlaces(at.top, place) < 0) at.top = place
    touched.add(at)
    // A block that begins behind a full one has few places at first, and gets more.
    if (size.entries > maxEntries || (size.alive < minAlive && size.alive < size.entries && open.length > 1))
      unbalanced.add(at)
  }

  /** Returns the block that a place comes to: a new one behind a full one to which rows were only added. */
  const blockFor = (place: Place): Block => {
    const index = indexAt(open, place)
    const at = open[index] as Block
    const { entries, alive } = sizeOf(at)
    const mayStay = entries >= maxEntries && alive === entries
    if (!mayStay || !at.top || comparePlaces(at.top, place) >= 0) return at
    const next = begin(place, [], last)
    open.splice(index + 1, 0, next)
    return next
  }

  /** Replaces one block, or two adjacent ones, with new blocks. */
  const renew = (index: number, length: number): void => {
    const old = open.slice(index, index + length)
    for (const each of old) write(each)
    const places = old.flatMap((each) => [...placesIn(each)]).sort(comparePlaces)
    const size = Math.ceil(places.length / Math.max(1, Math.floor(places.length / partEntries)))
    const made = Array.from({ length: size === 0 ? 1 : Math.ceil(places.length / size) }, (_, i): Block => {
      const own = places.slice(i * size, (i + 1) * size)
      return begin(i === 0 ? (old[0] as Block).lower : (own[0] as Place), own, last + 1)
    })
    for (const each of old) close(each, last + 1)
    for (const each of made) touched.add(each)
    open.splice(index, length, ...made)
  }

  /** Renews the blocks of `unbalanced`. All changes at `last` must be in. */
  const renewUnbalanced = (): void => {
    const these = unbalanced
    unbalanced = new Set()
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
        if (unbalanced.size > 0) renewUnbalanced()
        last = position
      }
      const [was, is] = [before && placeOf(before), after && placeOf(after)]
      const [out, into] = [was && open[indexAt(open, was)], is && blockFor(is)]
      if (out && was && out !== into) note(out, leaves(position), was, -1)
      if (into && is) note(into, position, is, out === into ? 0 : 1)
    },
    flush: () => {
      if (unbalanced.size > 0) renewUnbalanced()
      for (const each of touched) write(each)
      touched = new Set()
    },
  }
}

/** Returns the index of the last block that does not begin behind a place. */
const indexAt = (open: readonly Block[], place: Place): number => {
  let low = 0
  let high = open.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (comparePlaces((open[middle] as Block).lower, place) <= 0) low = middle
    else high = middle
  }
  return low
}

/** Computes the places of rows in an order. */
const createPlaces = (shape: StoredShape, columns: readonly string[], ids: Ids | undefined) => {
  const ownColumns = columns.filter((column) => !shape.key.includes(column))
  const areIds = columns.map((column) => isNumberedIn(columns, column, shape))
  return {
    placeOf: (row: Row): Place =>
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
