import { integer, text, type ViewShape } from '../kernel/view.ts'

/**
 * State of an object: the worst of its parts. `at-risk`: a part is not well, or a version could not be handed over. `working`: a
 * step runs or waits. `done`: each part was read, and was as recorded when it was read last.
 */
export type DossierStanding = 'at-risk' | 'working' | 'done' | 'withdrawn'

/**
 * State of a part. `unchecked`: no check of its record has ended. `unread`: records and storage agree, and nobody read the bytes.
 * `unverified`: there was nothing to compare the bytes with.
 */
export type PartState =
  | 'unchecked'
  | 'verified'
  | 'accepted'
  | 'unread'
  | 'unverified'
  | 'failed'
  | 'parked'
  | 'lost'
  | 'withdrawn'

/**
 * State of an archive file: `waiting` to be indexed, or to be indexed again. `failed`: it could not be. `parked`: it waits for a
 * person.
 */
export type ArchiveState = 'waiting' | 'indexed' | 'failed' | 'parked' | 'withdrawn'

/** Columns of archive files, which count those of all versions in a dossier. */
const archiveCounts = {
  archives: integer(),
  /** Those that are in the index. */
  indexed: integer(),
  /** Those that could not be indexed. */
  unindexed: integer(),
  /** Captures in the index. */
  captures: integer(),
} as const

/** `parts`, `verified`, `failing` and what counts archive files are of all versions in a dossier. */
export const dossiers = {
  name: 'chain-dossiers',
  description: 'Each object that ingest stored: how far it has come through the workflows.',
  key: ['object'],
  columns: {
    object: 'text',
    state: text<DossierStanding>(),
    /** The last version. */
    version: integer(),
    batch: 'text',
    profile: 'text',
    files: integer(),
    bytes: integer(),
    storedAt: text(),
    /** Versions that wait for a step. */
    waiting: integer(),
    /** Versions that could not be handed over. */
    stuck: integer(),
    /** Files under fixity, the records beside the content among them. */
    parts: integer(),
    verified: integer(),
    failing: integer(),
    ...archiveCounts,
    /** Time of the event that led to its state. */
    since: text(),
    /** Reason of its withdrawal. */
    reason: 'text',
  },
  indexes: [['state', 'since']],
  history: { by: [['state', 'since']] },
} as const satisfies ViewShape

export const versions = {
  name: 'chain-versions',
  description: 'Versions of objects: when each was stored, handed over and verified for the first time.',
  key: ['object', 'version'],
  columns: {
    object: 'text',
    version: 'integer',
    batch: 'text',
    job: 'integer',
    profile: 'text',
    files: integer(),
    bytes: integer(),
    storedAt: text(),
    /** Rules that were on when it was stored, with commas between: it waits for them. */
    rules: text(),
    /** Null: not handed over to indexing. */
    listedAt: 'text',
    /** Reason why it could not be. */
    indexingFailure: 'text',
    /** Null: not handed over to fixity. */
    handedOverAt: 'text',
    store: 'text',
    /** Reason why it could not be handed over. */
    failure: 'text',
    /** Files that it brought and that are under fixity. */
    parts: integer(),
    verified: integer(),
    failing: integer(),
    ...archiveCounts,
    /** When all of them had been verified for the first time. */
    verifiedAt: 'text',
  },
  indexes: [['batch'], ['job'], ['failure']],
  history: { by: [['batch'], ['job'], ['failure']] },
} as const satisfies ViewShape

export const parts = {
  name: 'chain-parts',
  description: 'Files of objects under fixity: what their last check found.',
  key: ['store', 'path'],
  columns: {
    store: 'text',
    path: 'text',
    object: text(),
    version: integer(),
    state: text<PartState>(),
    /** The fault; null: it is well, or nothing is known. */
    finding: 'text',
    /** Since when. */
    since: 'text',
    checkedAt: 'text',
    /** A person's settlement of what was found, which holds until something else is found. */
    settlement: text<'accepted' | 'lost' | null>(),
    /** Revision of its own stream, as far as the chain reads that. */
    revision: integer(),
    /** Positions of the events by which it ceased to be well, and was well again. */
    failedBy: 'integer',
    clearedBy: 'integer',
  },
  indexes: [
    ['object', 'state'],
    ['object', 'version'],
  ],
  history: { by: [['object', 'state']] },
} as const satisfies ViewShape

export const archives = {
  name: 'chain-archives',
  description: 'Archive files in objects: how far indexing has come with them.',
  key: ['repository', 'name'],
  columns: {
    repository: 'text',
    name: 'text',
    object: text(),
    version: integer(),
    /** From the storage root. */
    path: text(),
    sha256: text(),
    state: text<ArchiveState>(),
    /** Why it is not in the index; null: it is, or it waits. */
    finding: 'text',
    /** Since when. */
    since: 'text',
    /** Captures in the index; null: it was never indexed. */
    captures: 'integer',
    indexedAt: 'text',
    /** Positions of the events by which it could not be indexed, and by which it was, for the first time or again. */
    failedBy: 'integer',
    indexedBy: 'integer',
  },
  indexes: [
    ['object', 'state'],
    ['object', 'version'],
  ],
  history: { by: [['object', 'state']] },
} as const satisfies ViewShape

export const names = {
  name: 'chain-names',
  description: 'Objects by the local ids of their owners.',
  key: ['name', 'object'],
  columns: { name: 'text', object: 'text' },
  history: {},
} as const satisfies ViewShape

/** One row, if a rule has begun. */
export const adoptions = {
  name: 'chain-adoption',
  description: 'How far what was stored before is chained.',
  key: ['rule'],
  columns: {
    rule: 'text',
    begunAt: text(),
    /** Null: none was requested. */
    requestedAt: 'text',
    reason: 'text',
    /** Position of the request; it ends there. */
    until: 'integer',
    reached: 'integer',
    versions: integer(),
    endedAt: 'text',
  },
  history: {},
} as const satisfies ViewShape

export const views = [dossiers, versions, parts, archives, names, adoptions] as const
