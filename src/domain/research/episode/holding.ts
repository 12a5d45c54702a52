import { right } from 'fp-ts/lib/Either.js'
import type { Extend, NotePassed, Release, Researcher, Revoke, Take } from './commands.ts'
import type { EpisodeEvent } from './events.ts'
import { expired, expiredByTime, isHeldBy, takenBy } from './lease-effect.ts'
import { type EpisodeLease, extendedDeadline, type Leases, standingOf } from './leases.ts'
import { type Decision, leaseEnded, reject, unknownLease } from './rejections.ts'
import type { EpisodeState } from './state.ts'

/* Taking, extending and ending a lease. One that has ended stays ended. */

export const take = (command: Take, { leases }: EpisodeState): Decision => {
  const { lease: id, researcher, at } = command
  const standing = standingOf(leases, id, at)
  if (standing.kind === 'unknown') return unknownLease(id)
  if (standing.kind !== 'active') return stale(id, 'its lease has ended')
  const { lease } = standing
  if (isHeldBy(lease, command)) return right([])
  if (lease.holder !== undefined)
    return reject('taken-by-another', `${lease.holder} has taken item ${id} already; take another one`, {
      lease: id,
      holder: lease.holder,
    })
  return lease.lapsed || at >= lease.notAfter
    ? stale(id, `it had to be taken before ${lease.notAfter}`)
    : right(takenBy(researcher, id, lease, at))
}

const stale = (lease: string, why: string): Decision =>
  reject('stale-item', `item ${lease} is stale: ${why}; drop it and take another one`, { lease })

export const extend = (command: Extend, { leases }: EpisodeState): Decision => {
  const { lease: id, researcher, at } = command
  const standing = standingOf(leases, id, at)
  if (standing.kind === 'unknown') return unknownLease(id)
  if (standing.kind !== 'active') return leaseEnded(id)
  const { lease } = standing
  if (isAnothers(lease, command)) return notTheHolder(id, lease)
  const deadline = extendedDeadline(lease, at)
  const extended: EpisodeEvent = { type: 'LeaseExtended', data: { lease: id, researcher, deadline, at } }
  const taken = takenBy(researcher, id, lease, at)
  return right(deadline > lease.deadline ? { events: [...taken, extended], result: { deadline } } : taken)
}

export const release = (command: Release, { leases }: EpisodeState): Decision => {
  const { lease: id, researcher, reason = 'its researcher gave it back', at } = command
  const standing = standingOf(leases, id, at)
  if ('lease' in standing && isAnothers(standing.lease, command)) return notTheHolder(id, standing.lease)
  return end(leases, id, at, { type: 'LeaseReleased', data: { lease: id, researcher, reason, at } })
}

export const revoke = ({ lease, reason, at }: Revoke, { leases }: EpisodeState): Decision =>
  end(leases, lease, at, { type: 'LeaseRevoked', data: { lease, reason, at } })

/** Ends an active lease by this event; one whose deadline has passed expires instead. A late release is no silence. */
const end = (leases: Leases, id: string, at: string, event: EpisodeEvent): Decision => {
  const standing = standingOf(leases, id, at)
  switch (standing.kind) {
    case 'unknown':
      return unknownLease(id)
    case 'active':
      return right([event])
    case 'passed':
      return right([
        event.type === 'LeaseReleased'
          ? expired(id, standing.lease, at)
          : expiredByTime(leases, id, standing.lease, at),
      ])
    default:
      return right([])
  }
}

export const notePassed = ({ type, lease: id, at }: NotePassed, { leases }: EpisodeState): Decision => {
  const standing = standingOf(leases, id, at)
  if (!('lease' in standing)) return right([])
  const { lease, kind } = standing
  if (type === 'NoteExpired') return right(kind === 'passed' ? [expiredByTime(leases, id, lease, at)] : [])
  const lapses = lease.holder === undefined && !lease.lapsed && at >= lease.notAfter
  return right(lapses ? [{ type: 'WorkItemLapsed', data: { lease: id, at } }] : [])
}

const isAnothers = (lease: EpisodeLease, by: Researcher): boolean =>
  lease.holder !== undefined && !isHeldBy(lease, by)

const notTheHolder = (id: string, { holder }: EpisodeLease): Decision =>
  reject('not-the-holder', `${holder} has taken item ${id}; only it may extend the lease or give it back`, {
    lease: id,
    holder: holder ?? 'nobody',
  })
