import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import { EmbargoWord } from '../kernel/embargo.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import { Ark } from './ark.ts'
import { MailKind, maxFailures } from './batch/events.ts'
import { BatchId, JobNumber, LocalId, ObjectId } from './ids.ts'
import { Warnings } from './job/facts.ts'
import { ObjectFacts } from './object/events.ts'
import { Difference, maxDifferences } from './object/storage.ts'
import {
  Description,
  ListedObject,
  maxListedFiles,
  maxListedObjects,
  ObjectFile,
  PayloadDigest,
  pageOf,
  SubmissionType,
} from './payload.ts'
import { Priority } from './profile/profile.ts'
import { Site } from './site.ts'
import { anySpelling } from './spelling.ts'
import { MailAddress, RefusedRecipient } from './submission.ts'
import { WorkState } from './transitions.ts'

/** The claim under which a batch was worked on. */
const ofBatch = { batch: BatchId, fence: PositiveInteger }
/** The claim under which a job was worked on. */
const ofJob = { job: JobNumber, fence: PositiveInteger }
/** The worker gives the job back with this step; else its claim continues. */
const last = t.partial({ release: t.boolean })

const ObjectsListed = t.type({
  ...ofBatch,
  /** Position of the first of these in the payload, from 0. */
  from: NonNegativeInteger,
  objects: pageOf(ListedObject, maxListedObjects),
})

const BatchOpened = t.intersection([
  t.type({
    ...ofBatch,
    /** Number of objects that were listed under this claim. */
    count: NonNegativeInteger,
    /** The actual type of the payload. */
    type: SubmissionType,
  }),
  t.partial({ digest: PayloadDigest }),
])

const BatchFailed = t.type({ ...ofBatch, message: Text })

const BatchReported = t.intersection([
  t.type(ofBatch),
  t.partial({
    /** Messages of the first failed jobs. */
    failures: pageOf(t.type({ job: JobNumber, message: Text }), maxFailures),
  }),
])

const mail = t.intersection([
  t.type({ ...ofBatch, mail: MailKind }),
  /** Number of the report in the mail. */
  t.partial({ report: PositiveInteger }),
])
const MailSent = t.intersection([
  mail,
  /** Recipients that the mail server accepted. */
  t.type({ to: t.array(MailAddress) }),
  t.partial({ messageId: Text, refused: t.array(RefusedRecipient) }),
])
const MailFailed = t.intersection([
  mail,
  t.type({ error: Text }),
  /** Time of the next attempt; absent: never. */
  t.partial({ retryAt: Time }),
])

const space = { spaceNeeded: NonNegativeInteger, sizeKnown: t.boolean }
const done = <State extends WorkState, Result extends t.Mixed>(state: State, result: Result) =>
  t.type({ state: t.literal(state), result })
const nothing = t.type({})

const stored = t.type({
  ark: Ark,
  version: PositiveInteger,
  inventoryDigest: Text,
  /** Number of all files of the version, and their bytes. */
  files: NonNegativeInteger,
  bytes: NonNegativeInteger,
})
/** Absent if the object's stream has the version already. */
const reportedToObject = t.partial({
  /** The last of the files; the others were listed before with `files.listed`. */
  listed: pageOf(ObjectFile, maxListedFiles),
  object: ObjectFacts,
})

/** By state: the result of the step. */
const DoneStep = t.union([
  done('pending', t.partial({ localIds: t.array(LocalId), description: Description })),
  done(
    'estimating',
    t.intersection([t.type(space), t.partial({ priority: Priority, workBytes: NonNegativeInteger })]),
  ),
  done('provisioning', t.partial({ site: Site })),
  done('downloading', t.partial({ ...space, priority: Priority, site: Site })),
  done(
    'processing',
    t.intersection([
      t.type({ ark: Ark, localIds: t.array(LocalId) }),
      t.partial({ description: Description, embargoUntil: EmbargoWord, warnings: Warnings }),
    ]),
  ),
  done('storing', t.intersection([stored, reportedToObject])),
  done('recording', nothing),
  done('notify', nothing),
])

const StepDone = t.intersection([t.type(ofJob), DoneStep, last], 'step.done')
const StepsDone = t.intersection([t.type({ ...ofJob, steps: t.array(DoneStep) }), last], 'steps.done')

const StepFailed = t.intersection([
  t.type({ ...ofJob, state: anySpelling(WorkState), message: Text }),
  t.partial({
    /** Permanent: only a new submission helps. */
    permanent: t.boolean,
    /** The identifier that it has by now. */
    ark: Ark,
  }),
])

