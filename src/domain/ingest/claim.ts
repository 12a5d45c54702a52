import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import { eventSpec } from '../kernel/event-set.ts'
import {
  checkFence,
  grant,
  isActive,
  isSilent,
  type Lease,
  type LeaseRejection,
  restate,
  type Silence,
} from '../kernel/lease.ts'

/*
 * Claims, the same for batches, jobs and volumes: a lease with a fencing number in the stream of what is claimed. One whose
 * deadline has passed says nothing of the work: it is there for the next one, in the same state.
 */

const StepClaimed = t.type({
  /** State in which it was claimed; of a batch also `mail`, of a volume `provisioning`. */
  state: Text,
  holder: Text,
  fence: PositiveInteger,
  deadline: Time,
  /** How long the holder may be silent, in milliseconds: `deadline` is of a clock that may be wrong. */
  millis: PositiveInteger,
})
const ClaimExtended = t.type({ fence: PositiveInteger, deadline: Time })
const ClaimReleased = t.intersection([
  t.type({ fence: PositiveInteger, reason: Text, at: Time }),
  /** Not offered again before: it waits for something that takes its time. */
  t.partial({ until: Time }),
])
const ClaimExpired = t.type({ fence: PositiveInteger, at: Time })

export const claimEvents = [
  eventSpec('StepClaimed', 'A worker holds it until a deadline.', StepClaimed),
  eventSpec('ClaimExtended', 'The worker is still at it.', ClaimExtended),
  eventSpec('ClaimReleased', 'The worker gave it back unfinished.', ClaimReleased),
  eventSpec('ClaimExpired', 'The deadline passed without a word from the worker.', ClaimExpired),
] as const

export type ClaimEvent =
  | { readonly type: 'StepClaimed'; readonly data: t.TypeOf<typeof StepClaimed> }
  | { readonly type: 'ClaimExtended'; readonly data: t.TypeOf<typeof ClaimExtended> }
  | { readonly type: 'ClaimReleased'; readonly data: t.TypeOf<typeof ClaimReleased> }
  | { readonly type: 'ClaimExpired'; readonly data: t.TypeOf<typeof ClaimExpired> }

/** Who holds it, and what was claimed last. */
export interface Claims {
  readonly lease?: Lease & { readonly state: string }
  /** Highest fence ever granted; 0 = none. */
  readonly lastFence: number
  /** Not offered before. */
  readonly notBefore?: string
}

export const unclaimed: Claims = { lastFence: 0 }

export const evolveClaims = (claims: Claims, { type, data }: ClaimEvent): Claims => {
  switch (type) {
    case 'StepClaimed':
      return { lease: data, lastFence: data.fence }
    case 'ClaimExtended':
      return claims.lease ? { ...claims, lease: { ...claims.lease, deadline: data.deadline } } : claims
    case 'ClaimReleased':
      return { lastFence: claims.lastFence, ...(data.until !== undefined && { notBefore: data.until }) }
    case 'ClaimExpired':
      return ended(claims)
  }
}

/** The claim is over, and it may be offered at once. */
export const ended = ({ lastFence }: Claims): Claims => ({ lastFence })

export const isClaimEvent = (event: { readonly type: string }): event is ClaimEvent =>
  claimEvents.some(({ type }) => type === event.type)

export interface ClaimTerms {
  readonly holder: string
  readonly deadline: string
  /** How long the holder may be silent. */
  readonly millis: number
}

interface Granted {
  readonly events: readonly ClaimEvent[]
  readonly lease: Lease
}

export interface ClaimRejection {
  readonly code: LeaseRejection['code'] | 'not-yet'
  readonly message: string
}

/** One whose deadline has passed is first said to have expired. */
export const claimStep = (
  claims: Claims,
  state: string,
  { holder, deadline, millis }: ClaimTerms,
  at: string,
): E.Either<ClaimRejection, Granted> => {
  if (claims.notBefore !== undefined && at < claims.notBefore)
    return E.left({ code: 'not-yet', message: `it waits, and is offered again at ${claims.notBefore}` })
  return pipe(
    grant(claims.lease, claims.lastFence, holder, at, deadline),
    E.map(({ fence }) => {
      const lease = { state, holder, fence, deadline, millis }
      const expired: readonly ClaimEvent[] = claims.lease
        ? [{ type: 'ClaimExpired', data: { fence: claims.lease.fence, at } }]
        : []
      return { events: [...expired, { type: 'StepClaimed', data: lease }], lease }
    }),
  )
}

export const extendClaim = (
  { lease }: Claims,
  { fence, deadline, at }: { fence: number; deadline: string; at: string },
): E.Either<LeaseRejection, readonly ClaimEvent[]> =>
  pipe(
    restate(lease, fence, at, deadline),
    E.map((extended) => [{ type: 'ClaimExtended', data: { fence, deadline: extended.deadline } }]),
  )

export const releaseClaim = (
  { lease }: Claims,
  { fence, reason, until, at }: { fence: number; reason: string; until?: string | undefined; at: string },
): E.Either<LeaseRejection, readonly ClaimEvent[]> =>
  pipe(
    checkFence(lease, fence),
    E.map(() => [
      { type: 'ClaimReleased', data: { fence, reason, at, ...(until !== undefined && { until }) } },
    ]),
  )

/** Nothing while it is active, unless its holder was silent for its time. */
export const expireClaim = (
  { lease }: Claims,
  { at, silence }: { at: string; silence?: Silence | undefined },
): readonly ClaimEvent[] =>
  lease && (!isActive(lease, at) || isSilent(lease, silence))
    ? [{ type: 'ClaimExpired', data: { fence: lease.fence, at } }]
    : []
