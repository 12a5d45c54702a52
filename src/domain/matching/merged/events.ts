import * as t from 'io-ts'
import { PositiveInteger, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { Document } from './document.ts'

/* Streams: `merged-<work>`, one a work: the documents made of it, of all generations. */

export const category = 'merged'
export const mergedStream = (work: string): string => streamName(category, work)

export const mergedEvents = eventSet(
  eventSpec(
    'WorkMerged',
    'The document of a work is now this, by the graph of this version (M4).',
    t.type({ generation: PositiveInteger, version: PositiveInteger, document: Document, at: Time }),
  ),
)
export type MergedEvent = EventsOf<typeof mergedEvents>
