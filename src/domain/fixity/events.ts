import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../kernel/event-set.ts'
import { ClaimExpired, ClaimReleased, claimEvents } from '../kernel/task.ts'
import { StoredChecksum } from './checksum.ts'
import { stored } from './messages.ts'
import { Misreading } from './misreading.ts'
import { byReference, withBasis, withoutMisreading } from './upcasts.ts'

/*
 * Streams: `fixity-<store>/<path>`, one per item, its whole life: each record, each claim, each decision. Times are ISO
 * 8601 UTC. A run is one scheduled or requested check; it has up to three attempts.
 */

/** Position of an attempt in its run: any before the penultimate is `first`. */
export const Attempt = t.keyof({ first: null, penultimate: null, last: null }, 'attempt')
export type Attempt = t.TypeOf<typeof Attempt>

/** Work in `high` is claimed before work in `low`. */
export const Queue = t.keyof({ high: null, low: null }, 'queue')
export type Queue = t.TypeOf<typeof Queue>

/**
 * The party that can resolve it: Fonds, from a second copy or by correcting a record; the storage provider; or a
 * person's decision.
 */
export const ResolutionClass = t.keyof({ internal: null, external: null, manual: null }, 'resolution class')
export type ResolutionClass = t.TypeOf<typeof ResolutionClass>

/** The decision's result for the item. `retry` and `deferred` end an attempt, the others the run. */
export const Outcome = t.keyof(
  { success: null, failure: null, unverified: null, nothing: null, retry: null, deferred: null },
  'outcome',
)
export type Outcome = t.TypeOf<typeof Outcome>

/** Required follow-ups. Each is also an event of its own beside the decision. */
export const FollowUp = t.keyof(
  { resolve: null, 'correct-index': null, 'supplement-audit': null, 'remove-index': null, 're-audit': null },
  'follow-up',
)
export type FollowUp = t.TypeOf<typeof FollowUp>

/** A witness with its source and the time of its report. */
const Heard = t.type({ source: Text, heardAt: Time })
const HeardWord = t.intersection([stored.Word, Heard], 'word heard')

/** Our own index had not yet folded all events of the item. Positions in the log, as decimal text. */
export const LaggingIndex = t.type(
  { status: t.literal('lagging'), behind: Text, needed: Text },
  'lagging index',
)
export type LaggingIndex = t.TypeOf<typeof LaggingIndex>

/** All inputs of a decision, as they were received. */
export const Evidence = t.intersection(
  [
    t.type({
      content: t.intersection([stored.ContentObservation, Heard]),
      storage: t.intersection([stored.StorageObservation, Heard]),
      index: t.union([HeardWord, t.intersection([LaggingIndex, Heard])]),
      audit: HeardWord,
    }),
    /** The observer's values of index and audit log, if we have a record of our own: that is in `index` and `audit`. */
    t.partial({ observedIndex: HeardWord, observedAudit: HeardWord }),
  ],
  'evidence',
)
export type Evidence = t.TypeOf<typeof Evidence>

const ContentRecorded = t.intersection([
  t.type({ checksums: t.array(StoredChecksum), recordedFrom: Text, at: Time, dueAt: Time }),
  t.partial({ size: NonNegativeInteger, version: Text }),
])
const ContentRemoved = t.intersection([
  t.type({ at: Time, dueAt: Time }),
  t.partial({
    reason: Text,
    /** There was no such content: a person took back an item whose name was misread. */
    misread: Misreading,
    /** The file that was meant. */
    file: Text,
  }),
])
const IndexRecorded = t.intersection([
  t.type({ checksums: t.array(StoredChecksum), at: Time }),
  t.partial({ size: NonNegativeInteger }),
])
const IndexRemoved = t.type({ at: Time })

const CheckRequested = t.type({ queue: Queue, dueAt: Time, reason: Text })
const CheckClaimed = t.intersection([
  t.type({
    holder: Text,
    fence: PositiveInteger,
    deadline: Time,
    attempt: Attempt,
    run: PositiveInteger,
  }),
  /** How long the holder may be silent, in milliseconds: `deadline` comes from a clock that may be wrong. */
  t.partial({ millis: PositiveInteger }),
])

const FixityDecided = t.intersection([
  t.type({
    run: PositiveInteger,
    attempt: Attempt,
    evidence: Evidence,
    /**
     * content·storage·index·audit; same letter = same value, - = absent, n = not attempted, ? = not comparable, x =
     * removed.
     */
    pattern: Text,
    /**
     * F1 … F11, `clause 1` … `clause 7` of the total rule, `contradiction`, or the cause of a deferral: `changing`,
     * `lagging`.
     */
    row: Text,
    outcome: Outcome,
    /** One sentence for a person. */
    because: Text,
    followUps: t.array(FollowUp),
    observedAt: Time,
    /** Time of the next check; null if none is due. */
    dueAt: t.union([Time, t.null]),
  }),
  /** A symbolic link leads to it now, and an earlier observation since this record saw a file. */
  t.partial({ becameLink: t.literal(true) }),
])
const AttemptFailed = t.type({
  run: PositiveInteger,
  attempt: Attempt,
  error: Text,
  /** Null if the run is over: the item is parked. */
  dueAt: t.union([Time, t.null]),
  at: Time,
})
const CheckParked = t.type({ run: PositiveInteger, error: Text, at: Time })
const CheckRevived = t.type({ reason: Text, dueAt: Time })

