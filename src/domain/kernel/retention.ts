import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { PositionText } from './event-place.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/*
 * Streams: `retention-<category>`, one for each category of streams that has, or had, a policy. What is to be removed stands in
 * `EventsRemoved` first; when that is sealed the removal is carried out, and `RemovalCarriedOut` follows. So a process that dies
 * in between leaves it to the next.
 */

export const category = 'retention'
export const retentionStream = (of: string): string => streamName(category, of)

/** Events of a stream below a revision. */
const RemovedPart = t.type({
  stream: Text,
  /** Revision of the first event that stays, or would be: decimal text. */
  before: PositionText,
  events: PositiveInteger,
})
export type RemovedPart = t.TypeOf<typeof RemovedPart>

const By = { actor: Text, reason: Text, at: Time }

/** `days` that events are kept, who wanted it, and why. */
const Policy = t.type({ days: PositiveInteger, ...By })
export type RetentionPolicy = t.TypeOf<typeof Policy>

const EventsRemoved = t.type({
  category: Text,
  policy: Policy,
  /** All of them were recorded before. */
  olderThan: Time,
  streams: t.readonlyArray(RemovedPart),
  events: PositiveInteger,
  /** False: the rest of the same removal follows. */
  isLast: t.boolean,
  at: Time,
})
export type EventsRemoved = t.TypeOf<typeof EventsRemoved>

const RemovalCarriedOut = t.intersection([
  t.type({
    category: Text,
    events: NonNegativeInteger,
    /** Events that were named and stay: their streams went on meanwhile, or take no such change. */
    stayed: NonNegativeInteger,
    at: Time,
  }),
  /** Nothing of the category that is older is left. Absent: the removal was interrupted while it was named, or its policy was lifted. */
  t.partial({ olderThan: Time }),
])

export const retentionEvents = eventSet(
  eventSpec(
    'RetentionSet',
    'A person set for how many days events of a category of streams are kept.',
    t.type({ category: Text, days: PositiveInteger, ...By }),
  ),
  eventSpec(
    'RetentionLifted',
    'A person took the policy of a category away: its events stay.',
    t.type({ category: Text, ...By }),
  ),
  eventSpec('RemovalRequested', 'A person had a policy applied at once.', t.type({ category: Text, ...By })),
  eventSpec(
    'EventsRemoved',
    'Events go by a policy: their data and metadata, once this event is sealed. Their entries in the Merkle tree stay.',
    EventsRemoved,
  ),
  eventSpec(
    'RemovalCarriedOut',
    'What was named for removal since the last time is no longer in its streams.',
    RemovalCarriedOut,
  ),
)

export type RetentionEvent = EventsOf<typeof retentionEvents>

/** Events that were named, and are to be removed. */
interface Named {
  readonly events: number
  /** Present once all was named. */
  readonly olderThan?: string
  /** The policy was lifted since, or another one was set: what is not removed yet stays. */
  readonly isStopped?: true
}

export interface RetentionState {
  readonly policy: RetentionPolicy | undefined
  /** True from a person's request until a removal was carried out whole, and after one that was interrupted. */
  readonly isWanted: boolean
  readonly named: Named | undefined
  /** Nothing older is left in the category. */
  readonly doneTo: string | undefined
  /** When a removal was carried out last. */
  readonly doneAt: string | undefined
}

export type RetentionCommand = Command & { readonly category: string } & (
    | { readonly type: 'Set'; readonly days: number; readonly reason: string }
    | { readonly type: 'Lift' | 'Request'; readonly reason: string }
    | ({ readonly type: 'Remove' } & Pick<EventsRemoved, 'policy' | 'olderThan' | 'streams' | 'isLast'>)
    | { readonly type: 'CarriedOut'; readonly stayed: number }
  )

export interface RetentionRejection extends Rejection {
  readonly code: 'no-policy' | 'other-policy'
}

const stopped = (named: Named | undefined): Named | undefined => named && { ...named, isStopped: true }

const evolve = (state: RetentionState, event: RetentionEvent): RetentionState => {
  switch (event.type) {
    case 'RetentionSet': {
      const { category: _, ...policy } = event.data
      return { ...state, policy, named: stopped(state.named) }
    }
    case 'RetentionLifted':
      return { ...state, policy: undefined, isWanted: false, named: stopped(state.named) }
    case 'RemovalRequested':
      return { ...state, isWanted: true }
    case 'EventsRemoved': {
      const { events, isLast, olderThan } = event.data
      const named = (state.named?.events ?? 0) + events
      return { ...state, named: { ...state.named, events: named, ...(isLast && { olderThan }) } }
    }
    case 'RemovalCarriedOut': {
      const { olderThan, events, stayed, at } = event.data
      const isWanted = olderThan === undefined && events + stayed > 0 && !state.named?.isStopped
      return { ...state, isWanted, named: undefined, doneTo: olderThan ?? state.doneTo, doneAt: at }
    }
  }
}

const only = (event: RetentionEvent) => E.right<RetentionRejection, readonly RetentionEvent[]>([event])
const nothing = E.right<RetentionRejection, readonly RetentionEvent[]>([])
const reject = (code: RetentionRejection['code'], message: string) =>
  E.left<RetentionRejection, readonly RetentionEvent[]>({ code, message })

export const retention: Decider<RetentionState, RetentionCommand, RetentionEvent, RetentionRejection> = {
  category,
  events: retentionEvents,
  initial: { policy: undefined, isWanted: false, named: undefined, doneTo: undefined, doneAt: undefined },
  evolve,
  decide: (command, { policy, isWanted, named }) => {
    const { category, actor, at } = command
    const noPolicy = () =>
      reject('no-policy', `no policy is set for ${category}: \`fonds retention list\` shows those that are`)
    switch (command.type) {
      case 'Set': {
        const { days, reason } = command
        return policy?.days === days && policy.reason === reason
          ? nothing
          : only({ type: 'RetentionSet', data: { category, days, actor, reason, at } })
      }
      case 'Lift':
        if (!policy) return noPolicy()
        return only({ type: 'RetentionLifted', data: { category, actor, reason: command.reason, at } })
      case 'Request':
        if (!policy) return noPolicy()
        return isWanted
          ? nothing
          : only({ type: 'RemovalRequested', data: { category, actor, reason: command.reason, at } })
      case 'Remove': {
        const { streams, olderThan, isLast } = command
        if (!policy) return noPolicy()
        if (policy.at !== command.policy.at || policy.days !== command.policy.days)
          return reject('other-policy', `another policy was set for ${category} meanwhile`)
        const events = streams.reduce((sum, one) => sum + one.events, 0)
        return only({
          type: 'EventsRemoved',
          data: { category, policy, olderThan, streams, events, isLast, at },
        })
      }
      case 'CarriedOut': {
        if (!named && !isWanted) return nothing
        const { events, olderThan, isStopped }: Named = named ?? { events: 0 }
        // Another program may have named a sum of its own.
        const stayed = Math.min(command.stayed, events)
        const data = { category, events: events - stayed, stayed, at }
        const isWhole = olderThan !== undefined && !isStopped
        return only({ type: 'RemovalCarriedOut', data: { ...data, ...(isWhole && { olderThan }) } })
      }
    }
  },
}
