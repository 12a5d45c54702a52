import { addMillis, SECOND } from '../../kernel/time.ts'
import type { Researcher } from './commands.ts'
import type { EpisodeEvent, LeaseEffect } from './events.ts'
import { type EpisodeLease, extendedDeadline, type Leases, standingOf } from './leases.ts'

/** The fields of a result or failure that affect its lease. */
interface Sign {
  readonly lease: string | undefined
  readonly researcher: string
  /** It ends the lease, which is not extended first (L36). */
  readonly ends: boolean
  readonly at: string
}

export interface Effect {
  /** Events before the one that has the effect. */
  readonly before: readonly EpisodeEvent[]
  readonly effect: LeaseEffect
  /** The lease, if it is active. */
  readonly lease?: EpisodeLease
}

/**
 * Returns the effect of a result or a failure on its lease, and on no other (L38). Only an active lease changes (L37).
 * An item that nobody took is taken by the researcher that reports on it: otherwise it would count as waiting. A lease
 * whose deadline has passed expires at once, so that a slow clock cannot find it active later; it does not count as
 * silent.
 */
export const effectOn = (leases: Leases, { lease: id, researcher, ends, at }: Sign): Effect => {
  if (id === undefined) return { before: [], effect: { kind: 'none', because: 'no-lease' } }
  const standing = standingOf(leases, id, at)
  switch (standing.kind) {
    case 'active': {
      const { lease } = standing
      const effect: LeaseEffect = ends
        ? { kind: 'revoked' }
        : { kind: 'extended', deadline: extendedDeadline(lease, at) }
      return { before: takenBy(researcher, id, lease, at), effect, lease }
    }
    case 'passed':
      return { before: [expired(id, standing.lease, at)], effect: { kind: 'none', because: 'expired' } }
    default:
      return { before: [], effect: { kind: 'none', because: standing.kind } }
  }
}

export const isHeldBy = ({ holder }: EpisodeLease, { researcher, formerly }: Researcher): boolean =>
  holder !== undefined && (holder === researcher || holder === formerly)

export const takenBy = (
  researcher: string,
  id: string,
  { holder }: EpisodeLease,
  at: string,
): readonly EpisodeEvent[] =>
  holder === undefined ? [{ type: 'WorkItemTaken', data: { lease: id, researcher, at } }] : []

export const expired = (
  id: string,
  { deadline }: EpisodeLease,
  at: string,
  silent?: number,
): EpisodeEvent => ({
  type: 'LeaseExpired',
  data: { lease: id, deadline, at, ...(silent !== undefined && { silent }) },
})

/** Returns the expiry by time alone: a silent lease continues the row of silent ones. */
export const expiredByTime = (leases: Leases, id: string, lease: EpisodeLease, at: string): EpisodeEvent =>
  expired(id, lease, at, isSilent(leases, lease) ? leases.silent + 1 : undefined)

/** Concurrent leases count once: a machine that fails loses all its leases of an episode together. */
const isSilent = (
  { silentAt = '' }: Leases,
  { holder, hasReport, deadline, leaseSeconds }: EpisodeLease,
): boolean => holder !== undefined && !hasReport && addMillis(deadline, -leaseSeconds * SECOND) >= silentAt
