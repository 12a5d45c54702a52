import { orThrow } from '../async/unavailable.ts'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import { isLeaderEvent } from '../domain/kernel/leader-lease.ts'
import type { EventStore } from '../ports/event-store.ts'

/** Mostly one of the first is a fact, and an event may hold a thousand entries: few are read at first. */
const firstPage = 4
const maxPage = 256

/** The last event behind one position and before another, without those of leader leases; undefined: none. Throws `UnavailableError`. */
export const newestFact = async (
  eventStore: Pick<EventStore, 'readBack'>,
  behind = -1n,
  end: bigint | 'end' = 'end',
): Promise<RecordedEvent | undefined> => {
  let before = end
  for (let pageSize = firstPage; ; pageSize = Math.min(pageSize * 4, maxPage)) {
    const page: readonly RecordedEvent[] = await orThrow(eventStore.readBack(before, pageSize))
    const later = page.filter((event) => event.position > behind)
    const fact = later.find((event) => !isLeaderEvent(event))
    if (fact || later.length < pageSize) return fact
    before = later.at(-1)!.position
  }
}
