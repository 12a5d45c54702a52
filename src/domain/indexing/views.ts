import { integer, json, text, type ViewShape } from '../kernel/view.ts'
import type { FileStatus } from './file-states.ts'
import type { Kind } from './kind.ts'
import type { FailureCode, Loss } from './outcome.ts'
import type { FileState } from './state.ts'

/** Each file's current state, and its next job. */
export const files = {
  name: 'indexing-files',
  description: 'Every archive file: its status, where it lies, what came of it, what is due.',
  key: ['repository', 'name'],
  columns: {
    repository: 'text',
    name: 'text',
    kind: text<Kind>(),
    /** One of `fileStates`. */
    state: text<FileStatus>(),
    location: 'text',
    /** Bytes. */
    size: 'integer',
    modifiedAt: 'text',
    /** Time of the first sighting. */
    discoveredAt: text(),
    /** Sort key of the queue: the time of the last change, or else of the discovery. */
    date: text(),
    /** Time since when its current content is not in the index; null if it is, or is not to be. */
    unpublishedSince: 'text',
    /**
     * Number of failures since the last success, reset or change; for `lost`, number of times in a row that the index
     * could not accept its lines.
     */
    failures: integer(),
    code: text<FailureCode | null>(),
    /** Reason for its failure, parking or withdrawal: a sentence. */
    because: 'text',
    /** Byte offset of the failure. */
    offset: 'integer',
    /** 1 if it has conflicting contents in two places. */
    conflict: integer(),
    /** Time from which it may be claimed; null if no job is due. */
    due: 'text',
    /** 1 if a job is to be done and nobody does it: the queue. */
    queued: integer(),
    holder: 'text',
    /** Deadline of the current claim; null if there is none. */
    heldUntil: 'text',
    fence: integer(),
    /** Time at which its lines came into the index. */
    indexedAt: 'text',
    /**
     * Position in the log at which its lines were last recorded or withdrawn: the index has applied that once it has
     * reached it.
     */
    position: 'integer',
    /** Number of its lines in the index; null if there never were any, or others put them there. */
    lines: 'integer',
    /** SHA-256 of those lines. */
    digest: 'text',
    /** 1 if keys of its lines say what was sent by POST or PUT. */
    requestKeys: integer(),
    /** 1 if the file is damaged, and its intact part is in the index. */
    salvaged: integer(),
    /** Parts that its salvage left out; null if it was read whole. */
    loss: json<Loss | null>(),
    /** Number of lost bytes. */
    lostBytes: 'integer',
    warnings: json<readonly string[]>(),
    /** The last day (UTC) on which nothing of it is shown; it may be over. */
    embargoUntil: 'text',
    /** State of the decider; the columns are derived from it. */
    folded: json<FileState>(),
  },
  indexes: [
    ['queued', 'failures', 'date'],
    ['queued', 'due'],
    ['state', 'date'],
    ['unpublishedSince'],
    ['heldUntil'],
    ['name'],
    ['position'],
  ],
  history: { by: [['state', 'date'], ['name']] },
} as const satisfies ViewShape

/** Counts for reports, which must not scan a million files. */
export const counts = {
  name: 'indexing-counts',
  description: 'How many archive files of each kind are in each state, with their lines and bytes.',
  key: ['repository', 'state', 'kind'],
  columns: {
    repository: text(),
    state: text<FileStatus>(),
    kind: text<Kind>(),
    files: integer(),
    lines: integer(),
    bytes: integer(),
    /** Number of damaged files that were salvaged. */
    salvaged: integer(),
    /** Number of their lost bytes. */
    lostBytes: integer(),
  },
  history: {},
} as const satisfies ViewShape

export const views = [files, counts] as const
