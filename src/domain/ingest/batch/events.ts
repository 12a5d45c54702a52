import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { stepClaimEvents } from '../claim.ts'
import { JobNumber } from '../ids.ts'
import { ListedObject, maxListedObjects, PayloadDigest, pageOf, SubmissionType } from '../payload.ts'
import { Profile } from '../profile/profile.ts'
import { Runs } from '../runs.ts'
import { MailAddress, RefusedRecipient, Submission } from '../submission.ts'
import { type BatchRow, BatchState, batchMoves } from '../transitions.ts'

/* Streams: `ingestBatch-<uuid>`, one per batch, its whole life. */

const row = t.keyof(
  Object.fromEntries(batchMoves.map((move) => [move.row, null])) as Record<BatchRow, null>,
  'row of a batch',
)

/** Kinds of mail to the depositor: the batch was opened, it failed, the outcomes of its jobs. */
export const MailKind = t.keyof({ queued: null, failed: null, report: null }, 'mail')
export type MailKind = t.TypeOf<typeof MailKind>

const BatchSubmitted = t.type({
  submission: Submission,
  /** The profile at that time: later changes do not affect this batch. */
  profile: Profile,
  at: Time,
})
const BatchNumbered = t.type({ number: PositiveInteger })

const BatchMoved = t.intersection([
  t.type({ from: BatchState, to: BatchState, cause: row, at: Time }),
  t.partial({
    message: Text,
    /** Fence of the claim under which it was done. */
    fence: PositiveInteger,
    /** Present when it is opened: number of its jobs, whose numbers count upwards from the first. */
    jobs: PositiveInteger,
    firstJob: JobNumber,
    /** A mail is due now. */
    mail: MailKind,
  }),
])

const ObjectsListed = t.type({
  fence: PositiveInteger,
  /** Position of the first of these in the payload, from 0. */
  from: NonNegativeInteger,
  objects: pageOf(ListedObject, maxListedObjects),
})
const PayloadRead = t.intersection([
  t.type({ fence: PositiveInteger, count: PositiveInteger, type: SubmissionType, at: Time }),
  t.partial({ digest: PayloadDigest }),
])

/** Position of a job in its batch, from 0, and revision of the move in the job's stream. */
const Note = t.tuple([NonNegativeInteger, NonNegativeInteger])
const JobsNoted = t.intersection([
  t.type({ at: Time }),
  t.partial({
    /** Resumed. */
    open: t.array(Note),
    completed: t.array(Note),
    failed: t.array(Note),
    deleted: t.array(Note),
  }),
])

const JobsForceFailed = t.type({
  reason: Text,
  /** Number of jobs that had not ended. */
  open: PositiveInteger,
  at: Time,
})

export const maxFailures = 100

const ReportSaved = t.type({
  /** From 1. */
  report: PositiveInteger,
  kind: t.keyof({ first: null, update: null }, 'kind of report'),
  /** Number of the job at position 0. */
  firstJob: JobNumber,
  /** Positions of jobs. */
  completed: Runs,
  failed: Runs,
  deleted: Runs,
  /** Completed since the previous report. */
  newlyCompleted: Runs,
  /** Messages of the first failed ones. */
  failures: t.array(t.type({ job: JobNumber, message: Text })),
  /** A mail is due: for an update only if something changed. */
  mail: t.boolean,
  fence: PositiveInteger,
  at: Time,
})

const mail = t.intersection([
  t.type({ mail: MailKind, fence: PositiveInteger, at: Time }),
  t.partial({
    /** Number of the report in the mail. */
    report: PositiveInteger,
  }),
])
const MailStarted = mail
const MailSent = t.intersection([
  mail,
  /** Recipients that the mail server accepted. */
  t.type({ to: t.array(MailAddress) }),
  t.partial({ messageId: Text, refused: t.array(RefusedRecipient) }),
])
const MailFailed = t.intersection([
  mail,
  t.type({
    error: Text,
    /** Time of the next attempt; null: never. */
    retryAt: t.union([Time, t.null]),
    /** It may have been sent: the worker was not heard of again. */
    uncertain: t.boolean,
  }),
])

export const batchEvents = eventSet(
  eventSpec('BatchSubmitted', 'A depositor submitted a payload.', BatchSubmitted),
  eventSpec('BatchNumbered', 'The batch has its number: older ones go first.', BatchNumbered),
  eventSpec('BatchMoved', 'The batch went from one state to another.', BatchMoved),
  eventSpec('ObjectsListed', 'Objects that its payload lists, as one claim found them.', ObjectsListed),
  eventSpec('PayloadRead', 'The payload was read: the listing of this claim is whole.', PayloadRead),
  eventSpec('JobsNoted', 'Jobs of the batch ended, or were resumed.', JobsNoted),
  eventSpec('JobsForceFailed', 'A person wants all of its open jobs to fail.', JobsForceFailed),
  eventSpec('ReportSaved', 'What became of the jobs, as the depositor is told.', ReportSaved),
  eventSpec('MailStarted', 'A mail is being sent: it is not sent a second time.', MailStarted),
  eventSpec('MailSent', 'A mail was taken by the mail server.', MailSent),
  eventSpec('MailFailed', 'A mail was not sent.', MailFailed),
  ...stepClaimEvents,
)

export type BatchEvent = EventsOf<typeof batchEvents>
