import * as t from 'io-ts'
import { Description, Mode } from '../../../domain/ingest/payload.ts'
import { Profile } from '../../../domain/ingest/profile/profile.ts'
import { BatchState, JobState, WorkState } from '../../../domain/ingest/transitions.ts'
import { BatchReason } from './batch-reason.ts'

/* Codecs of the answers about ingest. Times are ISO 8601 UTC, sizes are bytes. */

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

export const BatchLine = t.type({
  batch: t.string,
  number: numberOrNull,
  state: BatchState,
  profile: t.string,
  collection: t.string,
  submitter: t.string,
  creator: textOrNull,
  title: textOrNull,
  /** The payload's name, else its address. */
  file: t.string,
  type: textOrNull,
  mode: Mode,
  jobs: t.number,
  /** Held ones among them. */
  open: t.number,
  held: t.number,
  completed: t.number,
  failed: t.number,
  deleted: t.number,
  submittedAt: t.string,
  ageSeconds: t.number,
  message: textOrNull,
})
export type BatchLine = t.TypeOf<typeof BatchLine>

export const ReportLine = t.type({
  batch: t.string,
  batchNumber: numberOrNull,
  report: t.number,
  kind: t.string,
  at: t.string,
  completed: t.number,
  failed: t.number,
  deleted: t.number,
  newlyCompleted: t.number,
  mail: t.string,
  mailedAt: textOrNull,
  error: textOrNull,
})
export type ReportLine = t.TypeOf<typeof ReportLine>

export const BatchAnswer = t.intersection([
  BatchLine,
  t.type({
    payload: t.string,
    /** Objects that the payload lists, as far as it was read. */
    listed: t.number,
    firstJob: numberOrNull,
    /** Number of jobs in each state, and the bytes that they need. */
    states: t.array(t.type({ state: JobState, jobs: t.number, bytes: t.number })),
    /** The first of the held jobs, if held jobs alone keep the batch from its report. */
    blockedBy: t.array(t.number),
    holder: textOrNull,
    heldUntil: textOrNull,
    putOffUntil: textOrNull,
    putOffFor: textOrNull,
    /** Why it is not done: what failed, what is held, what its jobs wait for. Empty while it is worked on. */
    reasons: t.readonlyArray(BatchReason),
    /** The last report. */
    report: t.union([ReportLine, t.null]),
  }),
])
export type BatchAnswer = t.TypeOf<typeof BatchAnswer>

export const JobLine = t.type({
  job: t.number,
  batch: t.string,
  batchNumber: t.number,
  state: JobState,
  priority: t.number,
  collection: t.string,
  /** Null while it is unknown. */
  bytes: numberOrNull,
  ageSeconds: t.number,
  title: textOrNull,
  ark: textOrNull,
  localIds: t.readonlyArray(t.string),
  holder: textOrNull,
  /** It is held, and its batch waits for nothing but held jobs. */
  blocksReport: t.boolean,
  message: textOrNull,
})
export type JobLine = t.TypeOf<typeof JobLine>

export const JobAnswer = t.intersection([
  JobLine,
  t.type({
    place: t.number,
    profile: t.string,
    owner: t.string,
    submitter: t.string,
    payload: t.string,
    type: t.string,
    mode: Mode,
    description: t.union([Description, t.null]),
    callback: textOrNull,
    lastSuccessfulStatus: t.union([WorkState, t.null]),
    retryCount: t.number,
    failedIn: t.union([WorkState, t.null]),
    permanent: t.boolean,
    /** The actor of its last move. */
    actor: t.string,
    heldUntil: textOrNull,
    putOffUntil: textOrNull,
    putOffFor: textOrNull,
    version: numberOrNull,
    files: numberOrNull,
    storedBytes: numberOrNull,
    createdAt: t.string,
    endedAt: textOrNull,
  }),
])
export type JobAnswer = t.TypeOf<typeof JobAnswer>

export const QueueLine = t.type({
  state: WorkState,
  /** 1: it is claimed next. */
  place: t.number,
  job: t.number,
  priority: t.number,
  batchNumber: t.number,
  collection: t.string,
  bytes: numberOrNull,
  title: textOrNull,
})
export type QueueLine = t.TypeOf<typeof QueueLine>

export const SummaryLine = t.type({
  collection: t.string,
  state: JobState,
  jobs: t.number,
  bytes: t.number,
  /** Jobs of unknown size. */
  unknown: t.number,
})
export type SummaryLine = t.TypeOf<typeof SummaryLine>

const Room = t.type({ jobs: t.number, bytes: t.number, unknown: t.number })

export const CapacityAnswer = t.type({
  /** Usage of the work volume; null if the process that answers has no access to it, and for the past. */
  volume: t.union([
    t.null,
    t.type({
      totalBytes: t.number,
      usedBytes: t.number,
      /** Used and promised together. */
      mayUseBytes: t.number,
      /** Jobs of unknown size count, too. */
      promisedBytes: t.number,
      /** Bytes that may still be given out; below 0: the volume is too full. */
      leftBytes: t.number,
    }),
  ]),
  thresholdPercent: t.number,
  /** Bytes that a job of unknown size counts as. */
  unknownBytes: t.number,
  /** Jobs that wait for room. */
  waiting: Room,
  /** Jobs that have room, but not all of their files yet. */
  promised: Room,
  /** Jobs that have all of their files. */
  working: Room,
  /** Failed jobs: their files are kept until they are resumed or deleted. */
  failed: Room,
  /** Holders that give out the room of a volume now. */
  volumes: t.array(t.type({ volume: t.string, holder: t.string, until: t.string })),
})
export type CapacityAnswer = t.TypeOf<typeof CapacityAnswer>

export const HoldLine = t.type({
  /** Scope of the hold: all ingest, a collection, a batch, a job. */
  kind: t.keyof({ all: null, collection: null, batch: null, job: null }),
  /** Name of the collection, number of the batch or of the job. */
  name: t.string,
  reason: t.string,
  actor: t.string,
  since: t.string,
  /** Held batches and jobs of a collection. */
  batches: t.number,
  jobs: t.number,
})
export type HoldLine = t.TypeOf<typeof HoldLine>

export const ProfileLine = t.type({
  profile: t.string,
  /** The collection, on which holds are set. */
  collection: t.string,
  owner: t.string,
  terms: Profile,
})
export type ProfileLine = t.TypeOf<typeof ProfileLine>

export const IdLine = t.type({
  kind: t.keyof({ batch: null, job: null, object: null, 'local-id': null }),
  /** Internal name: number of a batch or of a job, ARK of an object. Null while there is none. */
  id: textOrNull,
  /** Further name: UUID of a batch, batch of a job, local ids. */
  also: t.string,
  owner: textOrNull,
})
export type IdLine = t.TypeOf<typeof IdLine>
