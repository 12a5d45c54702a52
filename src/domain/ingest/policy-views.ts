import type { LockMark } from '../kernel/leader-lease.ts'
import { integer, json, text, type ViewShape } from '../kernel/view.ts'
import type { Profile } from './profile/profile.ts'

/* Decisions of people about all ingest, and the claims on work. */

export const holds = {
  name: 'ingest-holds',
  description: 'What is on hold, by whom and why.',
  key: ['scope'],
  columns: {
    /** `all`, or `collection:` and its name. */
    scope: 'text',
    collection: 'text',
    reason: text(),
    actor: text(),
    since: text(),
  },
  history: {},
} as const satisfies ViewShape

export const profiles = {
  name: 'ingest-profiles',
  description: 'Profiles: how the submissions of a collection are taken in.',
  key: ['profile'],
  columns: {
    profile: 'text',
    collection: text(),
    owner: text(),
    terms: json<Profile>(),
    changedAt: text(),
  },
  history: {},
} as const satisfies ViewShape

export const claims = {
  name: 'ingest-claims',
  description: 'Work under way: who holds what, until when.',
  key: ['kind', 'id'],
  columns: {
    kind: text<'batch' | 'job' | 'volume'>(),
    /** UUID of a batch, number of a job, name of a volume. */
    id: 'text',
    /** State in which it was claimed; for a batch its task. */
    state: text(),
    holder: text(),
    fence: integer(),
    since: text(),
    deadline: text(),
    /** Lock of the holder's process; null if it has none. */
    lock: json<LockMark | null>(),
  },
  indexes: [['deadline']],
  history: {},
} as const satisfies ViewShape

export const housekeeping = {
  name: 'ingest-housekeeping',
  description: 'What a person wants cleared away before its time.',
  key: ['what'],
  columns: {
    what: text<'batches' | 'folders'>(),
    /** Subjects that ended before this time are removed. */
    before: text(),
    reason: text(),
    actor: text(),
    at: text(),
  },
} as const satisfies ViewShape

export const drops = {
  name: 'ingest-drops',
  description: 'Places where depositors put what is to be taken in, and why something there is not.',
  key: ['place'],
  columns: {
    /** `s3://bucket/prefix`. */
    place: 'text',
    /** Time of the last notification that has it listed; null if there was none. */
    sightedAt: 'text',
    /** Why something there was not submitted; null if all was. */
    reason: 'text',
    /** Since when that is so. */
    since: 'text',
  },
} as const satisfies ViewShape

export const sites = {
  name: 'ingest-sites',
  description: 'Nodes that alone have files of jobs or batches: when something of theirs moved last.',
  key: ['site'],
  columns: {
    site: 'text',
    lastMove: text(),
  },
} as const satisfies ViewShape