const FilesListed = t.type({
  ...ofJob,
  ark: Ark,
  version: PositiveInteger,
  /** Position of the first of these among the version's files, from 0. */
  from: NonNegativeInteger,
  files: pageOf(ObjectFile, maxListedFiles),
})

const ObjectCompared = t.type({
  object: ObjectId,
  /** Number of versions that the log knew then. */
  known: NonNegativeInteger,
  /** Empty: storage and log agree. */
  differences: pageOf(Difference, maxDifferences),
})

const FolderCleaned = t.type({ job: JobNumber })

const DropsListed = t.intersection([
  /** `s3://bucket/prefix`. */
  t.type({ place: Text }),
  /** Why something there was not submitted; absent: all was. */
  t.partial({ reason: Text }),
])

export type DoneStep = t.TypeOf<typeof DoneStep>
export type StepsDone = t.TypeOf<typeof StepsDone>

const batch = '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21'
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const keyOf = (data: unknown): string => {
  const of = data as { batch?: string; job?: number; object?: string; place?: string }
  return of.batch ?? of.object ?? of.place ?? `job/${of.job}`
}

export const stepsTopic = {
  name: 'fonds.ingest.steps',
  description:
    "What a worker, ours or anyone's, did with a batch or with a step of a job, under the claim whose number it gives.",
  messages: [
    messageSpec('objects.listed', 'Objects that a payload lists; one job is made of each.', ObjectsListed, {
      batch,
      fence: 1,
      from: 0,
      objects: [{ payload: { url: 'file:///srv/drop/letter.tif', type: 'file' }, localIds: ['loc001'] }],
    }),
    messageSpec('batch.opened', 'The payload was read to its end.', BatchOpened, {
      batch,
      fence: 1,
      count: 1,
      type: 'file',
    }),
    messageSpec('batch.failed', 'The payload cannot be read: no job is made.', BatchFailed, {
      batch,
      fence: 1,
      message: 'the manifest has no row; submit one that lists an object',
    }),
    messageSpec('batch.reported', 'The report of a batch is to be saved.', BatchReported, {
      batch,
      fence: 2,
    }),
    messageSpec(
      'mail.sent',
      'The mail server took a mail.',
      MailSent,
      { batch, fence: 3, mail: 'report', report: 1, to: ['depositor@example.org'] },
      ['to', 'refused.to'],
    ),
    messageSpec('mail.failed', 'The mail server did not take a mail.', MailFailed, {
      batch,
      fence: 3,
      mail: 'report',
      report: 1,
      error: 'connection refused',
      retryAt: '2026-01-31T12:05:00.000Z',
    }),
    messageSpec('step.done', 'A step of a job is done; the job goes to its next state.', StepDone, {
      job: 12,
      fence: 1,
      state: 'estimating',
      result: { spaceNeeded: 1_000_000_000, sizeKnown: true, priority: 10 },
    }),
    messageSpec('steps.done', 'Several steps of a job are done, one after the other.', StepsDone, {
      job: 12,
      fence: 1,
      steps: [
        { state: 'pending', result: {} },
        { state: 'estimating', result: { spaceNeeded: 1_000_000_000, sizeKnown: true, priority: 10 } },
      ],
    }),
    messageSpec('step.failed', 'A step of a job failed; the job waits for a person.', StepFailed, {
      job: 12,
      fence: 1,
      state: 'downloading',
      message: 'https://host.example/a.tif answered 404 three times',
    }),
    messageSpec(
      'files.listed',
      'Files of a version that is being stored, before its step is done.',
      FilesListed,
      {
        job: 12,
        fence: 2,
        ark: 'ark:/99999/fk4abc',
        version: 1,
        from: 0,
        files: [{ path: 'producer/a.tif', size: 0, sha256 }],
      },
    ),
    messageSpec(
      'object.compared',
      'What storage holds of an object was held against the log.',
      ObjectCompared,
      {
        object: 'ark:/99999/fk4abc',
        known: 1,
        differences: [{ what: 'version-without-event', version: 2, file: '' }],
      },
    ),
    messageSpec('folder.cleaned', 'The work folder of a job was removed.', FolderCleaned, { job: 12 }),
    messageSpec(
      'drops.listed',
      'A place where depositors put things was listed, and what is whole there submitted.',
      DropsListed,
      { place: 's3://incoming/drop', reason: 's3://incoming/drop: there is no such bucket' },
    ),
  ],
  keyOf,
} as const satisfies TopicSpec
