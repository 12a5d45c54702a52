import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { stepClaimEvents } from '../claim.ts'
import { type JobRow, JobState, jobMoves } from '../transitions.ts'
import { JobChanges, JobFacts } from './facts.ts'

/* Streams: `ingestJob-<number>`, one per job, its whole life. */

const row = t.keyof(
  Object.fromEntries(jobMoves.map((move) => [move.row, null])) as Record<JobRow, null>,
  'row of a job',
)

const JobCreated = t.intersection([JobFacts, t.type({ at: Time })])

const JobMoved = t.intersection([
  t.type({ from: JobState, to: JobState, cause: row, at: Time }),
  t.partial({
    message: Text,
    /** Fence of the claim under which it was done. */
    fence: PositiveInteger,
    /** A permanent failure: it cannot be resumed. */
    permanent: t.boolean,
    /** The worker gave the job back with this move. */
    released: t.boolean,
    changed: JobChanges,
  }),
])

const WorkFolderCleaned = t.type({ at: Time })

export const jobEvents = eventSet(
  eventSpec('JobCreated', 'An object of a batch is to be taken in (I18).', JobCreated),
  eventSpec('JobMoved', 'The job went from one state to another.', JobMoved),
  eventSpec('WorkFolderCleaned', 'Its work folder was removed; its facts stay (I39).', WorkFolderCleaned),
  ...stepClaimEvents,
)

export type JobEvent = EventsOf<typeof jobEvents>
