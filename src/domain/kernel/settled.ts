import { type probeEvents, category as probes } from './bucket-probe.ts'
import { type deadLetterEvents, category as letters } from './dead-letter.ts'
import type { EventsOf } from './event-set.ts'
import { type rebuildEvents, category as rebuilds } from './rebuild-record.ts'

type Ending = EventsOf<typeof probeEvents | typeof deadLetterEvents | typeof rebuildEvents>['type']

/**
 * Streams of Fonds' own that are records alone once their last event is one of these: nothing is decided by them any more, so they may
 * be removed whole. By category.
 */
const endings: Readonly<Record<string, readonly Ending[]>> = {
  [letters]: ['DeadLetterRetried', 'DeadLetterDiscarded'],
  [probes]: ['ProbeEnded'],
  [rebuilds]: ['RebuildEnded'],
}

/** Types of events that settle a stream of the category; undefined for one that has none. */
export const settledBy = (category: string): readonly string[] | undefined =>
  Object.hasOwn(endings, category) ? endings[category] : undefined
