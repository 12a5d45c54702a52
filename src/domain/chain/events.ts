import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import { EmbargoWord } from '../kernel/embargo.ts'
import { streamName } from '../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../kernel/event-set.ts'
import { RuleName } from './rules.ts'

/*
 * Streams: `dossier-<object>`, one for each object that ingest stored: what came to it from the workflows, and what was sent to
 * them. What is routine in them stays there: no event of a file that a check found as it was.
 */

export const category = 'dossier'
export const dossierStream = (object: string): string => streamName(category, object)

const ObjectStored = t.intersection([
  t.type({
    version: PositiveInteger,
    /** Number of all files of the version, and their bytes. */
    files: NonNegativeInteger,
    bytes: NonNegativeInteger,
    inventoryDigest: Text,
    localIds: t.array(Text),
    /** False if a later version was known before: what stands at the top of the object is then not this version's. */
    isLast: t.boolean,
    at: Time,
  }),
  /**
   * Absent from an adopted version that does not describe itself; `job` from every adopted one. `rules`: those that were on, and
   * that hand the version over; absent: fixity alone.
   */
  t.partial({ batch: Text, job: PositiveInteger, profile: Text, rules: t.array(RuleName) }),
])

/** An archive file of an object; the name of its repository in indexing is that of the store. */
const ArchiveFile = t.intersection(
  [
    t.type({
      /** As indexing knows it. */
      name: Text,
      /** From the storage root. */
      path: Text,
      sha256: Text,
    }),
    t.partial({ size: NonNegativeInteger }),
  ],
  'archive file of an object',
)
export type ArchiveFile = t.TypeOf<typeof ArchiveFile>

const ArchivesListed = t.type({
  version: PositiveInteger,
  store: Text,
  files: t.array(ArchiveFile),
  at: Time,
})

const ContentHandedOver = t.intersection([
  t.type({
    version: PositiveInteger,
    rule: RuleName,
    /** The store of fixity, and the repository of indexing, that has them. */
    store: Text,
    /** Number of files that were handed over. To fixity: content, and the records beside it. To indexing: archive files. */
    parts: NonNegativeInteger,
    /** Number of those at the top of the object, which the next version takes over; `parts` leaves them out. */
    shared: NonNegativeInteger,
    at: Time,
  }),
  /** Under which embargo, to indexing. */
  t.partial({ embargoUntil: EmbargoWord }),
])
const HandOverFailed = t.type({ version: PositiveInteger, rule: RuleName, reason: Text, at: Time })

const PartsVerified = t.type({ version: PositiveInteger, parts: NonNegativeInteger, at: Time })

/** A file of the object, by its path in the store. */
const part = { store: Text, path: Text }

/** `differs`: it is not as recorded. `unreadable`: no check could be done. `lost`: a person declared it lost. */
export const FailureKind = t.keyof({ differs: null, unreadable: null, lost: null }, 'kind of failure')
export type FailureKind = t.TypeOf<typeof FailureKind>

const PartFailed = t.type({ ...part, kind: FailureKind, finding: Text, at: Time })
/**
 * `verified`: a check read it, and found it as recorded. `accepted`: a person accepted it as it is. `withdrawn`: it is no longer
 * expected.
 */
export const ClearedBy = t.keyof(
  { verified: null, accepted: null, withdrawn: null },
  'how a part was cleared',
)
export type ClearedBy = t.TypeOf<typeof ClearedBy>
const PartCleared = t.type({ ...part, how: ClearedBy, at: Time })

const ArchiveIndexed = t.type({
  store: Text,
  name: Text,
  /** Number of its captures in the index. */
  lines: NonNegativeInteger,
  at: Time,
})
const ArchiveFailed = t.type({ store: Text, name: Text, finding: Text, at: Time })

const VersionsWithdrawn = t.type({
  /** The last version that is left; 0: none. */
  keep: NonNegativeInteger,
  reason: Text,
  at: Time,
})
const ContentWithdrawn = t.type({
  keep: NonNegativeInteger,
  rule: RuleName,
  /** Number of files that are checked no more, or indexed no more. */
  parts: NonNegativeInteger,
  /** Number of files at the top of the object that are those of an earlier version again. */
  shared: NonNegativeInteger,
  at: Time,
})
const DossierClosed = t.type({ reason: Text, at: Time })

export const dossierEvents = eventSet(
  eventSpec('ObjectStored', 'A version of the object is stored.', ObjectStored),
  eventSpec(
    'ArchivesListed',
    'Archive files that the version brought, which are to be indexed where they lie.',
    ArchivesListed,
  ),
  eventSpec(
    'ContentHandedOver',
    'All that the version brought was handed over to the workflow that a rule names.',
    ContentHandedOver,
  ),
  eventSpec(
    'HandOverFailed',
    'The version cannot be handed over as storage has it: a person must see to it.',
    HandOverFailed,
  ),
  eventSpec(
    'PartsVerified',
    'Each file that the version brought was read once at least, and found as recorded.',
    PartsVerified,
  ),
  eventSpec('PartFailed', 'A file of the object is not well: the object is at risk.', PartFailed),
  eventSpec('PartCleared', 'A file that was not well is well again.', PartCleared),
  eventSpec(
    'ArchiveIndexed',
    'An archive file is in the index, for the first time or after it could not be.',
    ArchiveIndexed,
  ),
  eventSpec('ArchiveFailed', 'An archive file could not be indexed: the object is at risk.', ArchiveFailed),
  eventSpec('VersionsWithdrawn', 'Versions of the object were taken out of storage.', VersionsWithdrawn),
  eventSpec(
    'ContentWithdrawn',
    'A workflow has nothing to do with their files any more; their history stays.',
    ContentWithdrawn,
  ),
  eventSpec('DossierClosed', 'Storage holds nothing of the object any more.', DossierClosed),
)
export type DossierEvent = EventsOf<typeof dossierEvents>
