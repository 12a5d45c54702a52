import { type Either, isLeft, map, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { annotate, type JsonSchema } from './annotation.ts'
import { NonNegativeInteger, Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { categoryOf, streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import { checkFence, extend, grant, type Lease, type LeaseRejection } from './lease.ts'

/*
 * Streams: `duty-<name>`, one a role that one process at a time has, in the whole installation. They keep house and are
 * cut to their latest events, so each event tells everything: who has the duty, and how far the work has come.
 */

export const category = 'duty'
export const dutyStream = (name: string): string => streamName(category, name)
/** True of events that tell nothing of the archive: who does not ask for them is not shown them. */
export const isDutyEvent = ({ stream }: { readonly stream: string }): boolean =>
  categoryOf(stream) === category

const decimal: JsonSchema = { pattern: '^-?\\d+$' }
const Place = annotate(
  t.refinement(t.string, (s) => /^-?\d+$/.test(s), 'position as decimal text'),
  decimal,
)

/** Places in the log, by what has come so far: JSON has no 64-bit integers. */
const Positions = t.readonly(t.record(Text, Place))
export type Positions = t.TypeOf<typeof Positions>

const Held = t.type({ holder: Text, fence: NonNegativeInteger, deadline: Time, positions: Positions })

export const dutyEvents = eventSet(
  eventSpec('DutyTaken', 'A process took a duty that nobody had.', Held),
  eventSpec('DutyExtended', 'It is still at it, and has come this far.', Held),
  eventSpec(
    'DutyLeft',
    'It gave the duty back: anybody may take it at once.',
    t.type({ holder: Text, fence: NonNegativeInteger, positions: Positions }),
  ),
)

export type DutyEvent = EventsOf<typeof dutyEvents>

export type DutyCommand = Command &
  (
    | { readonly type: 'Take'; readonly holder: string; readonly deadline: string }
    | {
        readonly type: 'Extend'
        readonly fence: number
        readonly deadline: string
        readonly positions: Positions
      }
    | { readonly type: 'Leave'; readonly fence: number; readonly positions: Positions }
  )

export interface DutyState {
  /** The last one; undefined where it was left. It may have passed: that is told by comparison. */
  readonly lease: Lease | undefined
  readonly lastFence: number
  readonly positions: Positions
}

const initial: DutyState = { lease: undefined, lastFence: 0, positions: {} }

/** What the latest event tells is all there is to know. */
export const stateOf = (event: DutyEvent): DutyState => {
  const { holder, fence, positions } = event.data
  if (event.type === 'DutyLeft') return { lease: undefined, lastFence: fence, positions }
  return { lease: { holder, fence, deadline: event.data.deadline }, lastFence: fence, positions }
}

export const duties: Decider<DutyState, DutyCommand, DutyEvent, LeaseRejection> = {
  category,
  events: dutyEvents,
  initial,
  evolve: (_, event) => stateOf(event),
  decide: (command, state): Either<LeaseRejection, readonly DutyEvent[]> => {
    const { lease, lastFence } = state
    if (command.type === 'Take') {
      const { holder, at, deadline } = command
      // Who holds it and asks again never heard that it was granted.
      const others = lease?.holder === holder ? undefined : lease
      return map((held: Lease): readonly DutyEvent[] => [
        { type: 'DutyTaken', data: { ...held, positions: state.positions } },
      ])(grant(others, lastFence, holder, at, deadline))
    }
    const positions = furthest(state.positions, command.positions)
    if (command.type === 'Extend')
      return map((held: Lease): readonly DutyEvent[] => [
        { type: 'DutyExtended', data: { ...held, positions } },
      ])(extend(lease, command.fence, command.at, command.deadline))
    const held = checkFence(lease, command.fence)
    if (isLeft(held)) return held
    const { holder, fence } = held.right
    return right([{ type: 'DutyLeft', data: { holder, fence, positions } }])
  },
}

/** Work never goes back: a holder that does not know how far others came takes nothing away. */
export const furthest = (some: Positions, others: Positions): Positions => {
  const merged: Record<string, string> = { ...some }
  for (const [name, position] of Object.entries(others)) {
    const known = merged[name]
    if (known === undefined || BigInt(position) > BigInt(known)) merged[name] = position
  }
  return merged
}

/** How far a part of the work has come; -1n where that is not known. */
export const positionIn = (positions: Positions, name: string): bigint => BigInt(positions[name] ?? -1)
