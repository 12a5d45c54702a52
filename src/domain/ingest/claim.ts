import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import type { DomainEvent } from '../kernel/event.ts'
import { type EventsOf, eventSet } from '../kernel/event-set.ts'
import { LockMark } from '../kernel/leader-lease.ts'
import type { Lease, LeaseRejection } from '../kernel/lease.ts'
import {
  ClaimExpired,
  type Claims,
  type ClaimTerms,
  claimEvents,
  extended,
  isTakenBack,
  type ReleaseClaim,
  type RunOut,
} from '../kernel/task.ts'
import { isWaiting } from '../kernel/waiting.ts'

/*
 * Claims, the same for batches, jobs and volumes: a lease with a fencing number in the stream of the claimed subject. A
 * claim whose deadline has passed does not change the state of the work: it is offered to the next worker.
 */

const StepClaimed = t.intersection([
  t.type({
    /** State in which it was claimed; for a batch also `mail`, for a volume `provisioning`. */
    state: Text,
    holder: Text,
    fence: PositiveInteger,
    deadline: Time,
    /** How long the holder may be silent, in milliseconds: `deadline` comes from a clock that may be wrong. */
    millis: PositiveInteger,
  }),
  /** Present if the holder's machine can know for certain that its process has ended. */
  t.partial({ lock: LockMark }),
])
const StepReleased = t.intersection([
  t.type({ fence: PositiveInteger, reason: Text, at: Time }),
  /** Earliest time of the next claim: it waits for something that takes time. */
  t.partial({ until: Time }),
])
const StepExpired = t.intersection([
  ClaimExpired,
  /**
   * Number of holders in a row that were not heard of again, including this one. Absent in older events, which do not
   * count.
   */
  t.partial({ deaths: PositiveInteger }),
])

export const stepClaimEvents = claimEvents('StepClaimed', 'it', {
  claimed: StepClaimed,
  released: StepReleased,
  expired: StepExpired,
})

const set = eventSet(...stepClaimEvents)
export type ClaimEvent = EventsOf<typeof set>

export const isClaimEvent = (event: DomainEvent): event is ClaimEvent => set.specs.has(event.type)

/** The current lease, and the history of claims that decisions need. `silenced` ends with the step. */
export interface StepClaims extends Claims {
  readonly lease?: (Lease & { readonly state: string }) | undefined
  /** Earliest time of the next claim. */
  readonly notBefore?: string
  /** Time at which it was put off: a delay that begins in the future comes from a clock that ran ahead. */
  readonly putOffAt?: string
  /** Number of holders in a row that were not heard of again, in the same step. */
  readonly deaths?: number | undefined
}

export const unclaimed: StepClaims = { lastFence: 0 }

export const evolveClaims = (claims: StepClaims, { type, data }: ClaimEvent): StepClaims => {
  switch (type) {
    case 'StepClaimed':
      return { lease: data, lastFence: data.fence, deaths: claims.deaths, silenced: claims.silenced }
    case 'ClaimExtended':
      return extended(claims, data.deadline)
    case 'ClaimReleased':
      return released(claims, data)
    case 'ClaimExpired':
      return {
        ...ended(claims),
        ...(data.deaths !== undefined && { deaths: data.deaths, silenced: data.fence }),
      }
  }
}

const released = (claims: StepClaims, { fence, until, at }: t.TypeOf<typeof StepReleased>): StepClaims => {
  const { lastFence, deaths = 0, silenced } = claims
  if (isTakenBack(claims, fence))
    return { ...claims, deaths: deaths > 1 ? deaths - 1 : undefined, silenced: undefined }
  // A holder that puts the work off has survived the step.
  return until === undefined
    ? { lastFence, deaths: claims.deaths, silenced }
    : { lastFence, notBefore: until, putOffAt: at }
}

/** The claim is over, and the work may be offered at once. */
export const ended = ({ lastFence }: StepClaims): StepClaims => ({ lastFence })

/** The claim continues after a finished step: deaths in that step do not count for the next. */
export const goingOn = ({ lease, lastFence }: StepClaims): StepClaims => ({
  ...(lease && { lease }),
  lastFence,
})

/** Absent: it is offered again after any number of deaths. */
export interface MaxDeaths {
  readonly maxDeaths?: number | undefined
}

type Death = RunOut<MaxDeaths>

/** The events of claims that batches, jobs and volumes share. */
export const stepEvents = {
  extended: (data: Pick<Lease, 'fence' | 'deadline'>): ClaimEvent => ({ type: 'ClaimExtended', data }),
  released: ({ fence, reason, until, at }: ReleaseClaim): readonly ClaimEvent[] => [
    { type: 'ClaimReleased', data: { fence, reason, at, ...(until !== undefined && { until }) } },
  ],
  expired: ({ lease: { fence }, at }: Death, { deaths = 0 }: StepClaims): readonly ClaimEvent[] => [
    { type: 'ClaimExpired', data: { fence, at, deaths: deaths + 1 } },
  ],
}

/**
 * Number of holders in a row after whose death work is set aside: two at least. A process that had several in hand may
 * have died of another one; from the last but one on it has this one alone.
 */
export const fewestDeaths = (maxDeaths: number): number => Math.max(2, maxDeaths)

/**
 * Returns why the work is set aside for a person: this is the last of `maxDeaths` holders in a row that died in this
 * step. Undefined while it is offered again.
 */
export const whySetAside = (
  { maxDeaths, why }: Death,
  { deaths: before = 0 }: StepClaims,
): string | undefined => {
  const deaths = before + 1
  return maxDeaths !== undefined && deaths >= fewestDeaths(maxDeaths)
    ? `${deaths} processes in a row that worked on it died in this step; the last: ${why}`
    : undefined
}

export interface ClaimRejection {
  readonly code: LeaseRejection['code'] | 'not-yet'
  readonly message: string
}

/** Grants work that is not put off. */
export const offerStep = (
  { notBefore: until, putOffAt: since }: StepClaims,
  state: string,
  { holder, deadline, millis, lock, at }: ClaimTerms & { readonly at: string },
  { fence }: Lease,
): E.Either<ClaimRejection, { readonly event: ClaimEvent; readonly result: Lease }> => {
  if (until !== undefined && isWaiting({ since, until }, at))
    return E.left({ code: 'not-yet', message: `it waits, and is offered again at ${until}` })
  const lease = { state, holder, fence, deadline, millis }
  return E.right({ event: { type: 'StepClaimed', data: { ...lease, ...(lock && { lock }) } }, result: lease })
}
