import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import { eventSpec } from '../kernel/event-set.ts'
import { LockMark } from '../kernel/leader-lease.ts'
import { checkFence, grant, type Lease, type LeaseRejection, restate } from '../kernel/lease.ts'
import { type Ending, hasRunOut, whyRunOut } from '../kernel/task.ts'
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
const ClaimExtended = t.type({ fence: PositiveInteger, deadline: Time })
const ClaimReleased = t.intersection([
  t.type({ fence: PositiveInteger, reason: Text, at: Time }),
  /** Earliest time of the next claim: it waits for something that takes time. */
  t.partial({ until: Time }),
])
const ClaimExpired = t.intersection([
  t.type({ fence: PositiveInteger, at: Time }),
  /**
   * Number of holders in a row that were not heard of again, including this one. Absent in older events, which do not
   * count.
   */
  t.partial({ deaths: PositiveInteger }),
])

export const claimEvents = [
  eventSpec('StepClaimed', 'A worker holds it until a deadline.', StepClaimed),
  eventSpec('ClaimExtended', 'The worker is still at it.', ClaimExtended),
  eventSpec(
    'ClaimReleased',
    'The worker gave it back unfinished. Behind its expiry: it lives, and had lost the log alone.',
    ClaimReleased,
  ),
  eventSpec('ClaimExpired', 'The deadline passed without a word from the worker.', ClaimExpired),
] as const

export type ClaimEvent =
  | { readonly type: 'StepClaimed'; readonly data: t.TypeOf<typeof StepClaimed> }
  | { readonly type: 'ClaimExtended'; readonly data: t.TypeOf<typeof ClaimExtended> }
  | { readonly type: 'ClaimReleased'; readonly data: t.TypeOf<typeof ClaimReleased> }
  | { readonly type: 'ClaimExpired'; readonly data: t.TypeOf<typeof ClaimExpired> }

/** The current lease, and the history of claims that decisions need. */
export interface Claims {
  readonly lease?: Lease & { readonly state: string; readonly lock?: LockMark | undefined }
  /** Highest fence ever granted; 0 = none. */
  readonly lastFence: number
  /** Earliest time of the next claim. */
  readonly notBefore?: string
  /** Time at which it was put off: a delay that begins in the future comes from a clock that ran ahead. */
  readonly putOffAt?: string
  /** Number of holders in a row that were not heard of again, in the same step. */
  readonly deaths?: number
  /** Fence of the last of them. */
  readonly lastDeath?: number
}

export const unclaimed: Claims = { lastFence: 0 }

export const evolveClaims = (claims: Claims, { type, data }: ClaimEvent): Claims => {
  switch (type) {
    case 'StepClaimed':
      return { ...deathsOf(claims), lease: data, lastFence: data.fence }
    case 'ClaimExtended':
      return claims.lease ? { ...claims, lease: { ...claims.lease, deadline: data.deadline } } : claims
    case 'ClaimReleased':
      return released(claims, data)
    case 'ClaimExpired': {
      const { deaths, fence } = data
      return { ...(deaths !== undefined && { deaths, lastDeath: fence }), ...ended(claims) }
    }
  }
}

const released = (claims: Claims, { fence, until, at }: t.TypeOf<typeof ClaimReleased>): Claims => {
  if (claims.lease?.fence !== fence && claims.lastDeath === fence) return withoutLastDeath(claims)
  // A holder that puts the work off has survived the step.
  return until === undefined
    ? { ...deathsOf(claims), ...ended(claims) }
    : { ...ended(claims), notBefore: until, putOffAt: at }
}

const withoutLastDeath = ({ deaths = 0, lastDeath: _, ...claims }: Claims): Claims => ({
  ...claims,
  ...(deaths > 1 && { deaths: deaths - 1 }),
})

const deathsOf = ({ deaths, lastDeath }: Claims): Pick<Claims, 'deaths' | 'lastDeath'> => ({
  ...(deaths !== undefined && { deaths }),
  ...(lastDeath !== undefined && { lastDeath }),
})

