import { integer, json, type RowOf, text, type ViewShape } from '../kernel/view.ts'
import type { BagRule, BagStructure, Verdict } from './bags/judging.ts'
import type { Checksum } from './checksum.ts'
import type { Differences } from './comparison/events.ts'
import type { Queue } from './events.ts'
import type { EndedFinding, Outcome, State } from './item-states.ts'
import { defaultAwaySeconds, type NewFiles } from './store/events.ts'
import { type Sightings, type Standing, standingOf } from './store/sightings.ts'

export interface IndexEntry {
  readonly checksums: readonly Checksum[]
  /** Bytes. */
  readonly size?: number
}

/** Each item's current state, and its next check. */
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
    /**
     * Outcome of the last finished check since it was recorded: `success`, `failure`, `unverified`; null if there is
     * none.
     */
    outcome: text<Outcome | null>(),
    /** 1 if that check compared the content with a first reading alone, and with no checksum that others recorded. */
    baseline: integer(),
    /** 1 if that check did not read the content, which was there: what it compared is what the storage reports. */
    unread: integer(),
    /**
     * 1 if the last observation found witnesses that differ, and a record may be in flight: the item is checked again.
     */
    suspect: integer(),
    /** Observation of the last finished check, if that was a failure. */
    failedOn: 'text',
    /** A person's settlement of the last finding, and the observation that it ended; null if none was ended so. */
    settlement: json<EndedFinding | null>(),
    /** Number of open findings about it. */
    open: integer(),
    /**
     * Number of recorded checksums that cannot be compared: no digests, of an unknown algorithm, or two that differ.
     */
    unusable: integer(),
    /** 1 if its last observation found a symbolic link, and an earlier one a file. */
    link: integer(),
    /** 1 if it was deleted on purpose, or was never recorded and does not exist. */
    removed: integer(),
    /** 1 if three attempts failed: the item waits for a person. */
    parked: integer(),
    size: 'integer',
    /** The audit log's record. */
    checksums: json<readonly Checksum[]>(),
    /** The content index's entry, a witness of its own: it is a copy, which can be wrong. Null if it has no entry. */
    indexed: json<IndexEntry | null>(),
    /**
     * `own`: our copy of the audit log's record. `outside`: another index that reports its entries, which takes
     * precedence over ours.
     */
    indexedBy: text<'own' | 'outside' | null>(),
    recordedFrom: 'text',
    recordedAt: 'text',
    lastChecked: 'text',
    /** Time of the last check that read the content and found it as recorded. */
    lastVerified: 'text',
    /** Time of the last check that found the item as recorded, whether it read the content or not. */
    lastAgreed: 'text',
    /**
     * Time of the next check by the schedule or the item's own stream; null if none is due. `requests` may hold an
     * earlier one.
     */
    due: 'text',
    /** Time from which it counts as late: the date of the schedule, whatever checks were requested in between. */
    lateAfter: 'text',
    queue: text<Queue>(),
    /** Time from which a worker may claim it: the deadline of the current claim, else its due time. */
    available: 'text',
    /** Deadline of the current claim; null if there is none. */
    heldUntil: 'text',
    /** Failed attempts of this run. */
    attempts: integer(),
    /** `attempts` if there are any, else null, which keeps an index small. */
    retry: 'integer',
    row: 'text',
    because: 'text',
    /** Revision of the last event in its own stream. */
    revision: integer(),
    /** 1 while its own stream has a check under way or requested: the check is then decided there. */
    ownRun: integer(),
    /** 1 if an observation since this record saw a file, and no symbolic link. */
    seenAsFile: integer(),
  },
  indexes: [
    ['store', 'queue', 'available'],
    // The states of folders are counted, and their files listed, without reading the rows, which are wide.
    ['store', 'folder', 'state', 'path', 'size'],
  ],
  history: { by: [['state']] },
} as const satisfies ViewShape

/**
 * Matches items with failed attempts. A view that an older program folded is read until it is rebuilt: its index is on
 * `attempts`.
 */
export const triedInVain = (view: ViewShape | undefined) =>
  ({ column: view?.columns.retry ? 'retry' : 'attempts', is: '>', value: 0 }) as const

