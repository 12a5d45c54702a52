import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { Rules } from '../merged/rules.ts'

/*
 * The stream `generations-matching`: which indexes there are. A generation is a whole index of its own: a graph stream,
 * with versions that are compared with no other's, and the documents made by its rules. Generation 1 is there from the
 * beginning, with the default rules, and is live until another is switched to.
 */

export const category = 'generations'
export const generationsStream = streamName(category, 'matching')

export const generationEvents = eventSet(
  eventSpec(
    'GenerationStarted',
    'Another index is built beside the live one.',
    t.type({ generation: PositiveInteger, rules: Rules, reason: Text, at: Time }),
  ),
  eventSpec(
    'GenerationSwitched',
    'Readers get this generation from now on; the other one is kept up to date, to switch back to.',
    t.type({ generation: PositiveInteger, from: PositiveInteger, reason: Text, at: Time }),
  ),
  eventSpec(
    'GenerationDropped',
    'Nothing is added to this generation any more.',
    t.type({ generation: PositiveInteger, reason: Text, at: Time }),
  ),
)
export type GenerationEvent = EventsOf<typeof generationEvents>