const ResolutionOpened = t.type({
  resolution: Text,
  class: ResolutionClass,
  row: Text,
  summary: Text,
  at: Time,
})
/** `verified` comes from a later check, the others from a person. */
export const Settlement = t.keyof(
  { repaired: null, accepted: null, lost: null, 'false-alarm': null, verified: null },
  'settlement',
)
export type Settlement = t.TypeOf<typeof Settlement>

/**
 * The settlements that end a finding for what was observed. `repaired` and `false-alarm` are claims, which the next
 * check verifies.
 */
export type Ending = Extract<Settlement, 'accepted' | 'lost'>
export const isEnding = (how: Settlement): how is Ending => how === 'accepted' || how === 'lost'

const ResolutionClosed = t.type({
  resolution: Text,
  how: Settlement,
  reason: Text,
  at: Time,
})
const ResolutionAssigned = t.intersection([
  t.type({ resolution: Text, reason: Text, at: Time }),
  /** Reference of the person who is to settle it; absent: nobody any more. */
  t.partial({ to: Text }),
])
const IndexCorrected = t.intersection([
  t.type({ checksums: t.array(StoredChecksum), from: t.keyof({ audit: null, storage: null }), at: Time }),
  t.partial({ size: NonNegativeInteger }),
])
const IndexEntryRemoved = t.type({ at: Time })
const AuditSupplemented = t.type({
  checksums: t.array(StoredChecksum),
  from: t.keyof({ storage: null, content: null }),
  at: Time,
})
const ReauditRequested = t.type({ row: Text, at: Time })

/** Fields of a check of one version, beside its verdict. */
export const versionFields = {
  /** The storage's own name of the version. */
  versionId: Text,
  content: stored.ContentObservation,
  storage: stored.StorageObservation,
  /** Records of ours that are of this version. */
  records: t.array(
    t.intersection([
      t.type({ source: Text, checksums: t.array(StoredChecksum) }),
      t.partial({ size: NonNegativeInteger }),
    ]),
  ),
  observedAt: Time,
}
const VersionChecked = t.type({
  ...versionFields,
  outcome: t.keyof(
    { agrees: null, differs: null, unread: null, 'not-compared': null },
    'outcome of a check of a version',
  ),
  /** One sentence for a person. */
  because: Text,
  reason: Text,
  at: Time,
})

export const events = eventSet(
  eventSpec('ContentRecorded', 'The audit log says what the content is.', ContentRecorded, 2, {
    1: withBasis.ContentRecorded,
  }),
  eventSpec(
    'ContentRemoved',
    'The audit log says the content was deleted on purpose, or a person that there was none of this name.',
    ContentRemoved,
    2,
    { 1: withoutMisreading },
  ),
  eventSpec('IndexRecorded', 'The content index says what it holds.', IndexRecorded),
  eventSpec('IndexRemoved', 'The content index dropped its entry.', IndexRemoved),
  eventSpec('CheckRequested', 'Somebody or something wants a check before its turn.', CheckRequested),
  ...claimEvents('CheckClaimed', 'the check', {
    claimed: CheckClaimed,
    released: ClaimReleased,
    expired: ClaimExpired,
  }),
  eventSpec('FixityDecided', 'What the witnesses together say of the item.', FixityDecided, 2, {
    1: withBasis.FixityDecided,
  }),
  eventSpec('AttemptFailed', 'The check could not be done: nothing is said of the content.', AttemptFailed),
  eventSpec('CheckParked', 'Three attempts failed: the check waits for a person.', CheckParked),
  eventSpec('CheckRevived', 'A person put a parked check back to work.', CheckRevived),
  eventSpec('ResolutionOpened', 'A finding that somebody must settle.', ResolutionOpened),
  eventSpec('ResolutionClosed', 'A finding was settled.', ResolutionClosed),
  eventSpec('ResolutionAssigned', 'A finding was given to somebody to settle.', ResolutionAssigned, 2, {
    1: byReference.ResolutionAssigned,
  }),
  eventSpec('IndexCorrected', 'The content index entry is to be this.', IndexCorrected),
  eventSpec('IndexEntryRemoved', 'The content index entry of removed content is to go.', IndexEntryRemoved),
  eventSpec('AuditSupplemented', 'Checksums that the audit log lacked.', AuditSupplemented),
  eventSpec(
    'VersionChecked',
    'Somebody had one version checked, which may not be the current one: evidence about that version alone.',
    VersionChecked,
  ),
  eventSpec('ReauditRequested', 'The audit log must look at this item again.', ReauditRequested),
)

export type FixityEvent = EventsOf<typeof events>
