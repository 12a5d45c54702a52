import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Reference } from './person.ts'
import type { Rejection } from './rejection.ts'

/* Streams: `person-<reference>`. No event holds a name or a mail address. A `PersonErased` of several values is in the stream of the first. */

export const category = 'person'
export const personStream = (reference: Reference): string => streamName(category, reference)

const Why = t.type({ reason: Text, at: Time })

export const personEvents = eventSet(
  eventSpec(
    'PersonAdded',
    'A person was entered by hand, with a name or an address outside of the log.',
    Why,
  ),
  eventSpec('PersonForgotten', 'Name and address of a person are to be deleted wherever they are kept.', Why),
  eventSpec(
    'PersonErased',
    'Personal values are to be erased: their references, here without `personal:`, stay where they are in the log.',
    t.type({ references: t.readonlyArray(Text), reason: Text, at: Time }),
  ),
)

export type PersonEvent = EventsOf<typeof personEvents>

export type PersonCommand = Command & { readonly reason: string } & (
    | { readonly type: 'Add' | 'Forget' }
    | { readonly type: 'Erase'; readonly references: readonly string[] }
  )

/** Undefined: the log has nothing of the person. */
type PersonState = 'added' | 'forgotten' | undefined

export const personDecider: Decider<PersonState, PersonCommand, PersonEvent, Rejection> = {
  category,
  events: personEvents,
  initial: undefined,
  evolve: (state, { type }) =>
    type === 'PersonErased' ? state : type === 'PersonForgotten' ? 'forgotten' : 'added',
  decide: (command, state) => {
    const { type, reason, at } = command
    if (type === 'Erase')
      return E.right([{ type: 'PersonErased', data: { references: command.references, reason, at } }])
    if (type === 'Forget') return E.right([{ type: 'PersonForgotten', data: { reason, at } }])
    return E.right(state === 'added' ? [] : [{ type: 'PersonAdded', data: { reason, at } }])
  },
}