/** False for a view that an older program folded: it is read until it is rebuilt, and has no column `unread`. */
export const hasUnread = (view: ViewShape | undefined): boolean => view?.columns.unread !== undefined

/** The columns of `wasAsRecorded` that a view has. */
export const asRecordedColumns = (view: ViewShape | undefined) =>
  hasUnread(view) ? (['lastVerified', 'lastAgreed'] as const) : (['lastVerified'] as const)

/** Whether a check has found the item as recorded. A view that an older program folded has no `lastAgreed`. */
export const wasAsRecorded = ({
  lastVerified,
  lastAgreed = null,
}: Pick<RowOf<typeof items>, 'lastVerified'> & { readonly lastAgreed?: string | null }): boolean =>
  (lastAgreed ?? lastVerified) !== null

/** The checks under way, with holder and deadline. */
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

/** Batches: checks of many items that a worker does together. */
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
    /** Position of the claim in the log: an item in two batches belongs to the first. */
    position: integer(),
  },
  indexes: [['deadline'], ['store']],
} as const satisfies ViewShape

/**
 * Checks requested for many items at rest in one event. The items' rows do not change: an item waits here until its
 * next check, or until its own stream schedules one.
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
    /** Number of waiting items. */
    items: integer(),
    /** In the order of the requests. */
    paths: json<readonly string[]>(),
    /** Position of the request in the log. */
    position: integer(),
  },
  indexes: [['store', 'queue', 'due', 'position']],
  history: {},
} as const satisfies ViewShape

/** The path ranges of a store's requests: the requests of an item are found without reading the others. */
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
    /** 1 for a success whose check did not read the content. */
    unread: integer(),
    because: 'text',
    row: 'text',
    pattern: 'text',
    recorded: 'text',
    found: 'text',
    position: 'integer',
  },
  // With the result, a million checks are counted without their rows.
  indexes: [['at', 'result', 'unread']],
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
    /** Reference of the person who is to settle it; null: nobody in particular. */
    assignee: 'text',
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
    /** Bytes that its checks may read in a day of UTC; null: no limit. */
    bytesPerDay: 'integer',
    /** Treatment of new files that a comparison finds; null: the store is not compared. */
    newFiles: text<NewFiles | null>(),
    compareHours: 'integer',
    registeredAt: 'text',
    /** Time since when no machine finds any of it, as far as that was reported; `words` names the machines that do. */
    awaySince: 'text',
    /** Reason: what was found instead of the content. */
    away: 'text',
    /** Time from which its absence is a finding. */
    goneAt: 'text',
    /** The last report of each machine, if one of them does not find it. */
    words: json<Sightings['words']>(),
  },
  history: {},
} as const satisfies ViewShape

/** Counts for monitoring, which must not scan a million rows: items as the report counts them, one row per kind. */
export const counts = {
  name: 'fixity-counts',
  description:
    'How many items of a store are in each state, become late in each hour, and were looked at last on each day; the unread ones apart.',
  key: ['of', 'store', 'value'],
  columns: {
    of: text<'state' | 'late' | 'looked' | 'unread'>(),
    store: 'text',
    /**
     * With `state`, the state. With `late`, the hour of `lateAfter`, and the state (`2026-01-31T12 verified`). With
     * `looked`, the day of the last check, or of the record if there is none; with `unread`, the same of items in that
     * state, which `looked` leaves out.
     */
    value: 'text',
    count: integer(),
  },
  history: {},
} as const satisfies ViewShape

/** The values of `counts` on earlier days, by UTC: the report of each past day. */
export const days = {
  name: 'fixity-days',
  description:
    'How many items of a store were in each state at the end of a day, and how many became late or ceased to be. A day without a row is as the one before.',
  key: ['store', 'of', 'state', 'day'],
  columns: {
    store: 'text',
    of: text<'state' | 'late'>(),
    /** With `late`, the state of the late items. */
    state: 'text',
    day: 'text',
    /**
     * With `state`, the number of items at the end of the day. With `late`, of the items that are no longer late, how
     * many more became late on that day than ceased to be: the sum up to a day is the number that were late at its end.
     */
    items: integer(),
  },
  history: {},
} as const satisfies ViewShape

