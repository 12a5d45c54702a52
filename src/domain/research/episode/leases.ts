import { getOrElse } from 'fp-ts/lib/Either.js'
import { fingerprint } from '../../kernel/fingerprint.ts'
import { extend, isActive, type Lease } from '../../kernel/lease.ts'
import { addMillis, SECOND } from '../../kernel/time.ts'
import type { ClipSet } from '../clip-set.ts'

/** A lease on clips of the episode. It has no holder until its item is taken. */
export interface EpisodeLease extends Pick<Lease, 'deadline' | 'fence'> {
  readonly holder?: string
  readonly clips: ClipSet
  /** Its item may be taken before this. */
  readonly notAfter: string
  /** `WorkItemLapsed` is on record. */
  readonly lapsed: boolean
  /** A result, a failure or an extension is on record. */
  readonly hasReport?: true
  readonly leaseSeconds: number
  readonly endsBy?: string
}

export interface Leases {
  /** Leases without an event that ends them, by id. Their deadlines may have passed. */
  readonly open: ReadonlyMap<string, EpisodeLease>
  /** Fingerprints of the others, of which there may be thousands: `ended` by somebody, `expired` by time. */
  readonly ended: readonly number[]
  readonly expired: readonly number[]
  /** Silent leases in a row, as `LeaseExpired` counts them, and when the last one was recorded. */
  readonly silent: number
  readonly silentAt?: string
}

export const noLeases: Leases = { open: new Map(), ended: [], expired: [], silent: 0 }

type Standing =
  /** `passed`: its deadline has passed, which is not on record. */
  | { readonly kind: 'active' | 'passed'; readonly lease: EpisodeLease }
  | { readonly kind: 'expired' | 'ended' | 'unknown' }

export const standingOf = ({ open, ended, expired }: Leases, id: string, now: string): Standing => {
  const lease = open.get(id)
  if (lease) return { kind: isActive(lease, now) ? 'active' : 'passed', lease }
  const print = fingerprint(id)
  if (ended.includes(print)) return { kind: 'ended' }
  return { kind: expired.includes(print) ? 'expired' : 'unknown' }
}

/** max(old deadline, intake time + the lease's own seconds), but no later than `endsBy` (F13, F29). */
export const extendedDeadline = (lease: EpisodeLease, now: string): string => {
  const wanted = addMillis(now, lease.leaseSeconds * SECOND)
  const deadline = lease.endsBy !== undefined && lease.endsBy < wanted ? lease.endsBy : wanted
  return getOrElse(() => lease)(extend(lease, lease.fence, now, deadline)).deadline
}

/** A report or an extension shows that work goes on. */
export const extended = (leases: Leases, id: string, deadline: string): Leases =>
  changed(leases, id, { deadline, hasReport: true })

export const opened = (leases: Leases, id: string, lease: EpisodeLease): Leases => ({
  ...leases,
  open: new Map(leases.open).set(id, lease),
})

/** A lease that has ended is not revived. */
export const changed = (leases: Leases, id: string, change: Partial<EpisodeLease>): Leases => {
  const lease = leases.open.get(id)
  return lease ? opened(leases, id, { ...lease, ...change }) : leases
}

export const closed = (leases: Leases, id: string, how: 'ended' | 'expired'): Leases => {
  if (!leases.open.has(id)) return leases
  const open = new Map(leases.open)
  open.delete(id)
  return { ...leases, open, [how]: [...leases[how], fingerprint(id)] }
}
