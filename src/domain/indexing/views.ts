import { integer, json, text, type ViewShape } from '../kernel/view.ts'
import type { FileStatus } from './file-states.ts'
import type { Kind } from './kind.ts'
import type { FailureCode, Loss } from './outcome.ts'
import type { FileState } from './state.ts'

/** Each file as it is now, and the job that waits for it. */
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
    /** When it was sighted for the first time. */
    discoveredAt: text(),
    /** What the queue goes by: when it was last changed, or else discovered. */
    date: text(),
    /** Since when what it holds now is not in the index; null where it is, or is not to be. */
    unpublishedSince: 'text',
    /** Since the last success, reset or change; of `lost`, how often in a row the index could not take its lines. */
    failures: integer(),
    code: text<FailureCode | null>(),
    /** Why it failed, is parked or withdrawn: a sentence. */
    because: 'text',
    /** Byte at which it failed. */
    offset: 'integer',
    /** 1 when it has conflicting contents in two places. */
    conflict: integer(),
    /** When it may be claimed; null where nothing is to be done. */
    due: 'text',
    /** 1 when a job is to be done and nobody does it: the queue. */
    queued: integer(),
    holder: 'text',
    /** Deadline of the claim that holds it; null while nobody does. */
    heldUntil: 'text',
    fence: integer(),
    /** When its lines came into the index. */
    indexedAt: 'text',
    /** Place in the log at which its lines were last recorded or withdrawn: the index has that when it has come so far. */
    position: 'integer',
    /** How many of its lines are in the index; null where none ever were, or others put them there. */
    lines: 'integer',
    /** SHA-256 of those. */
    digest: 'text',
    /** 1 where the file is damaged, and what is whole of it is in the index. */
    salvaged: integer(),
    /** What its salvage had to leave out; null where it was read whole. */
    loss: json<Loss | null>(),
    /** Bytes of that. */
    lostBytes: 'integer',
    warnings: json<readonly string[]>(),
    /** What the decider folds; the columns follow from it. */
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

/** For reports, which must not look through a million files. */
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
    /** Of the files, those that are damaged, and were salvaged. */
    salvaged: integer(),
    /** Bytes of them that are lost. */
    lostBytes: integer(),
  },
  history: {},
} as const satisfies ViewShape

export const views = [files, counts] as const
