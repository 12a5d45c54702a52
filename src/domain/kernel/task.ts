import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from './codecs.ts'
import type { Command, Decision } from './decider.ts'
import type { DomainEvent } from './event.ts'
import { eventSpec } from './event-set.ts'
import type { LockMark } from './leader-lease.ts'
import {
  checkFence,
  grant,
  isActive,
  isSilent,
  type Lease,
  type LeaseRejection,
  restate,
  type Silence,
} from './lease.ts'

/*
 * Claims of tasks, for all workflows. A claim is a lease in the task's own stream: of two claimers one wins, and a late
 * report must still hold the fence. An expired claim counts as a failure: work that kills its process cannot kill every
 * process.
 */

/** Fields of the events that are the same in all workflows. */
export const ClaimExtended = t.type({ fence: PositiveInteger, deadline: Time })
export const ClaimReleased = t.type({ fence: PositiveInteger, reason: Text })
export const ClaimExpired = t.type({ fence: PositiveInteger, at: Time })

interface ClaimCodecs {
  readonly claimed: t.Mixed
  readonly released: t.Mixed
  readonly expired: t.Mixed
}

/** The events of a task's claims: the first has a stored name of its own, and all but one may have fields of their own. */
export const claimEvents = <Claimed extends string, Codecs extends ClaimCodecs>(
  claimed: Claimed,
  task: string,
  codecs: Codecs,
) => {
  const { claimed: data, released, expired }: Pick<Codecs, keyof ClaimCodecs> = codecs
  const back = `The worker gave ${task} back unfinished. Behind its expiry: it lives, and had lost the log alone.`
  return [
    eventSpec(claimed, `A worker holds ${task} until a deadline.`, data),
    eventSpec('ClaimExtended', 'The worker is still at it.', ClaimExtended),
    eventSpec('ClaimReleased', back, released),
    eventSpec('ClaimExpired', 'The deadline passed without a word from the worker.', expired),
  ] as const
}

/** The claims of a task, as folded. */
export interface Claims {
  readonly lease?: Lease | undefined
  /** Highest fence ever granted; 0 = none. */
  readonly lastFence: number
  /** Fence of the last holder whose claim expired, while that counts as a failure. */
  readonly silenced?: number | undefined
}

/** True if the holder with this fence is alive, and its silence counts as a failure. */
export const isTakenBack = ({ silenced, lease }: Claims, fence: number): boolean =>
  silenced === fence && lease?.fence !== fence

/** Folds an extension. */
export const extended = <S extends Pick<Claims, 'lease'>>(state: S, deadline: string): S =>
  state.lease ? { ...state, lease: { ...state.lease, deadline } } : state

/** The holder's part of a claim. */
export interface ClaimTerms {
  readonly holder: string
  readonly deadline: string
  /** How long the holder may be silent. */
  readonly millis: number
  /** The lock of its process, if its machine can know for certain that the process has ended. */
  readonly lock?: LockMark | undefined
}

interface ExtendClaim extends Command {
  readonly type: 'ExtendClaim'
  readonly fence: number
  readonly deadline: string
}

/** From the holder. Works after the expiry, too: a holder that had only lost its connection is not counted as dead. */
export interface ReleaseClaim extends Command {
  readonly type: 'ReleaseClaim'
  readonly fence: number
  readonly reason: string
  /** Earliest time of the next claim. */
  readonly until?: string | undefined
}

/** From the ticker. No effect while the claim is active, unless its holder was silent for too long or has ended. */
export interface ExpireClaim extends Command, Ending {
  readonly type: 'ExpireClaim'
}

/** Commands of a claim's holder. */
export type KeepClaim = ExtendClaim | ReleaseClaim

/** `Terms`: of the workflow, for an expiry. */
export type ClaimUpkeep<Terms = unknown> = KeepClaim | (ExpireClaim & Terms)

/** Evidence that a claim has run out. Each part is compared: no event has to arrive. */
export interface Ending {
  /** Now: ISO 8601 UTC. */
  readonly at: string
  /** Silence of the holder by the waiting process's monotonic clock: `deadline` may be from a clock that ran ahead. */
  readonly silence?: Silence | undefined
  /** A holder whose process has ended, as the lock on its file proves. */
  readonly endedHolder?: string | undefined
}

