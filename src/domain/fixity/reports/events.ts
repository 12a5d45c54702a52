import * as t from 'io-ts'
import { Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { StoreName } from '../item.ts'
import { byReference } from '../upcasts.ts'

/* Streams: `fixityReport-<id>`, one per schedule of the setting `reports`; the id is made of its text. */

export const category = 'fixityReport'
export const reportStream = (id: string): string => streamName(category, id)

/** A schedule was seen for the first time: its first report is of the period that it was seen in. */
const ReportScheduled = t.type({ schedule: Text, since: Time, at: Time })

const ReportSent = t.intersection([
  t.type({
    schedule: Text,
    /** Period of the report. */
    since: Time,
    until: Time,
    subject: Text,
    isWell: t.boolean,
    /** References of those whom the mail server took it for; none if all was well and nobody wanted to know. */
    to: t.array(Text),
    refused: t.array(Text),
    at: Time,
  }),
  /** Absent: of all stores. */
  t.partial({ store: StoreName }),
])

export const reportEvents = eventSet(
  eventSpec('ReportScheduled', 'A report is wanted on a schedule from now on.', ReportScheduled),
  eventSpec('ReportSent', 'The report of a period was mailed, or left out as all was well.', ReportSent, 2, {
    1: byReference.ReportSent,
  }),
)

export type ReportEvent = EventsOf<typeof reportEvents>
export type SentReport = t.TypeOf<typeof ReportSent>
