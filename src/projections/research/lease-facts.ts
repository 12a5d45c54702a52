import { setImmediate } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { episodeEvents } from '../../domain/research/episode/events.ts'
import { type LeaseFacts, leaseFactsReader } from '../../domain/research/simulation/lease-facts.ts'
import { episodeStream } from '../../domain/research/terms.ts'
import { type EventStore, EventStoreAway } from '../../ports/event-store.ts'
import { ProjectionStopped } from '../runtime/projection.ts'
import { rows, type Views } from './reading.ts'
import type { LeaseRow } from './tables.ts'
import { leases } from './views.ts'

/** Leases of a period. */
export interface LeasesSince {
  /** All that were granted. */
  readonly granted: number
  /** The latest of them. */
  readonly latest: readonly Pick<LeaseRow, 'lease' | 'episode'>[]
}

/** Granted since a time, at most `most` of them named. */
export const leasesSince = (store: Views, since: string, most: number): LeasesSince => {
  const where = [{ column: 'grantedAt', is: '>=', value: since }] as const
  const [tally] = store.tally(leases.name, { by: [], where })
  const latest = rows(store, leases, {
    where,
    orderBy: [{ column: 'grantedAt', descending: true }],
    limit: most,
  })
  return {
    granted: Number(tally?.count ?? 0),
    latest: latest.map(({ lease, episode }) => ({ lease, episode })),
  }
}

/** Small, since an episode may have a lease or two in the period. */
const pageSize = 250

/**
 * What the log tells of leases. No view has the times between results, so the stream of each episode is read, from its
 * end back to the first of these grants, a page at a time. Leases whose episode was deleted are left out. Throws
 * `EventStoreAway`, and the reason of `signal` when it aborts.
 */
export const readLeaseFacts = async (
  eventStore: Pick<EventStore, 'read'>,
  wanted: LeasesSince['latest'],
  signal: AbortSignal,
): Promise<readonly LeaseFacts[]> => {
  const facts: LeaseFacts[] = []
  for (const [episode, ofEpisode] of Map.groupBy(wanted, (one) => one.episode ?? '')) {
    const reader = leaseFactsReader(ofEpisode.map(({ lease }) => lease))
    for (let from: bigint | 'end' = 'end'; reader.missing() > 0; ) {
      // Others have their turn, and may call it off.
      await setImmediate()
      signal.throwIfAborted()
      const read = await eventStore.read(episodeStream(episode), from, 'backward', pageSize)()
      if (isLeft(read)) {
        if (read.left.kind === 'StreamDeleted') break
        throw new EventStoreAway(read.left.reason)
      }
      for (const event of read.right) {
        const known = episodeEvents.read(event)
        if (isLeft(known)) throw new ProjectionStopped('research', event, known.left)
        reader.add(known.right)
      }
      const last = read.right.at(-1)
      if (!last || last.revision === 0n) break
      from = last.revision - 1n
    }
    facts.push(...reader.facts())
  }
  return facts
}
