import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { WorkId } from '../work.ts'
import { Document } from './document.ts'

/*
 * Streams: `merged-<work>`, one a work: the documents made of it, of all generations. That of the smallest work of a component
 * also keeps at which version its documents stand: one mark for all of them.
 */

export const category = 'merged'
export const mergedStream = (work: string): string => streamName(category, work)

const GraphMerged = t.intersection([
  t.type({
    generation: PositiveInteger,
    version: PositiveInteger,
    /** Of an event of the change, in `graph-<generation>`: it names the works. */
    revision: NonNegativeInteger,
    /** Works of the component. */
    size: PositiveInteger,
    at: Time,
  }),
  t.partial({
    /** The works whose documents are written anew, at this version. Absent: all may be. */
    written: t.array(WorkId),
  }),
])

export const mergedEvents = eventSet(
  eventSpec(
    'WorkMerged',
    'The document of a work is now this, by the graph of this version (M4).',
    t.type({ generation: PositiveInteger, version: PositiveInteger, document: Document, at: Time }),
  ),
  eventSpec(
    'GraphMerged',
    'The documents of a component are now those of this version: some are written behind this, all others stay as they are.',
    GraphMerged,
  ),
)
export type MergedEvent = EventsOf<typeof mergedEvents>
export type MergedEventOf<Type extends MergedEvent['type']> = Extract<MergedEvent, { readonly type: Type }>
