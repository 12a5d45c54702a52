import { isRight } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import {
  category,
  type RetentionEvent,
  type RetentionState,
  retention,
  retentionEvents,
} from '../../domain/kernel/retention.ts'
import type { EventFilter, EventStore } from '../../ports/event-store.ts'
import type { Point } from '../../ports/view-store.ts'

/** The policy of a category of streams, and how much was removed by it. */
export interface Retained {
  readonly category: string
  readonly state: RetentionState
  /** Events, over all removals that were carried out. */
  readonly removed: number
  /** Position of the newest event of it. */
  readonly position: bigint
  /** Revision of the first event in its stream that names what was not removed yet. */
  readonly namedFrom: bigint | undefined
}

const filter: EventFilter = { categories: [category] }
/** An event may have hundreds of kilobytes. */
const pageSize = 50

/** The retention of all categories as the log has it, read on from where it was read last. Throws `UnavailableError`. */
export const followPolicies = (eventStore: Pick<EventStore, 'readAll'>) => {
  const all = new Map<string, Retained>()
  let after = -1n
  const read = async (asOf?: Point): Promise<readonly Retained[]> => {
    for (;;) {
      const page = await orThrow(eventStore.readAll(after, filter, pageSize))
      for (const event of page.events) {
        if (asOf && !isBy(event, asOf)) return [...all.values()]
        const found = retentionEvents.read(event)
        const of = idOf(event.stream)
        if (isRight(found) && found.right.data.category === of) fold(all, found.right, event)
        else suspend(all, of)
      }
      after = page.position
      if (page.caughtUp) return [...all.values()]
    }
  }
  return { read }
}

/** The same once, as of a moment. */
export const policiesOfLog = (eventStore: Pick<EventStore, 'readAll'>, asOf?: Point) =>
  followPolicies(eventStore).read(asOf)

/** A newer Fonds may have lifted the policy: nothing more is named by one that is not understood. */
const suspend = (all: Map<string, Retained>, of: string): void => {
  const known = all.get(of)
  if (known) all.set(of, { ...known, state: { ...known.state, policy: undefined } })
}

const fold = (
  all: Map<string, Retained>,
  event: RetentionEvent,
  { position, revision }: RecordedEvent,
): void => {
  const { category: of } = event.data
  const before = all.get(of)
  const removed = before?.removed ?? 0
  const state = retention.evolve(before?.state ?? retention.initial, event)
  const namedFrom = state.named ? (before?.namedFrom ?? revision) : undefined
  const now = event.type === 'RemovalCarriedOut' ? event.data.events : 0
  all.set(of, { category: of, state, removed: removed + now, position, namedFrom })
}

const isBy = ({ position, recordedAt }: RecordedEvent, asOf: Point): boolean =>
  'time' in asOf ? recordedAt <= asOf.time : position <= asOf.position
