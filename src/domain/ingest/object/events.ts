import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { EmbargoWord } from '../../kernel/embargo.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { BatchId, CollectionName, JobNumber, LocalId, Owner, ProfileName } from '../ids.ts'
import { Description, Mode, maxListedFiles, ObjectFile, pageOf } from '../payload.ts'
import { Difference } from './storage.ts'

/* Streams: `ingestObject-<ark>`, one per object: the holder of its identifier, and its versions. */

/** A job, and the fence of the claim under which it works. */
const holder = { job: JobNumber, fence: PositiveInteger }

const ArkReserved = t.type({ ...holder, at: Time })
const ObjectClaimed = t.type({ ...holder, at: Time })

const FilesListed = t.type({
  ...holder,
  version: PositiveInteger,
  /** Position of the first of these among the version's files, from 0. */
  from: NonNegativeInteger,
  files: pageOf(ObjectFile, maxListedFiles),
})

/** Metadata of an object for other systems, without its files. */
export const ObjectFacts = t.intersection(
  [
    t.type({
      batch: BatchId,
      profile: ProfileName,
      collection: CollectionName,
      owner: Owner,
      localIds: t.array(LocalId),
      mode: Mode,
    }),
    t.partial({
      description: Description,
      /** The last day (UTC) on which nothing of the object is to be shown. Absent in older events: not known. */
      embargoUntil: EmbargoWord,
    }),
  ],
  'object facts',
)
export type ObjectFacts = t.TypeOf<typeof ObjectFacts>

const VersionStored = t.type({
  ...holder,
  version: PositiveInteger,
  /** Digest of the version's inventory, as stored. */
  inventoryDigest: Text,
  /** Number of all files of the version, and their bytes. */
  files: NonNegativeInteger,
  bytes: NonNegativeInteger,
  /** The last of them; the others were listed before. */
  listed: pageOf(ObjectFile, maxListedFiles),
  object: ObjectFacts,
  at: Time,
})

const StorageDiffered = t.type({ differences: t.readonlyArray(Difference), at: Time })
const StorageAgreed = t.type({ at: Time })

const FilesAdopted = t.type({
  version: PositiveInteger,
  /** Position of the first of these among the version's files, from 0. */
  from: NonNegativeInteger,
  files: pageOf(ObjectFile, maxListedFiles),
})

const VersionAdopted = t.intersection([
  t.type({
    version: PositiveInteger,
    inventoryDigest: Text,
    /** Number of all files of the version, and their bytes. */
    files: NonNegativeInteger,
    bytes: NonNegativeInteger,
    /** The last of them; the others were adopted before. */
    listed: pageOf(ObjectFile, maxListedFiles),
    reason: Text,
    at: Time,
  }),
  /** As the version describes itself. */
  t.partial({ object: ObjectFacts }),
])

const VersionsSetAside = t.type({
  /** The last version that is left; 0 = the object was removed from storage. */
  keep: NonNegativeInteger,
  /** The folder with a copy of the whole object in its previous state. */
  folder: Text,
  reason: Text,
  at: Time,
})

export const objectEvents = eventSet(
  eventSpec('ArkReserved', 'The identifier belongs to a job: no other one gets it.', ArkReserved),
  eventSpec('ObjectClaimed', 'A job alone may store a version of the object.', ObjectClaimed),
  eventSpec('FilesListed', 'Files of a version that is being stored.', FilesListed),
  eventSpec('VersionStored', 'Storage holds the version; all of its files are listed.', VersionStored),
  eventSpec('StorageDiffered', 'Storage holds something else than the log knows.', StorageDiffered),
  eventSpec('StorageAgreed', 'Storage holds what the log knows, and nothing else.', StorageAgreed),
  eventSpec('FilesAdopted', 'Files of a version that a person adopts.', FilesAdopted),
  eventSpec(
    'VersionAdopted',
    'A person adopted a version that storage held, and the log did not know.',
    VersionAdopted,
  ),
  eventSpec(
    'VersionsSetAside',
    'A person had versions that the log did not know taken out of storage.',
    VersionsSetAside,
  ),
)

export type ObjectEvent = EventsOf<typeof objectEvents>
