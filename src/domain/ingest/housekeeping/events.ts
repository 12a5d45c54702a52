import * as t from 'io-ts'
import { Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'

/* Stream: `ingestHousekeeping-all`: removals that a person orders ahead of time. */

/** A request to remove what ended before a time. */
const request = t.type({ before: Time, reason: Text, at: Time })

export const housekeepingEvents = eventSet(
  eventSpec('SweepRequested', 'Completed batches that were done before are to go, with their jobs.', request),
  eventSpec('CleaningRequested', 'Work folders of jobs that ended before are to go.', request),
)

export type HousekeepingEvent = EventsOf<typeof housekeepingEvents>
