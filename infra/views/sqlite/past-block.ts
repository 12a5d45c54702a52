import type { Value } from '../../../src/domain/kernel/view.ts'
import { least } from './past-tables.ts'
import type { Tuple } from './past-tuple.ts'
import { identify } from './row-cache.ts'

/*
 * What a block of an order holds: records with changes, in the order of time, as one flat list in JSON. A change is the position of
 * its event, and the place that a row has from there on; -1 minus the position says that the row left the block. A null is `least`.
 */

/** Numbers of a block's records are its own number times this, and so on. */
const recordsOfBlock = 4096
/** A block is renewed when it has more changes than these at most, and a record has one at least. */
export const maxBlockEntries = recordsOfBlock - 1

export const recordOf = (block: number, index: number): number => block * recordsOfBlock + index
export const recordsOf = (block: number): readonly [first: number, last: number] => [
  recordOf(block, 0),
  recordOf(block, maxBlockEntries),
]

export const leaves = (position: number): number => -1 - position

/** The places at a position, in no order. `keyAt`: which columns of a place are the key. */
export const placesAt = (
  records: Iterable<string>,
  columns: number,
  keyAt: readonly number[],
  position: number,
): Iterable<Tuple> => {
  const places = new Map<Value, Tuple>()
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
