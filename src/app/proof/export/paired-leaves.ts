import { isRight } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import {
  type EventLeaf,
  eventEntry,
  leafText,
  parseEventEntry,
} from '../../../domain/kernel/proof/event-leaf.ts'
import { isLeaf, leafOf } from '../../../domain/kernel/proof/leaf-of.ts'
import type { StoredEvent } from '../../../domain/kernel/stored-event.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import { placeOf } from '../check/differences.ts'
import { createDeletions, type WhyDeleted } from '../removals.ts'

export interface PairedLeaf {
  readonly index: bigint
  readonly entry: Uint8Array
  /** Undefined for an entry that is no event. */
  readonly leaf: EventLeaf | undefined
  /** The event as the log holds it; undefined where it does not hold it any more. */
  readonly event: StoredEvent | undefined
  /** Where it does not: why. */
  readonly why?: WhyDeleted
}

/** The log holds a sealed event otherwise than the tree, or one between sealed ones that the tree does not have. */
export class NotAsSealed extends Error {
  override readonly name = 'NotAsSealed'
}

type LogReader = Pick<EventStore, 'readStored' | 'readAll' | 'read' | 'metadata'>

const pageSize = 1000

/**
 * The leaves of a tree in their order, each with its event of the log. Memory does not grow with the log. Throws
 * `NotAsSealed`, `UnavailableError`.
 */
export async function* pairedLeaves(
  eventStore: LogReader,
  entryAt: (index: bigint) => Promise<Uint8Array>,
  size: bigint,
): AsyncGenerator<PairedLeaf> {
  const events = eventsToSeal(eventStore)
  const { whyDeleted } = createDeletions(eventStore)
  let next = await events.next()
  /** Keys of the leaves without an event since the last that has one. */
  let alone = new Set<string>()
  for (let index = 0n; index < size; index++) {
    const entry = await entryAt(index)
    const leaf = leafIn(entry)
    if (leaf === undefined || next.done || keyOfLeaf(leaf) !== keyOfEvent(next.value)) {
      const why = leaf && (await whyDeleted(leaf))
      if (leaf && !why)
        throw new NotAsSealed(`${placeOf(leaf)} was sealed as leaf ${index}, and is not in the log`)
      if (leaf && alone.size < pageSize) alone.add(keyOfLeaf(leaf))
      yield { index, entry, leaf, event: undefined, ...(why && { why }) }
      continue
    }
    const event = next.value
    if (eventEntry(leafOf(event, leaf.previous)) !== Buffer.from(entry).toString())
      throw new NotAsSealed(`${placeOf(event)} is not as leaf ${index} of the tree has it`)
    alone = new Set()
    yield { index, entry, leaf, event }
    next = await events.next()
  }
  // Events behind the tree wait to be sealed. One between its events kept those behind it from being paired.
  const first = next.done ? undefined : next.value
  for (let left = pageSize; left > 0 && alone.size > 0 && !next.done; left--) {
    if (alone.has(keyOfEvent(next.value)))
      throw new NotAsSealed(`${placeOf(first!)} is in the log before sealed events, and not in the tree`)
    next = await events.next()
  }
}

async function* eventsToSeal(eventStore: LogReader): AsyncGenerator<StoredEvent, undefined> {
  for (let after = -1n; ; ) {
    const batch = await orThrow(eventStore.readStored(after, {}, pageSize))
    for (const event of batch.events) if (isLeaf(event)) yield event
    if (batch.caughtUp) return undefined
    after = batch.position
  }
}

const leafIn = (entry: Uint8Array): EventLeaf | undefined => {
  const leaf = parseEventEntry(entry)
  return isRight(leaf) ? leaf.right : undefined
}

const keyOfLeaf = ({ stream, revision }: EventLeaf): string => `${revision} ${JSON.stringify(stream)}`
const keyOfEvent = ({ stream, revision }: StoredEvent): string =>
  `${revision} ${JSON.stringify(leafText(stream))}`