/** The claim is over, and the work may be offered at once. */
export const ended = ({ lastFence }: Claims): Claims => ({ lastFence })

/** The claim continues after a finished step: deaths in that step do not count for the next. */
export const goingOn = ({ lease, lastFence }: Claims): Claims => ({ ...(lease && { lease }), lastFence })

export const isClaimEvent = (event: { readonly type: string }): event is ClaimEvent =>
  claimEvents.some(({ type }) => type === event.type)

export interface ClaimTerms {
  readonly holder: string
  readonly deadline: string
  /** How long the holder may be silent. */
  readonly millis: number
  readonly lock?: LockMark | undefined
}

interface Granted {
  readonly events: readonly ClaimEvent[]
  readonly lease: Lease
}

export interface ClaimRejection {
  readonly code: LeaseRejection['code'] | 'not-yet'
  readonly message: string
}

/** A claim whose deadline has passed must be expired first: `expireClaim`. */
export const claimStep = (
  claims: Claims,
  state: string,
  { holder, deadline, millis, lock }: ClaimTerms,
  at: string,
): E.Either<ClaimRejection, Granted> => {
  if (isPutOff(claims, at))
    return E.left({ code: 'not-yet', message: `it waits, and is offered again at ${claims.notBefore}` })
  return pipe(
    grant(claims.lease, claims.lastFence, holder, at, deadline),
    E.map(({ fence }) => {
      const lease = { state, holder, fence, deadline, millis }
      return { events: [{ type: 'StepClaimed', data: { ...lease, ...(lock && { lock }) } }], lease }
    }),
  )
}

const isPutOff = ({ notBefore, putOffAt }: Claims, at: string): boolean =>
  notBefore !== undefined && isWaiting({ since: putOffAt, until: notBefore }, at)

export const extendClaim = (
  { lease }: Claims,
  { fence, deadline, at }: { fence: number; deadline: string; at: string },
): E.Either<LeaseRejection, readonly ClaimEvent[]> =>
  pipe(
    restate(lease, fence, at, deadline),
    E.map((extended) => [{ type: 'ClaimExtended', data: { fence, deadline: extended.deadline } }]),
  )

/** Works after its expiry, too: a holder that is alive is no longer counted as dead. */
export const releaseClaim = (
  { lease, lastDeath }: Claims,
  { fence, reason, until, at }: { fence: number; reason: string; until?: string | undefined; at: string },
): E.Either<LeaseRejection, readonly ClaimEvent[]> =>
  pipe(
    fence === lastDeath ? E.right<LeaseRejection, unknown>(undefined) : checkFence(lease, fence),
    E.map(() => [
      { type: 'ClaimReleased', data: { fence, reason, at, ...(until !== undefined && { until }) } },
    ]),
  )

/** No effect while it is active, unless its holder was silent for longer than allowed or has ended. */
export const expireClaim = ({ lease, deaths = 0 }: Claims, ending: Ending): readonly ClaimEvent[] =>
  lease && hasRunOut(lease, ending)
    ? [{ type: 'ClaimExpired', data: { fence: lease.fence, at: ending.at, deaths: deaths + 1 } }]
    : []

/**
 * Returns why the work is set aside for a person: `maxDeaths` holders in a row died in this step. Undefined while it is
 * offered again.
 */
export const whySetAside = (
  { lease }: Claims,
  { deaths = 0 }: Claims,
  { maxDeaths, ...ending }: Ending & MaxDeaths,
): string | undefined =>
  lease && maxDeaths !== undefined && deaths >= maxDeaths
    ? `${deaths === 1 ? 'the process' : `${deaths} processes in a row`} that worked on it died in this step; the last: ${whyRunOut(lease, ending)}`
    : undefined

/** Absent: it is offered again after any number of deaths. */
export interface MaxDeaths {
  readonly maxDeaths?: number | undefined
}
