import { orThrow } from '../../../async/unavailable.ts'
import { decider } from '../../../domain/indexing/decide.ts'
import { postEvents, postsCategory } from '../../../domain/indexing/posts/events.ts'
import type { EventStore } from '../../../ports/event-store.ts'

/** Events that change what is in the index. */
const filter = {
  categories: [decider.category, postsCategory],
  types: ['FileIndexed', 'FileWithdrawn', ...postEvents.types],
}
const batchEvents = 10_000

/** A position up to which the log was read, and the time of the last event before it. */
interface Mark {
  readonly position: bigint
  readonly time: string
}

/** Logs grow at their end alone: a part that was read once need not be read again. */
const marksOf = new WeakMap<EventStore, Mark[]>()

/**
 * The position that the index had reached at an ISO 8601 UTC time: that of its last change then, or some later one
 * before the next change. -1n: it was empty. Throws `UnavailableError`.
 */
export const positionAt = async (eventStore: EventStore, time: string): Promise<bigint> => {
  const marks = marksOf.get(eventStore) ?? []
  marksOf.set(eventStore, marks)
  let position = marks.findLast((mark) => mark.time <= time)?.position ?? -1n
  for (;;) {
    const batch = await orThrow(eventStore.readAll(position, filter, batchEvents))
    // Times never decrease with position.
    const last = batch.events.findLast(({ recordedAt }) => recordedAt <= time)
    if (last !== batch.events.at(-1) || batch.caughtUp) return last?.position ?? position
    position = batch.position
    const newest = last?.recordedAt ?? marks.at(-1)?.time ?? ''
    if (position > (marks.at(-1)?.position ?? -1n)) marks.push({ position, time: newest })
  }
}
