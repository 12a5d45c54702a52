import { isDutyEvent } from '../domain/kernel/duty.ts'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { EventStore } from '../ports/event-store.ts'
import { orAway } from '../projections/runtime/fold.ts'

const pageSize = 100

/** The last event behind a position, but for those that only tell who has a duty; undefined: none. Throws `Away`. */
export const newestFact = async (
  eventStore: Pick<EventStore, 'readBack'>,
  behind = -1n,
): Promise<RecordedEvent | undefined> => {
  for (let before: bigint | 'end' = 'end'; ; ) {
    const page: readonly RecordedEvent[] = await orAway(eventStore.readBack(before, pageSize))
    const later = page.filter((event) => event.position > behind)
    const fact = later.find((event) => !isDutyEvent(event))
    if (fact || later.length < pageSize) return fact
    before = later.at(-1)!.position
  }
}
