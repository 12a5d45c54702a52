import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import { Day } from '../kernel/day.ts'
import { type EventsOf, eventSet, eventSpec } from '../kernel/event-set.ts'
import { ClaimExpired, ClaimReleased, claimEvents } from '../kernel/task.ts'
import { Location } from './file.ts'
import { Kind, KnownKind } from './kind.ts'
import { FailureCode, Loss } from './outcome.ts'
import { Place } from './place.ts'
import { RunPlace } from './run-place.ts'

/*
 * Streams: `indexing-<repository>/<name>`, one per file, its whole life: each sighting with news, each claim, each
 * outcome. Times are ISO 8601 UTC. `dueAt` is the time of the next job; null: none is due.
 */

const Due = t.union([Time, t.null])

const FileDiscovered = t.intersection([Place, t.type({ kind: Kind, at: Time, dueAt: Due })])
const FileAdopted = t.intersection([t.type({ kind: Kind, at: Time }), t.partial({ place: Place })])
const KindGiven = t.type({ kind: KnownKind, at: Time, dueAt: Time })
const ContentChanged = t.intersection([Place, t.type({ at: Time, dueAt: Due })])
const FileSeenAgain = t.type({ at: Time, dueAt: Time })
const FileMoved = t.intersection([Place, t.type({ at: Time, dueAt: Due })])

const CopySighted = t.intersection([Place, t.type({ at: Time, dueAt: Time })])
const CopyConfirmed = t.intersection([Place, t.type({ at: Time })])
const CopyGone = t.intersection([Place, t.type({ at: Time })])
const ConflictFound = t.intersection([Place, t.type({ because: Text, at: Time })])

const FileClaimed = t.intersection([
  t.type({
    holder: Text,
    fence: PositiveInteger,
    deadline: Time,
    /** How long the holder may be silent, in milliseconds: `deadline` comes from a clock that may be wrong. */
    millis: PositiveInteger,
  }),
  /** The other location, if the two are to be compared; absent: the file is to be indexed. */
  t.partial({ copy: Location }),
])
/** `until`: earliest time of the next claim, as the worker's machine could not do the job. */
const ReleasedUntil = t.intersection([ClaimReleased, t.partial({ until: Time })])

const FileIndexed = t.intersection([
  t.type({
    fence: PositiveInteger,
    lines: NonNegativeInteger,
    /** SHA-256 of the sorted lines, in hex. */
    digest: Text,
    /** Size of the file as it was read, in bytes. */
    size: NonNegativeInteger,
    modifiedAt: Time,
    warnings: t.array(Text),
    at: Time,
  }),
  t.partial({
    /** Absent in older events, and if the lines are in a file of their own. */
    run: RunPlace,
    /** Present if the file is damaged and was salvaged. */
    loss: Loss,
    /** Keys of responses say what was sent by POST or PUT; absent: they are those of the URL alone. */
    requestKeys: t.literal(true),
  }),
])
const IndexingFailed = t.intersection([
  t.type({
    /**
     * Number of failures since the last success, reset or change; for `lost`, number of times in a row (`lossesAt`).
     */
    failures: PositiveInteger,
    code: FailureCode,
    reason: Text,
    dueAt: Due,
    at: Time,
  }),
  t.partial({ offset: NonNegativeInteger }),
])
const IndexingDeferred = t.type({ size: NonNegativeInteger, modifiedAt: Time, dueAt: Time, at: Time })

const FileParked = t.type({
  /** A file that a person parked stays parked until a person intervenes. */
  by: t.keyof({ failures: null, person: null }),
  reason: Text,
  at: Time,
})
const FileRescued = t.type({ reason: Text, dueAt: Time })
const FileReset = t.intersection([t.type({ reason: Text, dueAt: Time }), t.partial({ kind: KnownKind })])
const FileSalvageRequested = t.type({ reason: Text, dueAt: Time })
const FileWithdrawn = t.intersection([
  t.type({
    /** Fence of the last claim that was granted: its job's results are not accepted. */
    fence: NonNegativeInteger,
    at: Time,
  }),
  t.partial({ reason: Text }),
])

/** `until`: the last day (UTC) on which nothing of the file is shown. */
const EmbargoSet = t.intersection([t.type({ until: Day, at: Time }), t.partial({ reason: Text })])
const EmbargoLifted = t.intersection([t.type({ at: Time }), t.partial({ reason: Text })])

export const events = eventSet(
  eventSpec('FileDiscovered', 'The file was sighted for the first time.', FileDiscovered),
  eventSpec('FileAdopted', 'The file is in the index already, from elsewhere.', FileAdopted),
  eventSpec('KindGiven', 'Somebody said what is to be read from the file.', KindGiven),
  eventSpec('ContentChanged', 'The file has another size or date than before.', ContentChanged),
  eventSpec('FileSeenAgain', 'The file had gone, and is there again.', FileSeenAgain),
  eventSpec('FileMoved', 'The file lies elsewhere, or more is known of where it lies.', FileMoved),
  eventSpec('CopySighted', 'The name was sighted in another place: both are to be compared.', CopySighted),
  eventSpec('CopyConfirmed', 'The other place holds the same bytes: it is one file.', CopyConfirmed),
  eventSpec('CopyGone', 'The other place is empty.', CopyGone),
  eventSpec(
    'ConflictFound',
    'One name has different contents in two places: a person decides.',
    ConflictFound,
  ),
  ...claimEvents('FileClaimed', 'the file', {
    claimed: FileClaimed,
    released: ReleasedUntil,
    expired: ClaimExpired,
  }),
  eventSpec('FileIndexed', 'The lines of the file are in the index, and no others of it.', FileIndexed),
  eventSpec(
    'IndexingFailed',
    'The file could not be indexed: nothing of it reached the index.',
    IndexingFailed,
  ),
  eventSpec('IndexingDeferred', 'The file did not stand still: it is read later.', IndexingDeferred),
  eventSpec('FileParked', 'The file waits for a person.', FileParked),
  eventSpec('FileRescued', 'A person put a parked file back into the queue.', FileRescued),
  eventSpec('FileReset', 'A person wants the file indexed anew, whatever came of it before.', FileReset),
  eventSpec(
    'FileSalvageRequested',
    'A person wants what can still be read of a damaged file.',
    FileSalvageRequested,
  ),
  eventSpec('FileWithdrawn', 'The file and its lines are to go from the index.', FileWithdrawn),
  eventSpec('EmbargoSet', 'Nothing of the file is shown until a day is over.', EmbargoSet),
  eventSpec('EmbargoLifted', 'The file is under no embargo any more.', EmbargoLifted),
)

export type IndexingEvent = EventsOf<typeof events>
export type DataOf<Type extends IndexingEvent['type']> = Extract<IndexingEvent, { type: Type }>['data']
