import { isLeft } from 'fp-ts/lib/Either.js'
import { parseEventEntry } from '../../domain/kernel/proof/event-leaf.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { eventAt } from './find-place.ts'
import { entryReader, type TileFiles } from './open-tree.ts'

/** Leaves beside one whose event the log does not show that are tried in its place. */
const maxTries = 32n

/**
 * The leaf that an event at a position of the log probably is, by halving: entries stand in the order of the log, and name the place
 * of their event. Undefined where the log shows too few of the events that it needs. Whoever asks compares the entry.
 */
export const seekLeaf = async (
  eventStore: Pick<EventStore, 'read' | 'head'>,
  files: TileFiles,
  size: bigint,
  position: bigint,
): Promise<bigint | undefined> => {
  const entry = entryReader(files, size)
  const positionOf = async (index: bigint): Promise<bigint | undefined> => {
    const leaf = parseEventEntry(await entry(index))
    return isLeft(leaf) ? undefined : (await eventAt(eventStore, leaf.right))?.position
  }
  // Leaf `low` is not behind the event; leaf `high` is, if the tree has it.
  let [low, high] = [0n, size]
  while (high - low > 1n) {
    const middle = low + (high - low) / 2n
    let [index, found] = [middle, await positionOf(middle)]
    while (found === undefined && index + 1n < high && index - middle < maxTries) {
      index++
      found = await positionOf(index)
    }
    if (found === undefined && index + 1n < high) return undefined
    if (found !== undefined && found <= position) low = index
    else high = middle
  }
  return low < size ? low : undefined
}
