import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { annotate } from './annotation.ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from './codecs.ts'
import type { Command, Decider, Decision } from './decider.ts'
import { categoryOf, streamName } from './event.ts'
import { EventPlace, PositionText } from './event-place.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import {
  checkFence,
  grant,
  isSilent,
  type Lease,
  type LeaseRejection,
  restate,
  type Silence,
} from './lease.ts'

/*
 * Leader leases for exclusive work. Streams: `duty-<name>`, one for each kind of work in the whole installation. They
 * are truncated to their latest events, so each event carries the complete state: the holder and the checkpoints.
 */

export const category = 'duty'
export const leaderStream = (name: string): string => streamName(category, name)
/** Lease of everything that follows the log: reactions, subscriptions and the ticker. */
export const reactionsLease = 'reactions'
/** Category of the processes at work: `presence.ts`. */
export const presenceCategory = 'presence'
const ofProcesses: readonly string[] = [category, presenceCategory]
/** True for events about processes, not about the archive: they are shown only on request. */
export const isLeaderEvent = ({ stream }: { readonly stream: string }): boolean =>
  ofProcesses.includes(categoryOf(stream))

const Decimal = annotate(
  t.refinement(t.string, (s) => /^\d+$/.test(s), 'decimal text'),
  { pattern: '^\\d+$' },
)

/** Positions in the log that the parts of the work have reached. */
const Positions = t.readonly(t.record(Text, PositionText))
export type Positions = t.TypeOf<typeof Positions>

/**
 * The last event that each part handled, null for none: shows whether the log was restored since. Absent from older
 * programs.
 */
const LastEvents = t.readonly(t.record(Text, t.union([EventPlace, t.null])))

/** Progress of each part of the work. */
const Checkpoints = t.intersection([t.type({ positions: Positions }), t.partial({ events: LastEvents })])
export type Checkpoints = Readonly<t.TypeOf<typeof Checkpoints>>

/**
 * A lock file that the holder's process keeps locked until it ends. `bootId` is Linux's id of the machine's present
 * boot.
 */
export const LockMark = t.type({ file: Text, device: Decimal, inode: Decimal, bootId: Text }, 'lock mark')
export type LockMark = t.TypeOf<typeof LockMark>

const Had = t.intersection([t.type({ holder: Text, fence: NonNegativeInteger }), Checkpoints])
const Held = t.intersection([
  Had,
  t.type({ deadline: Time }),
  t.partial({
    /** Milliseconds that the holder may be silent: the clock behind `deadline` may be wrong. */
    millis: PositiveInteger,
    /** Present if the holder's machine can tell for certain that its process has ended. */
    lock: LockMark,
  }),
])

export const leaderEvents = eventSet(
  eventSpec('DutyTaken', 'A process took a leader lease that nobody had.', Held),
  eventSpec('DutyExtended', 'It is still at it, and has come this far.', Held),
  eventSpec('DutyLeft', 'It gave the lease back: anybody may take it at once.', Had),
  eventSpec(
    'DutyEnded',
    'A person took it away: anybody may take it at once, and the holder stops when it next extends it.',
    t.intersection([Had, t.type({ reason: Text })]),
  ),
)

export type LeaderEvent = EventsOf<typeof leaderEvents>

/** The result of each command: the present or last term, and the checkpoints. */
export type LeaderTerm = t.TypeOf<typeof Had>

type LeaderDecision = Either<LeaderRejection, Decision<LeaderEvent, LeaderTerm>>

export type LeaderCommand = Command &
  (
    | (Until & {
        readonly type: 'Take'
        readonly holder: string
        readonly lock?: LockMark | undefined
        /** Why an active lease may be taken: its holder was silent for its time, or its process has ended. */
        readonly silence?: Silence | undefined
        readonly endedHolder?: string | undefined
        /** The stream's checkpoints that are valid in this log, which may have been restored. Default: all of them. */
        readonly reached?: Checkpoints
      })
    | (Until & { readonly type: 'Extend'; readonly fence: number } & Checkpoints)
    | ({ readonly type: 'Leave'; readonly fence: number } & Checkpoints)
    | { readonly type: 'End'; readonly reason: string }
  )

interface Until {
  readonly deadline: string
  readonly millis: number
}

type LeaderRejection =
  | LeaseRejection
  | { readonly code: 'nobody-has-it' | 'unknown-duty'; readonly message: string }