/** Items and bytes of a store that checks read, day by day: its byte budget is held against them. */
export const reads = {
  name: 'fixity-reads',
  description: 'How many items and bytes of a store the checks of each day of UTC read.',
  key: ['store', 'day'],
  columns: {
    store: 'text',
    /** The day on which the log has the outcome. */
    day: 'text',
    /** Checks that ended, also those of which nothing could be read. */
    checks: integer(),
    /** A reading that failed counts with the recorded size. */
    bytes: integer(),
  },
  history: {},
} as const satisfies ViewShape

/** Requests to the buckets of stores, as processes have recorded them. */
export const bucketUse = {
  name: 'fixity-bucket-use',
  description:
    'How many requests the bucket of a store got on each day of UTC, by class, and how many bytes.',
  key: ['store', 'day'],
  columns: {
    store: 'text',
    day: 'text',
    gets: integer(),
    heads: integer(),
    lists: integer(),
    /** Any other request that writes. */
    puts: integer(),
    deletes: integer(),
    /** As answers announced them. */
    bytesRead: integer(),
    bytesWritten: integer(),
  },
  history: {},
} as const satisfies ViewShape

/** Bags as they were listed last. What checks have found since is in the items: `verdict` is of `judgedAt`. */
export const bags = {
  name: 'fixity-bags',
  description: 'Each bag: valid or not since when, by which rule, and its structure as it was listed last.',
  key: ['store', 'bag'],
  columns: {
    store: 'text',
    /** Path of its folder; `.` is the root of the store. */
    bag: 'text',
    verdict: text<Verdict>(),
    /** Time since which it has this verdict. */
    since: text(),
    rule: text<BagRule>(),
    because: text(),
    structure: json<BagStructure>(),
    judgedAt: text(),
  },
  indexes: [['rule', 'since']],
  history: {},
} as const satisfies ViewShape

/** The last comparison of each store with its record. */
export const comparisons = {
  name: 'fixity-comparisons',
  description: 'Files of each store that are new, missing, moved or changed in size, by its last comparison.',
  key: ['store'],
  columns: {
    store: 'text',
    /** Null before the first one. */
    comparedAt: 'text',
    new: integer(),
    missing: integer(),
    moved: integer(),
    changed: integer(),
    unlisted: integer(),
    /** Files that were new, and that this comparison had recorded. */
    takenIn: integer(),
    first: json<Differences['first']>(),
    /** Requests of people to have new files recorded that no comparison has answered yet. */
    requests: json<readonly { readonly at: string; readonly prefix: string; readonly isFile?: true }[]>(),
  },
  history: {},
} as const satisfies ViewShape

/** Reports that were mailed on a schedule. */
export const sentReports = {
  name: 'fixity-reports',
  description: 'Reports that were mailed when their period ended: to whom, and whether all was well.',
  key: ['schedule', 'until'],
  columns: {
    schedule: 'text',
    /** Period of the report. */
    until: 'text',
    since: text(),
    /** Null: of all stores. */
    store: 'text',
    subject: text(),
    isWell: integer(),
    /** References of those whom the mail server took it for; none if all was well and nobody wanted to know. */
    to: json<readonly string[]>(),
    refused: json<readonly string[]>(),
    sentAt: text(),
  },
  indexes: [['sentAt']],
  history: {},
} as const satisfies ViewShape

type StoreSightings = Partial<Pick<RowOf<typeof stores>, 'words' | 'awaySince' | 'goneAt' | 'awaySeconds'>>

/** A view that an older program folded is read until it is rebuilt: it lacks these columns. */
export const sightingsIn = ({ words = {}, awaySince = null, goneAt = null }: StoreSightings): Sightings => ({
  words,
  since: awaySince,
  goneAt,
})

/** A store's standing by its row: it becomes `gone` by time alone. */
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
  reads,
  bucketUse,
  bags,
  comparisons,
  sentReports,
] as const
