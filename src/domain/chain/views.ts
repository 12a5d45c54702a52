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

/** The last three columns of a dossier count parts of all its versions. */
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
    /** Null: not handed over to fixity. */
    handedOverAt: 'text',
    store: 'text',
    /** Reason why it could not be handed over. */
    failure: 'text',
    /** Files that it brought and that are under fixity. */
    parts: integer(),
    verified: integer(),
    failing: integer(),
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

export const views = [dossiers, versions, parts, names, adoptions] as const