export interface LeaderLease extends Lease {
  readonly lock?: LockMark | undefined
}

export interface LeaderLeaseState extends Checkpoints {
  /** The last lease; undefined if it was given up. Its deadline tells whether it has expired. */
  readonly lease: LeaderLease | undefined
  readonly lastFence: number
}

const initial: LeaderLeaseState = { lease: undefined, lastFence: 0, positions: {} }

/** The latest event carries the complete state. */
export const stateOf = (event: LeaderEvent): LeaderLeaseState => {
  const { fence } = event.data
  const reached = reachedIn(event.data)
  if (event.type === 'DutyLeft' || event.type === 'DutyEnded')
    return { lease: undefined, lastFence: fence, ...reached }
  const { positions, events, ...lease } = event.data
  return { lease, lastFence: fence, ...reached }
}

const reachedIn = ({ positions, events }: Checkpoints): Checkpoints => ({
  positions,
  ...(events && { events }),
})

export const leaderLeases: Decider<
  LeaderLeaseState,
  LeaderCommand,
  LeaderEvent,
  LeaderRejection,
  LeaderTerm
> = {
  category,
  events: leaderEvents,
  initial,
  evolve: (_, event) => stateOf(event),
  decide: (command, state): LeaderDecision => {
    const { lease, lastFence } = state
    if (command.type === 'Take') {
      const { holder, at, deadline, millis, lock } = command
      const others = lease && isVacant(lease, command) ? undefined : lease
      return map((held: Lease) =>
        withTerm({
          type: 'DutyTaken',
          data: { ...held, millis, ...(lock && { lock }), ...reachedIn(command.reached ?? state) },
        }),
      )(grant(others, lastFence, holder, at, deadline))
    }
    if (command.type === 'End') return ended(command.reason, state)
    const reached = furthest(state, command)
    if (command.type === 'Extend') {
      const { fence, at, deadline, millis } = command
      return map((held: Lease) => withTerm({ type: 'DutyExtended', data: { ...held, millis, ...reached } }))(
        restate(lease, fence, at, deadline),
      )
    }
    const held = checkFence(lease, command.fence)
    if (isLeft(held)) return held
    const { holder, fence } = held.right
    return right(withTerm({ type: 'DutyLeft', data: { holder, fence, ...reached } }))
  },
}

const withTerm = (event: LeaderEvent): Decision<LeaderEvent, LeaderTerm> => ({
  events: [event],
  result: event.data,
})

/** True if the lease may be taken again. A holder that asks again did not learn that it was granted. */
const isVacant = (lease: Lease, { holder, endedHolder, silence }: Extract<LeaderCommand, { type: 'Take' }>) =>
  lease.holder === holder || lease.holder === endedHolder || isSilent(lease, silence)

const ended = (reason: string, { lease, lastFence, ...reached }: LeaderLeaseState): LeaderDecision => {
  if (lastFence === 0)
    return left({ code: 'unknown-duty', message: 'this lease was never held; check the spelling' })
  if (!lease) return left({ code: 'nobody-has-it', message: 'nobody holds it: there is nothing to end' })
  const { holder, fence } = lease
  return right(withTerm({ type: 'DutyEnded', data: { holder, fence, ...reached, reason } }))
}

/** Merges checkpoints. They never move back: a holder that does not know others' progress resets nothing. */
export const furthest = (some: Checkpoints, others: Checkpoints): Checkpoints => ({
  positions: furthestOf<string>(some.positions, others.positions, BigInt),
  ...((some.events ?? others.events) && {
    events: furthestOf(some.events ?? {}, others.events ?? {}, (event) => BigInt(event?.position ?? -1)),
  }),
})

const furthestOf = <A>(
  some: Readonly<Record<string, A>>,
  others: Readonly<Record<string, A>>,
  sizeOf: (one: A) => bigint,
): Readonly<Record<string, A>> => {
  const merged: Record<string, A> = { ...some }
  for (const [name, one] of Object.entries(others)) {
    const known = merged[name]
    if (known === undefined || sizeOf(one) > sizeOf(known)) merged[name] = one
  }
  return merged
}

/** Returns the position of a part of the work; -1n if it is unknown. */
export const positionIn = (positions: Positions, name: string): bigint => BigInt(positions[name] ?? -1)
