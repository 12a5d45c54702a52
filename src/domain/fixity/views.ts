import { integer, json, type RowOf, text, type ViewShape } from '../kernel/view.ts'
import type { Checksum } from './checksum.ts'
import type { Queue } from './events.ts'
import type { EndedFinding, Outcome, State } from './item-states.ts'
import { defaultAwaySeconds } from './store/events.ts'
import { type Sightings, type Standing, standingOf } from './store/sightings.ts'

export interface IndexEntry {
  readonly checksums: readonly Checksum[]
  /** Bytes. */
  readonly size?: number
}

/** Each item as it is now, and the check that waits for it. */
export const items = {
  name: 'fixity-items',
  description: 'Every item: what is recorded, when it was last verified, what is due.',
  key: ['store', 'path'],
  columns: {
    store: 'text',
    path: 'text',
    folder: text(),
    /** One of `itemStates`, which the report counts. */
    state: text<State>(),
    /** Of the last finished check since it was recorded: `success`, `failure`, `unverified`; null where there is none. */
    outcome: text<Outcome | null>(),
    /** 1 when that compared the content with a first reading alone, and with no word that was recorded. */
    baseline: integer(),
    /** 1 when the last look found witnesses that differ, and a record may be on its way: it is looked at again. */
    suspect: integer(),
    /** What that saw, where it was a failure. */
    failedOn: 'text',
    /** How a person ended the last finding, and on what; null where none was ended so. */
    settlement: json<EndedFinding | null>(),
    /** Findings about it that are open. */
    open: integer(),
    /** Recorded words that nothing can be compared with: no digests, of an unknown algorithm, or two that differ. */
    unusable: integer(),
    /** 1 when its last look found a symbolic link, and an earlier one a file. */
    link: integer(),
    /** 1 when it was deleted on purpose, or was never recorded and is not there. */
    removed: integer(),
    /** 1 when three attempts failed: the item waits for a person. */
    parked: integer(),
    size: 'integer',
    /** What the audit log says. */
    checksums: json<readonly Checksum[]>(),
    /** What the content index says, a witness of its own: it is a copy, which can go wrong. Null when it has no entry. */
    indexed: json<IndexEntry | null>(),
    /** `own`: our copy of what the audit log says. `outside`: another index that reports its entries, which precedes ours. */
    indexedBy: text<'own' | 'outside' | null>(),
    recordedFrom: 'text',
    recordedAt: 'text',
    lastChecked: 'text',
    lastVerified: 'text',
    /** When the next check is due by the schedule or the item's own stream; null when none is. `requests` may want it before. */
    due: 'text',
    /** From when on it counts as late: the date of the schedule, whatever checks were requested in between. */
    lateAfter: 'text',
    queue: text<Queue>(),
    /** When a worker may claim it: the deadline of the claim that holds it, else its due time. */
    available: 'text',
    /** Deadline of the claim that holds it; null while nobody does. */
    heldUntil: 'text',
    /** Attempts of this run that came to nothing. */
    attempts: integer(),
    /** The same where there is one; null else, so that an index has few. */
    retry: 'integer',
    row: 'text',
    because: 'text',
    /** Of the last event in its own stream. */
    revision: integer(),
    /** 1 while its own stream is in the middle of a check, or was asked for one: the check is then decided there. */
    ownRun: integer(),
    /** 1 when a look at this record saw a file, and no symbolic link. */
    seenAsFile: integer(),
  },
  indexes: [
    ['store', 'queue', 'available'],
    // The states of folders are counted, and their files listed, without the rows, which are wide.
    ['store', 'folder', 'state', 'path', 'size'],
  ],
  sparse: [
    ['store', 'heldUntil'],
    ['store', 'retry'],
  ],
  history: { by: [['state']] },
} as const satisfies ViewShape

/** A check that was tried in vain. A view that an older program folded answers until it is folded anew: it has an index on `attempts`. */
export const triedInVain = (view: ViewShape | undefined) =>
  ({ column: view?.columns.retry ? 'retry' : 'attempts', is: '>', value: 0 }) as const

/** The checks under way: who holds which, until when. */
export const claims = {
  name: 'fixity-claims',
  description: 'Checks under way: who holds which, until when.',
  key: ['store', 'path'],
  columns: {
    store: 'text',
    path: 'text',
    holder: text(),
    fence: integer(),
    since: text(),
    deadline: text(),
  },
  indexes: [['deadline']],
} as const satisfies ViewShape

/** Checks of many items that a worker does together. */
export const batches = {
  name: 'fixity-batches',
  description: 'Batches of checks under way: who holds which, until when.',
  key: ['batch'],
  columns: {
    batch: 'text',
    store: text(),
    holder: text(),
    fence: integer(),
    since: text(),
    deadline: text(),
    items: integer(),
    paths: json<readonly string[]>(),
    /** Of the claim in the log: of two batches with one item, the first has it. */
    position: integer(),
  },
  indexes: [['deadline'], ['store']],
} as const satisfies ViewShape

/**
 * Checks that were asked for of many items at rest, as an event names them. Their rows stay as they are: an item waits here until its
 * next check, or until its own stream says when that is.
 */
