import { integer, json, text, type ViewShape } from '../kernel/view.ts'
import type { Difference } from './object/storage.ts'
import type { DeclaredFile, Description, FileFormat, Mode } from './payload.ts'

/* Objects: their ids, their versions, and the files of each. */

export const objects = {
  name: 'ingest-objects',
  description:
    'Every object: its identifier, and its latest version; those that are only reserved have none.',
  key: ['object'],
  columns: {
    object: 'text',
    /** The job that has its identifier, or worked on it last; null if it was adopted. */
    job: 'integer',
    /** The latest; 0 = none. */
    version: integer(),
    inventoryDigest: 'text',
    files: integer(),
    bytes: integer(),
    batch: 'text',
    profile: 'text',
    collection: 'text',
    owner: 'text',
    localIds: json<readonly string[]>(),
    description: json<Description | null>(),
    title: 'text',
    /** The last day (UTC) of its embargo, which may be over; null: none, or not known. */
    embargoUntil: 'text',
    reservedAt: text(),
    storedAt: 'text',
  },
  indexes: [['collection', 'object'], ['job']],
  history: { by: [['collection']] },
} as const satisfies ViewShape

export const versions = {
  name: 'ingest-versions',
  description: 'Every stored version of every object.',
  key: ['object', 'version'],
  columns: {
    object: 'text',
    version: 'integer',
    /** The job that stored it; null if a person adopted it. */
    job: 'integer',
    batch: 'text',
    mode: text<Mode | null>(),
    inventoryDigest: text(),
    files: integer(),
    bytes: integer(),
    /** The last day (UTC) of its embargo, which may be over; null: none, or not known. */
    embargoUntil: 'text',
    storedAt: text(),
  },
  history: {},
} as const satisfies ViewShape

export const files = {
  name: 'ingest-files',
  description:
    'The files of every stored version, and of one that is being stored as far as they are listed.',
  key: ['object', 'version', 'path'],
  columns: {
    object: 'text',
    version: 'integer',
    path: 'text',
    size: integer(),
    sha256: text(),
    /** As a program identified it, else as the depositor declares it. */
    mimeType: 'text',
    declared: json<DeclaredFile | null>(),
    format: json<FileFormat | null>(),
  },
  indexes: [['sha256']],
  history: {},
} as const satisfies ViewShape

export const listings = {
  name: 'ingest-listings',
  description: 'Lists of the files of versions that are being stored, a page a row.',
  key: ['object', 'from'],
  columns: {
    object: 'text',
    /** Position of the first file of the page, from 0. */
    from: 'integer',
    version: integer(),
    job: integer(),
    fence: integer(),
    paths: json<readonly string[]>(),
  },
} as const satisfies ViewShape

export const storageDifferences = {
  name: 'ingest-storage-differences',
  description: 'Objects of which storage holds something else than the log knows, as it was found last.',
  key: ['object'],
  columns: {
    object: 'text',
    differences: json<readonly (Difference & { readonly since: string })[]>(),
    /** Time of the oldest. */
    since: text(),
  },
  indexes: [['since']],
  history: {},
} as const satisfies ViewShape

export const localIds = {
  name: 'ingest-local-ids',
  description: 'What producers call objects.',
  key: ['owner', 'localId'],
  columns: {
    owner: 'text',
    localId: 'text',
    /** Null while a job looks for it, or mints it. */
    ark: 'text',
    /** Null if the object was adopted. */
    job: 'integer',
    since: text(),
  },
  indexes: [['ark'], ['localId']],
  history: {},
} as const satisfies ViewShape
