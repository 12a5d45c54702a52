import { integer, json, text, type ViewShape } from '../kernel/view.ts'
import type { DueMail } from './batch/state.ts'
import { files, listings, localIds, objects, storageDifferences, versions } from './object-views.ts'
import type { Description, Mode, ObjectPayload } from './payload.ts'
import { claims, drops, holds, housekeeping, profiles, sites } from './policy-views.ts'
import type { Profile } from './profile/profile.ts'
import type { Ranges } from './runs.ts'
import type { Submission } from './submission.ts'
import type { BatchState, JobState, WorkState } from './transitions.ts'

export { files, listings, localIds, objects, storageDifferences, versions } from './object-views.ts'
export { claims, drops, holds, housekeeping, profiles, sites } from './policy-views.ts'

/*
 * `available` is the time from which a worker may claim waiting work: '' at once, a time while a claim holds it or
 * while it was put off, null if there is nothing to do. So the next of a million is the first row of an index.
 */

/** Tasks of a worker for a batch. */
export type BatchTask = 'open' | 'report' | 'mail'

export const batches = {
  name: 'ingest-batches',
  description: 'Every batch: what was submitted, where it stands, how many of its jobs are open and ended.',
  key: ['batch'],
  columns: {
    /** The public id. */
    batch: 'text',
    /** Counts upwards; null until it has one. */
    number: 'integer',
    state: text<BatchState>(),
    profile: text(),
    collection: text(),
    submitter: text(),
    /** Type of the payload; null until it is known. */
    type: 'text',
    mode: text<Mode>(),
    title: 'text',
    submission: json<Submission>(),
    /** The profile as it was when the batch was submitted. */
    terms: json<Profile>(),
    submittedAt: text(),
    lastModified: text(),
    message: 'text',
    /** Actor of its last move. */
    actor: text(),
    /** 1: its payload was read to its end. */
    read: integer(),
    /** Number of objects that its payload lists, as far as it was read. */
    listed: integer(),
    /** Number of its first job; the others follow. Null until it is opened. */
    firstJob: 'integer',
    jobs: integer(),
    /** Number of jobs that have not ended, including held ones. */
    open: integer(),
    /** Number of held jobs among the open ones: while there is one, no report is made. */
    held: integer(),
    completed: integer(),
    failed: integer(),
    deleted: integer(),
    /** Number of the last report; 0 = none. */
    reports: integer(),
    /** The next task for a worker; null if there is none. */
    task: text<BatchTask | null>(),
    available: 'text',
    /** Time until which it was put off; null if it was not. */
    putOffUntil: 'text',
    /** Reason for which a worker put it off; null if none did. */
    putOffFor: 'text',
    /** The mail that is due, if the task is `mail`: `queued`, `failed`, `report`. */
    mail: 'text',
    /** All mails that are to be sent. */
    mails: json<readonly DueMail[]>(),
    /** The site that opens it, if only one node has its payload; else empty. */
    site: text(),
    holder: 'text',
    heldUntil: 'text',
  },
  indexes: [
    ['task', 'available', 'number', 'site'],
    ['state', 'number'],
    ['collection', 'state'],
    ['submitter', 'number'],
    ['number'],
  ],
  history: { by: [['state', 'number'], ['number']] },
} as const satisfies ViewShape

export const jobs = {
  name: 'ingest-jobs',
  description: 'Every job: its state, its place in the queue, what it needs, who works on it.',
  key: ['job'],
  columns: {
    job: 'integer',
    batch: text(),
    batchNumber: integer(),
    /** Position in its batch, from 0. */
    place: integer(),
    state: text<JobState>(),
    /** Time from which a worker may claim it. */
    available: 'text',
    /** Two-digit priority and number: the lower text goes first. Set by the last move. */
    order: text(),
    priority: integer(),
    profile: text(),
    collection: text(),
    owner: text(),
    submitter: text(),
    payload: json<ObjectPayload>(),
    mode: text<Mode>(),
    /** The depositor's identifier, or the one it was given since. */
    ark: 'text',
    localIds: json<readonly string[]>(),
    description: json<Description | null>(),
    title: 'text',
    callback: 'text',
    /** The last step that it finished; null before the first. */
    lastSuccessfulStatus: text<WorkState | null>(),
    /** Number of resumes by a person. */
    retryCount: integer(),
    /** The step that it failed in; null if it is not failed. */
    failedIn: text<WorkState | null>(),
    /** 1: it cannot be resumed. */
    permanent: integer(),
    /** Reason of its last move: the failure, or a person's reason. */
    message: 'text',
    /** Actor of its last move. */
    actor: text(),
    /** Reason for which a worker put it off; null if none did. */
    putOffFor: 'text',
    /** Bytes; 0 if the size is unknown. */
    spaceNeeded: integer(),
    /** 1: `spaceNeeded` is known. */
    sizeKnown: integer(),
    /** Bytes of it that come to the work volume; null: all. Views of version 10 do not have it. */
    workBytes: 'integer',
    version: 'integer',
    files: 'integer',
    bytes: 'integer',
    /** Sentences on parts of its payload that are not in the version: empty folders, names that deleted nothing. */
    warnings: json<readonly string[]>(),
    /** Site of its payload, if only one node has it; else empty. */
    sourceSite: text(),
    /** The work folder that has room for its files, or has them; empty: not known. */
    workSite: text(),
    /** Site where it can be worked on in its state; empty: anywhere. */
    site: text(),
    /** 1 while its work folder may exist. */
    folder: integer(),
    /** Time at which it was completed or deleted; else null. */
    endedAt: 'text',
    holder: 'text',
    fence: 'integer',
    heldUntil: 'text',
    /** Number of holders in a row that died in this step. */
    deaths: integer(),
    createdAt: text(),
    lastModified: text(),
  },
  indexes: [
    ['state', 'available', 'order', 'site'],
    ['batch', 'state'],
    // With these columns, a million jobs are added up without reading their rows.
    ['collection', 'state', 'sizeKnown', 'spaceNeeded', 'workBytes'],
    ['folder', 'endedAt'],
  ],
  history: { by: [['state', 'order'], ['batch']] },
} as const satisfies ViewShape

/** Its place in the queue of its state: two-digit priority, then the older job. */
export const orderOf = (priority: number, job: number): string =>
  `${String(priority).padStart(2, '0')}-${String(job).padStart(16, '0')}`

export const reports = {
  name: 'ingest-reports',
  description: 'The reports of batches, and the mails that told of them.',
  key: ['batch', 'report'],
  columns: {
    batch: 'text',
    report: 'integer',
    kind: text<'first' | 'update'>(),
    at: text(),
    completed: json<Ranges>(),
    failed: json<Ranges>(),
    deleted: json<Ranges>(),
    newlyCompleted: json<Ranges>(),
    failures: json<readonly { readonly job: number; readonly message: string }[]>(),
    /** `none`: nothing had changed, or the profile wants none. `uncertain`: it may have been sent. */
    mail: text<'none' | 'due' | 'sent' | 'failed' | 'uncertain'>(),
    mailedAt: 'text',
    error: 'text',
  },
  indexes: [['mail', 'at'], ['at']],
  history: {},
} as const satisfies ViewShape

export const views = [
  batches,
  jobs,
  holds,
  profiles,
  objects,
  versions,
  files,
  listings,
  storageDifferences,
  localIds,
  reports,
  claims,
  housekeeping,
  sites,
  drops,
] as const