/** A claim that has run out, and why, in a sentence. `Terms`: what the workflow needs to know of back-off and parking. */
export type RunOut<Terms = unknown> = Ending & Terms & { readonly lease: Lease; readonly why: string }

/** A workflow's tasks: the claims in its state, and the events that it stores of them. */
export interface Task<S, E, Terms = unknown> {
  readonly claims: (state: S) => Claims
  readonly evolve: (state: S, event: E) => S
  readonly extended: (claim: Pick<Lease, 'fence' | 'deadline'>) => E
  readonly released: (claim: ReleaseClaim, state: S) => readonly E[]
  /** The expiry, and the failure that it counts as: the task is due again, or parked. */
  readonly expired: (claim: RunOut<Terms>, state: S) => readonly E[]
}

/**
 * Claims a task, after its overdue claim, if there is one, has expired. `offer` decides whether what is left is due; if
 * the expiry has ended that, it is written alone, and nobody gets the task.
 */
export const claimTask = <S, Ev extends DomainEvent, Terms, R, Granted>(
  task: Task<S, Ev, Terms>,
  command: ClaimTerms & { readonly at: string } & Terms,
  state: S,
  offer: (left: S, lease: Lease) => E.Either<R, { readonly event: Ev; readonly result: Granted }>,
): E.Either<R | LeaseRejection, Decision<Ev, Granted>> => {
  const { holder, deadline, at } = command
  const expiry = expireClaim(task, command, state)
  const left = expiry.reduce(task.evolve, state)
  const { lease, lastFence } = task.claims(left)
  return pipe(
    grant(lease, lastFence, holder, at, deadline),
    E.chainW((granted) => offer(left, granted)),
    E.match(
      (rejection) => (expiry.length > 0 ? E.right({ events: expiry }) : E.left(rejection)),
      ({ event, result }) => E.right({ events: [...expiry, event], result }),
    ),
  )
}

/** Extends, releases or expires the claim of a task. */
export const keepClaim = <S, Ev, Terms>(
  task: Omit<Task<S, Ev, Terms>, 'evolve'>,
  command: ClaimUpkeep<Terms>,
  state: S,
): E.Either<LeaseRejection, readonly Ev[]> => {
  const claims = task.claims(state)
  switch (command.type) {
    case 'ExtendClaim': {
      const { fence, deadline: asked, at } = command
      return pipe(
        restate(claims.lease, fence, at, asked),
        E.map(({ deadline }) => [task.extended({ fence, deadline })]),
      )
    }
    case 'ReleaseClaim':
      return pipe(
        isTakenBack(claims, command.fence)
          ? E.right<LeaseRejection, unknown>(undefined)
          : checkFence(claims.lease, command.fence),
        E.map(() => task.released(command, state)),
      )
    case 'ExpireClaim':
      return E.right(expireClaim(task, command, state))
  }
}

/** Returns the events of a claim that has run out; none while it is active. */
export const expireClaim = <S, Ev, Terms>(
  task: Pick<Task<S, Ev, Terms>, 'claims' | 'expired'>,
  ending: Ending & Terms,
  state: S,
): readonly Ev[] => {
  const { lease } = task.claims(state)
  return lease && hasRunOut(lease, ending)
    ? task.expired({ ...ending, lease, why: whyRunOut(lease, ending) }, state)
    : []
}

/** True if its deadline has passed, its holder was silent for as long as it may be, or its holder has ended. */
const hasRunOut = (lease: Lease, { at, silence, endedHolder }: Ending): boolean =>
  !isActive(lease, at) || isSilent(lease, silence) || lease.holder === endedHolder

const whyRunOut = ({ holder, deadline }: Lease, { at, endedHolder }: Ending): string =>
  holder === endedHolder
    ? `the process of ${holder} ended while it held the claim`
    : `${holder} was not heard of again; its claim ran out${deadline <= at ? ` at ${deadline}` : ''}`
