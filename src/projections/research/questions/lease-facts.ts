import { setImmediate } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { unavailable } from '../../../async/unavailable.ts'
import { countRows, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { episodeEvents } from '../../../domain/research/episode/events.ts'
import { type LeaseFacts, leaseFactsReader } from '../../../domain/research/simulation/lease-facts.ts'
import { episodeStream } from '../../../domain/research/terms.ts'
import { leases } from '../../../domain/research/views.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import { ProjectionStopped } from '../../runtime/projection.ts'
import type { LeaseRow } from '../tables.ts'

/** Leases of a period. */
interface LeasesSince {
  /** Number of all leases granted. */
  readonly granted: number
  /** The latest of these leases. */
  readonly latest: readonly Pick<LeaseRow, 'lease' | 'episode'>[]
}

/** Leases granted since a time, at most `max` of them named. */
export const leasesSince = (store: Views, since: string, max: number): LeasesSince => {
  const isSince = { column: 'grantedAt', is: '>=', value: since } as const
  const latest = rows(store, leases, {
    where: [isSince],
    orderBy: [{ column: 'grantedAt', descending: true }],
    limit: max,
  })
  return {
    granted: countRows(store, leases, isSince),
    latest: latest.map(({ lease, episode }) => ({ lease, episode })),
  }
}

/** Small: most episodes have a lease or two in the period. */
const pageSize = 250

/**
 * Facts of leases from the log. No view has the times between results, so the stream of each episode is read backwards
 * to the first of these grants, a page at a time. Leases whose episode was deleted are left out. Throws
 * `UnavailableError`, and the reason of `signal` when it aborts.
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
      // Lets other work run, which may abort this.
      await setImmediate()
      signal.throwIfAborted()
      const read = await eventStore.read(episodeStream(episode), from, 'backward', pageSize)()
      if (E.isLeft(read)) {
        if (read.left.kind === 'StreamDeleted') break
        throw unavailable(read.left)
      }
      for (const event of read.right) {
        const known = episodeEvents.read(event)
        if (E.isLeft(known)) throw new ProjectionStopped('research', event, known.left)
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
