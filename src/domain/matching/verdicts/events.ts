import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'

/*
 * Streams: `verdict-<id>`: verdicts of persons about the graph whose smallest work has this id, and about the record of
 * this id. A verdict is about a content: where the graph has another one, it does not count.
 */

export const category = 'verdict'
export const verdictStream = (work: string): string => streamName(category, work)

/** A generation, and the version of the graph in it. */
export const SeenVersion = t.tuple([PositiveInteger, PositiveInteger], 'seen version')
export type SeenVersion = t.TypeOf<typeof SeenVersion>

const because = { reason: Text, at: Time }

export const verdictEvents = eventSet(
  eventSpec(
    'GraphConfirmed',
    'A person looked at a graph: it is right. That counts for as long as its content is this one.',
    t.type({
      /** A digest of all its records and links: see `graphContent`. */
      content: Text,
      /** Works in it. */
      size: PositiveInteger,
      /** Where it had this content: the versions at which it was looked at. */
      versions: t.array(SeenVersion),
      ...because,
    }),
  ),
  eventSpec('GraphUnconfirmed', 'A person took back that the graph is right.', t.type(because)),
  eventSpec(
    'RecordConfirmed',
    'A person looked at a record whose content changed under one version: it is right. Later corrections are not meant.',
    t.type({
      /** Corrections that were looked at. */
      corrections: PositiveInteger,
      ...because,
    }),
  ),
  eventSpec('RecordUnconfirmed', 'A person took back that the record is right.', t.type(because)),
)
export type VerdictEvent = EventsOf<typeof verdictEvents>
export type VerdictEventOf<Type extends VerdictEvent['type']> = Extract<VerdictEvent, { readonly type: Type }>
