import { orThrow } from '../../async/unavailable.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { reactionsLease } from '../../domain/kernel/leader-lease.ts'
import { graphEvents } from '../../domain/matching/graph/events.ts'
import { graphsTopic, mergedTopic } from '../../domain/matching/messages.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { leaderPosition } from '../runtime/leader-checkpoints.ts'
import { leaderLeaseOf } from '../runtime/leader-lease-of.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { graphOutbox } from './graph-publisher.ts'
import { mergedOutbox } from './merged-publisher.ts'

/** Events that a publisher has not put on its topic yet. */
interface Unsent {
  readonly topic: string
  /** Id of the first event: its work, or the smallest id of its first component. */
  readonly id: string
  /** When the first event was written. */
  readonly since: string
  /** Events that wait, up to `maxCounted`. */
  readonly count: number
  readonly isCounted: boolean
}

const maxCounted = 1000

const outboxes = [
  { ...graphOutbox, topic: graphsTopic.name, idOf: (event: RecordedEvent) => firstComponent(event) },
  { ...mergedOutbox, topic: mergedTopic.name, idOf: (event: RecordedEvent) => idOf(event.stream) },
]

/**
 * Finds the events that wait in the outboxes of matching. If another machine runs the publishers, the result is as of
 * the last extension of its leader lease, some seconds ago. Throws `UnavailableError`.
 */
export const findUnsent = async ({
  eventStore,
  viewStore,
}: {
  readonly eventStore: EventStore
  readonly viewStore: ViewStore
}): Promise<readonly Unsent[]> => {
  const term = await leaderLeaseOf({ eventStore }, reactionsLease)
  const found: Unsent[] = []
  for (const { name, filter, topic, idOf } of outboxes) {
    const position = leaderPosition(name, { viewStore, term })
    const { events, caughtUp } = await orThrow(eventStore.readAll(position, filter, maxCounted))
    const [first] = events
    if (first)
      found.push({
        topic,
        id: idOf(first),
        since: first.recordedAt,
        count: events.length,
        isCounted: caughtUp || events.length < maxCounted,
      })
  }
  return found
}

const firstComponent = (event: RecordedEvent): string => {
  const { type, data } = readOrStop(graphEvents, event)
  return (type === 'GraphChanged' ? data.groups[0]?.component : undefined) ?? event.stream
}
