import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { NonNegativeInteger, Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { Queue } from '../events.ts'

/* Streams: `fixityStore-<name>`, one a store: where it is and how its content is to be checked. */

export const category = 'fixityStore'
export const storeStream = (name: string): string => streamName(category, name)

/** Bounded, so that every due time is one that can be written down. */
const wholeNumber = (minimum: number, maximum: number) =>
  annotate(
    t.refinement(
      t.number,
      (n) => Number.isInteger(n) && n >= minimum && n <= maximum,
      `whole number from ${minimum} to ${maximum}`,
    ),
    { type: 'integer', minimum, maximum },
  )

/** The rules of a store, each by its name. */
export const policyFields = {
  /** Each item is due again within this many days; at most a century. */
  intervalDays: wholeNumber(1, 36_500),
  /** How long a record in flight may take: the wait before the last attempt; at most a day. */
  lagSeconds: wholeNumber(0, 86_400),
  /** True where there is a good second copy to restore content from: bad content is then an `internal` finding. */
  replica: t.boolean,
  /** How long a store may be away before its content counts as gone; at most a year. */
  awaySeconds: wholeNumber(0, 31_536_000),
}

/** Bytes of a store that its checks may read in a day of UTC. */
const bytesPerDay = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** Treatment of files that a comparison finds and nobody has recorded; absent: the store is not compared. */
export const NewFiles = t.keyof({ ask: null, 'take-in': null }, 'what becomes of new files')
export type NewFiles = t.TypeOf<typeof NewFiles>

/** A store is compared with its record once in so many hours; at most a year. */
const compareHours = wholeNumber(1, 8760)
export const defaultCompareHours = 24

const { awaySeconds, ...always } = policyFields

/** Rules by which a store's items are checked. */
export const Policy = t.intersection(
  [t.type(always), t.partial({ awaySeconds, bytesPerDay, newFiles: NewFiles, compareHours })],
  'policy',
)
export type Policy = t.TypeOf<typeof Policy>

/** A change of a policy: fields that are absent stay unchanged. */
export const policyChange = {
  ...policyFields,
  bytesPerDay: annotate(t.union([bytesPerDay, t.literal('unlimited')]), {
    description: 'Bytes that its checks may read in a day of UTC.',
  }),
  newFiles: annotate(t.union([NewFiles, t.literal('off')]), {
    description:
      'Compares the store with its record on a schedule: `ask` names new files, `take-in` records them, `off` ends it.',
  }),
  compareHours,
}
const PolicyChange = t.partial(policyChange)
export type PolicyChange = t.TypeOf<typeof PolicyChange>

export const defaultPolicy: Policy = { intervalDays: 90, lagSeconds: 300, replica: false }

/** A day: long enough for a person to mount a disk, short enough that a loss is reported. */
export const defaultAwaySeconds = 86_400

export const awaySecondsOf = (policy: Policy): number => policy.awaySeconds ?? defaultAwaySeconds

/** `folder`: Fonds reads it. `external`: others observe it, and report on the observations topic. */
export const StoreKind = t.keyof({ folder: null, external: null }, 'store kind')

const StoreRegistered = t.intersection([
  t.type({ kind: StoreKind, policy: Policy, at: Time }),
  t.partial({
    /** Absolute path of the folder. */
    root: Text,
  }),
])
const PolicyChanged = t.type({ policy: Policy, reason: Text, at: Time })
const StoreCheckRequested = t.type({ prefix: t.string, queue: Queue, reason: Text, at: Time })
const StoreRevivalRequested = t.type({ prefix: t.string, reason: Text, at: Time })
/** `place` is the machine whose workers looked. */
const StoreAway = t.type({ place: Text, why: Text, at: Time })
const StoreReturned = t.intersection([
  t.type({ place: Text, at: Time }),
  /** Since when nobody had found it; absent where another machine did. */
  t.partial({ since: Time }),
])
const StoreGone = t.type({ reason: Text, at: Time })

/** How the items of a store that moves were compared, each counted once. */
export const MoveProofs = t.type(
  {
    /** Read at both roots, with the same bytes. */
    same: NonNegativeInteger,
    /** Missing or damaged at the old root; at the new one as recorded. */
    byRecord: NonNegativeInteger,
    /** Missing at both. */
    inNeither: NonNegativeInteger,
    /** Read at the new root. */
    bytes: NonNegativeInteger,
  },
  'proofs of a move',
)
export type MoveProofs = t.TypeOf<typeof MoveProofs>

const StoreMoved = t.type({ from: Text, root: Text, proof: MoveProofs, reason: Text, at: Time })

/** How soon the bytes of archived objects can be read, and at what price. */
export const RestoreTier = t.keyof({ Standard: null, Bulk: null, Expedited: null }, 'tier of a restoration')
export type RestoreTier = t.TypeOf<typeof RestoreTier>

/** Scope and manner of a restoration: fields of an event and of its command. */
export const restoreFields = {
  /** The bucket that is asked. */
  root: Text,
  /** Empty: the whole store. */
  prefix: t.string,
  /** For how long the restored copies are kept; at most a century. */
  days: wholeNumber(1, 36_500),
  tier: RestoreTier,
  /** Archived objects in scope that are neither restored nor being restored. */
  objects: NonNegativeInteger,
  /** Bytes of all of them. */
  bytes: NonNegativeInteger,
}
/** Only this item. */
export const restorePath = { path: Text }

const RestoreRequested = t.intersection([
  t.type({ ...restoreFields, reason: Text, at: Time }),
  t.partial(restorePath),
])

const RestoreAnswered = t.intersection([
  t.type({
    root: Text,
    prefix: t.string,
    /** Objects for which the bucket was asked, and did not refuse. */
    accepted: NonNegativeInteger,
    /** Refused, or not asked for after a refusal that concerns all. */
    refused: NonNegativeInteger,
    at: Time,
  }),
  t.partial({
    ...restorePath,
    /** The first refusal, in a sentence. */
    why: Text,
  }),
])

export const storeEvents = eventSet(
  eventSpec('StoreRegistered', 'A store of content is known.', StoreRegistered),
  eventSpec('PolicyChanged', 'The rules for checking a store changed.', PolicyChanged),
  eventSpec(
    'StoreCheckRequested',
    'Somebody wants all of a store, or what is below a prefix, checked now.',
    StoreCheckRequested,
  ),
  eventSpec(
    'StoreRevivalRequested',
    'Somebody wants the parked checks of a store, or those below a prefix, to go on.',
    StoreRevivalRequested,
  ),
  eventSpec('StoreAway', 'A machine finds nothing of what is recorded of a store.', StoreAway),
  eventSpec('StoreReturned', 'A machine finds content of a store that was away.', StoreReturned),
  eventSpec(
    'StoreGone',
    'A store was away for as long as its policy waits, or a person said so: its absence is a finding.',
    StoreGone,
  ),
  eventSpec('StoreMoved', 'A store has another root: its content was compared at both.', StoreMoved),
  eventSpec(
    'RestoreRequested',
    'Somebody has archived objects of a bucket restored, which costs money.',
    RestoreRequested,
  ),
  eventSpec('RestoreAnswered', 'The bucket was asked for a restoration, and answered.', RestoreAnswered),
)

export type StoreEvent = EventsOf<typeof storeEvents>
