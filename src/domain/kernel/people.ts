import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Reference } from './person.ts'
import type { Rejection } from './rejection.ts'

/* Streams: `person-<reference>`. No event holds a name or a mail address. */

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
)

export type PersonEvent = EventsOf<typeof personEvents>

export type PersonCommand = Command & { readonly type: 'Add' | 'Forget'; readonly reason: string }

/** Undefined: the log has nothing of the person. */
type PersonState = 'added' | 'forgotten' | undefined

export const personDecider: Decider<PersonState, PersonCommand, PersonEvent, Rejection> = {
  category,
  events: personEvents,
  initial: undefined,
  evolve: (_, { type }) => (type === 'PersonForgotten' ? 'forgotten' : 'added'),
  decide: ({ type, reason, at }, state) => {
    if (type === 'Forget') return E.right([{ type: 'PersonForgotten', data: { reason, at } }])
    return E.right(state === 'added' ? [] : [{ type: 'PersonAdded', data: { reason, at } }])
  },
}
