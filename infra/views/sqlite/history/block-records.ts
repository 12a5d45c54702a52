import type { Value } from '../../../../src/domain/kernel/view.ts'
import { identify } from '../row-cache.ts'
import type { Place } from './place.ts'
import { least } from './tables.ts'

/*
 * The content of a block of an order: records of changes in the order of time, each one flat list in JSON. A change is
 * the position of its event and the place that a row has from there on; -1 minus the position: the row left the block.
 * A null is `least`.
 */

/** Numbers of a block's records start at the block's own number times this. */
const recordsOfBlock = 4096
/** A block is renewed when it has more changes than this at most, and a record has at least one. */
export const maxBlockEntries = recordsOfBlock - 1

export const recordOf = (block: number, index: number): number => block * recordsOfBlock + index
export const recordsOf = (block: number): readonly [first: number, last: number] => [
  recordOf(block, 0),
  recordOf(block, maxBlockEntries),
]

export const leaves = (position: number): number => -1 - position

/** Returns the places at a position, in no order. `keyAt`: indexes of the key's columns in a place. */
export const placesAt = (
  records: Iterable<string>,
  columns: number,
  keyAt: readonly number[],
  position: number,
): Iterable<Place> => {
  const places = new Map<Value, Place>()
  for (const record of records) {
    const changes = JSON.parse(record) as Value[]
    for (let i = 0; i < changes.length; i += columns + 1) {
      const at = changes[i] as number
      if ((at < 0 ? leaves(at) : at) > position) return places.values()
      const place: Value[] = []
      for (let column = 1; column <= columns; column++) place.push(changes[i + column] ?? least)
      const id = identify(keyAt.map((column) => place[column] as Value))
      if (at < 0) places.delete(id)
      else places.set(id, place)
    }
  }
  return places.values()
}
