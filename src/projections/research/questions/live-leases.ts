import { millisBetween, SECOND } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { episodeResults, episodes } from '../../../domain/research/views.ts'
import type { LiveLease } from './answers.ts'
import { doneIn, liveClips, openOf } from './pairs.ts'
import { heldLeases, reader } from './reading.ts'

/** X2: leases that hold pairs now; the first to end comes first. */
export const liveLeases = (store: Views, now: string): readonly LiveLease[] => {
  const leases = heldLeases(store, now)
  if (leases.length === 0) return []
  const clips = liveClips(store)
  const resultsOf = reader(store, episodeResults)
  const curationOf = reader(store, episodes)
  return leases.map((lease) => {
    const results = resultsOf(lease.episode ?? '')
    const count = lease.clipCount ?? 0
    const open = openOf(lease, doneIn(results ?? { done: {} }), clips)
    return {
      lease: lease.lease,
      episode: lease.episode ?? '',
      title: curationOf(lease.episode ?? '')?.title ?? '',
      state: stateOf(lease, now),
      ...(lease.researcher !== null && { researcher: lease.researcher }),
      clips: count,
      done: count - open,
      open,
      ageSeconds: secondsBetween(lease.grantedAt ?? now, now),
      remainingSeconds: secondsBetween(now, lease.deadline ?? now),
      deadline: lease.deadline ?? '',
    }
  })
}

/** An item that nobody took in time has lapsed, with or without an event (L28). */
const stateOf = (
  { state, notAfter }: { readonly state: string | null; readonly notAfter: string | null },
  now: string,
): LiveLease['state'] => {
  if (state === 'taken') return 'taken'
  return state === 'waiting' && now < (notAfter ?? '') ? 'waiting' : 'lapsed'
}

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor(millisBetween(from, to) / SECOND))
