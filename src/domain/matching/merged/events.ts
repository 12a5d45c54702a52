import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { WorkId } from '../work.ts'
import { Document } from './document.ts'

/*
 * Streams: `merged-<work>`, one per work: its documents in all generations. The stream of the smallest work of a
 * component also stores the version of the component's documents: one mark for all of them.
 */

export const category = 'merged'
export const mergedStream = (work: string): string => streamName(category, work)

const GraphMerged = t.intersection([
  t.type({
    generation: PositiveInteger,
    version: PositiveInteger,
    /** Revision of an event of the change, in `graph-<generation>`: it names the works. */
    revision: NonNegativeInteger,
    /** Number of works in the component. */
    size: PositiveInteger,
    at: Time,
  }),
  t.partial({
    /** The works whose documents are written at this version. Absent: any may be. */
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