export const requests = {
  name: 'fixity-requests',
  description: 'Checks asked for of many items at once, and the items that wait for theirs.',
  key: ['request'],
  columns: {
    request: 'text',
    store: text(),
    queue: text<Queue>(),
    due: text(),
    /** That wait. */
    items: integer(),
    /** In the order in which they were asked for. */
    paths: json<readonly string[]>(),
    /** Of the request in the log. */
    position: integer(),
  },
  indexes: [['store', 'queue', 'due', 'position']],
  history: {},
} as const satisfies ViewShape

/** Where the requests of a store lie among its paths: to find those of an item, none of the others is read. */
export const requestPlaces = {
  name: 'fixity-request-places',
  description: 'Between which paths the items of each request of `fixity-requests` lie.',
  key: ['store'],
  columns: {
    store: 'text',
    /** First and last in the order of JavaScript's `<`. */
    requests: json<readonly { readonly request: string; readonly first: string; readonly last: string }[]>(),
  },
} as const satisfies ViewShape

/** The outcome of every finished check: the bit log. */
export const bitLog = {
  name: 'fixity-bit-log',
  description: 'The outcome of every finished check.',
  key: ['store', 'path', 'position'],
  columns: {
    store: 'text',
    path: 'text',
    at: 'text',
    /** `SUCCESS`, `FAILURE` or `UNVERIFIED`. */
    result: 'text',
    because: 'text',
    row: 'text',
    pattern: 'text',
    recorded: 'text',
    found: 'text',
    position: 'integer',
  },
  // With the result, a million checks are counted without their rows.
  indexes: [['at', 'result']],
  // An item's rows come at all times: in the order of the key each would change a page of its own.
  isUnordered: true,
  isWrittenOnce: true,
  history: {},
} as const satisfies ViewShape

/** Findings that somebody must resolve, and how they were resolved. */
export const resolutions = {
  name: 'fixity-resolutions',
  description: 'Findings that somebody must settle: internal, external or by a decision.',
  key: ['store', 'path', 'resolution'],
  columns: {
    store: 'text',
    path: 'text',
    resolution: 'text',
    status: text<'open' | 'closed'>(),
    summary: text(),
    class: text(),
    row: text(),
    openedAt: text(),
    closedAt: 'text',
    how: 'text',
    actor: 'text',
    reason: 'text',
  },
  indexes: [['status', 'openedAt']],
  history: { by: [['status', 'openedAt']] },
} as const satisfies ViewShape

export const stores = {
  name: 'fixity-stores',
  description: 'The stores and the rules for checking them.',
  key: ['store'],
  columns: {
    store: 'text',
    kind: text<'folder' | 'external'>(),
    root: 'text',
    intervalDays: 'integer',
    lagSeconds: 'integer',
    replica: 'integer',
    awaySeconds: integer(),
    registeredAt: 'text',
    /** Since when no machine finds anything of it, as far as it was told; `words` says who does. */
    awaySince: 'text',
    /** What was found instead. */
    away: 'text',
    /** Since when its absence is a finding. */
    goneAt: 'text',
    /** What machines last said, where one of them does not find it. */
    words: json<Sightings['words']>(),
  },
  history: {},
} as const satisfies ViewShape

/** For monitoring, which must not look through a million rows: items as the report counts them, a row for all of a kind. */
export const counts = {
  name: 'fixity-counts',
  description:
    'How many items of a store are in each state, become late in each hour, and were looked at last on each day.',
  key: ['of', 'store', 'value'],
  columns: {
    of: text<'state' | 'late' | 'looked'>(),
    store: 'text',
    /**
     * The state; the hour of `lateAfter`, and the state (`2026-01-31T12 verified`); the day of the last check, of what has none
     * that of its record.
     */
    value: 'text',
    count: integer(),
  },
  history: {},
} as const satisfies ViewShape

/** What `counts` said on the days before, by UTC: the report of each day that is past. */
export const days = {
  name: 'fixity-days',
  description:
    'How many items of a store were in each state at the end of a day, and how many became late or ceased to be. A day without a row is as the one before.',
  key: ['store', 'of', 'state', 'day'],
  columns: {
    store: 'text',
    of: text<'state' | 'late'>(),
    /** With `late` the state of those that were late. */
    state: 'text',
    day: 'text',
    /**
     * With `state` how many there were at the end of the day. With `late`, of those that are not late any more, how many more became late
     * on that day than ceased to be: the sum up to a day is how many were late when it ended.
     */
    items: integer(),
  },
  history: {},
} as const satisfies ViewShape

type StoreSightings = Partial<Pick<RowOf<typeof stores>, 'words' | 'awaySince' | 'goneAt' | 'awaySeconds'>>

/** A view that an older program folded answers until it is folded anew: it has nothing of this. */
export const sightingsIn = ({ words = {}, awaySince = null, goneAt = null }: StoreSightings): Sightings => ({
  words,
  since: awaySince,
  goneAt,
})

/** Where a store stands by its row: time alone makes it gone. */
export const standingIn = (row: StoreSightings, now: string): Standing =>
  standingOf(sightingsIn(row), row.awaySeconds ?? defaultAwaySeconds, now)

export const views = [
  items,
  claims,
  batches,
  requests,
  requestPlaces,
  bitLog,
  resolutions,
  stores,
  counts,
  days,
] as const
