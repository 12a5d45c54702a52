import { v7 as uuid } from 'uuid'
import { addMillis, SECOND } from '../../domain/kernel/time.ts'
import { assess } from '../../domain/research/capacity.ts'
import type { Assessed } from '../../domain/research/capacity-decide.ts'
import type { Grant } from '../../domain/research/episode/commands.ts'
import type { LeaseTerms, SchedulerState } from '../../domain/research/selection/scheduler-state.ts'

export interface ChoiceLimits {
  /** Items of one slice. Events that come meanwhile are folded in after it. */
  readonly maxItems: number
  /** Characters of clip ids in one append of several leases to one episode: an event store limits appends. */
  readonly maxCharacters: number
}

interface Chosen {
  readonly leases: readonly LeaseTerms[]
  /** Result of the last assessment. Absent: there is more to choose once these are written. */
  readonly ended?: Omit<Assessed, 'added'>
}

/**
 * Assesses capacity and selects, item after item, until an assessment says stop (L3 to L9). Each choice is held at once, so
 * that the next assessment counts it (L7).
 */
export const chooseLeases = (
  scheduler: SchedulerState,
  now: string,
  { maxItems, maxCharacters }: ChoiceLimits,
): Chosen => {
  const { leaseSeconds, itemSeconds } = scheduler.policy().policy
  const deadline = addMillis(now, leaseSeconds * SECOND)
  const notAfter = addMillis(now, itemSeconds * SECOND)
  const leases: LeaseTerms[] = []
  const characters = new Map<string, number>()
  for (;;) {
    const readings = scheduler.readings()
    const stop = (stopped: Assessed['stopped']): Chosen => ({ leases, ended: { ...readings, stopped } })
    if (scheduler.paused()) return stop('paused')
    const capacity = assess(readings)
    if (!capacity.add) return stop(capacity.stopped)
    if (leases.length === maxItems) return { leases }
    const choice = scheduler.select()
    if (!choice) return stop('no-work')
    const before = characters.get(choice.episode) ?? 0
    const together = choice.clips.reduce((sum, clip) => sum + clip.length, before)
    if (before > 0 && together > maxCharacters) return { leases }
    characters.set(choice.episode, together)
    const terms = { lease: uuid(), ...choice, deadline, notAfter }
    scheduler.hold(terms)
    leases.push(terms)
  }
}

/** The settings in force that a grant needs. */
export const grantPolicyOf = (scheduler: SchedulerState): Grant['policy'] => {
  const { version, policy } = scheduler.policy()
  const { leaseSeconds, itemSeconds, longestLeaseSeconds, attempts } = policy
  return {
    version,
    leaseSeconds,
    itemSeconds,
    attempts,
    ...(longestLeaseSeconds && { longestLeaseSeconds }),
  }
}
