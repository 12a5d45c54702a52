import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { categoryOf, type RecordedEvent, streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/*
 * Streams: `earlierEvent-<thing>`, one a thing: what happened to it in earlier systems, as their PREMIS says. The log has when and
 * by whom it was imported; the event itself has its own time.
 */

export const category = 'earlierEvent'
export const earlierStream = (thing: string): string => streamName(category, thing)

const Identifier = t.type({ type: Text, value: Text }, 'identifier')

const Linked = t.type({ identifier: Identifier, roles: t.readonlyArray(Text) })

/** A person is a reference here: name and identifier are outside of the log. */
const Agent = t.intersection([
  Linked,
  t.partial({
    name: Text,
    /** In the earlier system's word: `software`. */
    kind: Text,
    version: Text,
  }),
])

/** An event as the earlier system told it. */
export const EarlierEvent = t.intersection(
  [
    t.type({
      /** The earlier system, as the person who imported calls it. */
      source: Text,
      /** Names the event in the source, for ever. */
      identifier: Identifier,
      type: Text,
      /** ISO 8601, as it was written: a moment, a day, a year. */
      dateTime: Text,
      outcomes: t.readonlyArray(t.partial({ outcome: Text, note: Text })),
      agents: t.readonlyArray(Agent),
      /** The objects that it names, by their identifiers in the source. */
      objects: t.readonlyArray(Linked),
    }),
    t.partial({ detail: Text }),
  ],
  'event of an earlier system',
)
export type EarlierEvent = t.TypeOf<typeof EarlierEvent>

export const earlierEvents = eventSet(
  eventSpec(
    'EarlierEventImported',
    'An event that an earlier system recorded, with its own time.',
    t.intersection([EarlierEvent, t.type({ reason: Text, at: Time })]),
  ),
)
export type EarlierEventImported = EventsOf<typeof earlierEvents>

export type EarlierRecorded = RecordedEvent & { readonly data: EarlierEventImported['data'] }

export const isEarlier = (recorded: RecordedEvent): recorded is EarlierRecorded =>
  categoryOf(recorded.stream) === category && earlierEvents.specs.has(recorded.type)

type Import = Command & { readonly type: 'Import'; readonly event: EarlierEvent; readonly reason: string }

type ImportRejection = Rejection & { readonly code: 'other-content' }

/** The newest first. */
interface Imported {
  readonly event: EarlierEvent
  readonly before: Imported | undefined
}

/** The same event is imported once. Its identifier names no other one. */
export const earlierDecider: Decider<Imported | undefined, Import, EarlierEventImported, ImportRejection> = {
  category,
  events: earlierEvents,
  initial: undefined,
  evolve: (before, { data: { reason: _, at: __, ...event } }) => ({ event, before }),
  decide: ({ event, reason, at }, state) => {
    const known = find(state, event)
    if (!known) return E.right([{ type: 'EarlierEventImported', data: { ...event, reason, at } }])
    const { source, identifier } = event
    return isSame(known, event)
      ? E.right([])
      : E.left({
          code: 'other-content',
          message: `the event ${identifier.type} ${identifier.value} of ${source} was imported before, and was another one: an identifier names one event of a source for ever`,
        })
  },
}

const find = (
  state: Imported | undefined,
  { source, identifier }: EarlierEvent,
): EarlierEvent | undefined => {
  for (let one = state; one; one = one.before)
    if (
      one.event.source === source &&
      one.event.identifier.value === identifier.value &&
      one.event.identifier.type === identifier.type
    )
      return one.event
  return undefined
}

/** The order of fields says nothing. */
const isSame = (one: EarlierEvent, other: EarlierEvent): boolean => {
  const keys = [...new Set([...keysOf(one), ...keysOf(other)])].sort()
  return JSON.stringify(one, keys) === JSON.stringify(other, keys)
}

const keysOf = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        ...(Array.isArray(value) ? [] : [key]),
        ...keysOf(inner),
      ])
