import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import { EmbargoWord } from '../kernel/embargo.ts'
import { type EventsOf, eventSet, eventSpec } from '../kernel/event-set.ts'

/*
 * Events of other workflows that the chain reads, with the fields that it needs of each. A test reads every stored example of
 * these events: whoever changes one of them finds out here.
 */

/** Lower-case hex of a SHA-256. */
const Sha256 = t.refinement(t.string, (s) => /^[0-9a-f]{64}$/.test(s), 'SHA-256 in lower-case hex')

/** A file of a version by its name there. `declared`: as its submitter described it; the digests were compared with its bytes. */
export const ListedFile = t.intersection(
  [
    t.type({ path: t.string, size: NonNegativeInteger, sha256: Sha256 }),
    t.partial({ declared: t.partial({ digests: t.record(t.string, t.string) }) }),
  ],
  'listed file',
)
export type ListedFile = t.TypeOf<typeof ListedFile>

const holder = { job: PositiveInteger, fence: PositiveInteger }
const listing = { version: PositiveInteger, from: NonNegativeInteger, files: t.array(ListedFile) }
const version = {
  version: PositiveInteger,
  inventoryDigest: Text,
  files: NonNegativeInteger,
  bytes: NonNegativeInteger,
  listed: t.array(ListedFile),
  at: Time,
}
const facts = t.intersection([
  t.type({ batch: Text, profile: Text, localIds: t.array(Text) }),
  /** Absent in older events: the files of the version say it. */
  t.partial({ embargoUntil: EmbargoWord }),
])

/** Streams `ingestObject-<object>`. */
export const ingestCategory = 'ingestObject'
export const ingestObjects = eventSet(
  eventSpec('FilesListed', 'Files of a version that is being stored.', t.type({ ...holder, ...listing })),
  eventSpec('VersionStored', 'A version is stored.', t.type({ ...holder, ...version, object: facts })),
  eventSpec('FilesAdopted', 'Files of a version that a person adopts.', t.type(listing)),
  eventSpec(
    'VersionAdopted',
    'A person adopted a version.',
    t.intersection([t.type(version), t.partial({ object: facts })]),
  ),
  eventSpec(
    'VersionsSetAside',
    'Versions were taken out of storage.',
    t.type({ keep: NonNegativeInteger, reason: Text, at: Time }),
  ),
)
export type IngestObjectEvent = EventsOf<typeof ingestObjects>

/** Streams `fixity-<store>/<path>`. */
export const fixityCategory = 'fixity'
export const fixityItems = eventSet(
  eventSpec(
    'ContentRecorded',
    'Content is recorded.',
    t.intersection([t.type({ at: Time }), t.partial({ version: Text })]),
    2,
  ),
  eventSpec('ContentRemoved', 'Content is recorded as removed.', t.type({ at: Time }), 2),
  eventSpec(
    'FixityDecided',
    'A check was decided.',
    t.type({
      evidence: t.type({ content: t.type({ status: t.string }) }),
      outcome: t.keyof({
        success: null,
        failure: null,
        unverified: null,
        nothing: null,
        retry: null,
        deferred: null,
      }),
      because: Text,
      followUps: t.array(t.string),
      observedAt: Time,
    }),
    2,
  ),
  eventSpec('CheckParked', 'A check waits for a person.', t.type({ error: Text, at: Time })),
  eventSpec(
    'ResolutionClosed',
    'A finding was settled.',
    t.type({
      how: t.keyof({ repaired: null, accepted: null, lost: null, 'false-alarm': null, verified: null }),
      reason: Text,
      at: Time,
    }),
  ),
)
export type FixityItemEvent = EventsOf<typeof fixityItems>

/** Streams `fixityBatch-<id>`. */
export const fixityBatchCategory = 'fixityBatch'
export const fixityBatches = eventSet(
  eventSpec(
    'BatchChecked',
    'Items were checked together; those that are as recorded.',
    t.type({
      store: Text,
      intact: t.array(
        t.type({ items: t.array(t.type({ path: Text, revision: NonNegativeInteger, observedAt: Time })) }),
      ),
    }),
  ),
)

/** Streams `indexing-<repository>/<name>`. */
export const indexingCategory = 'indexing'
export const indexingFiles = eventSet(
  eventSpec('FileIndexed', 'The lines of the file are in the index.', t.type({ lines: NonNegativeInteger })),
  eventSpec('IndexingFailed', 'The file could not be indexed.', t.type({ reason: Text })),
  eventSpec('FileParked', 'The file waits for a person.', t.type({ reason: Text })),
  eventSpec('ContentChanged', 'The file is to be read again.', t.type({ at: Time })),
  eventSpec('FileReset', 'A person wants the file indexed anew.', t.type({ reason: Text })),
  eventSpec('FileSalvageRequested', 'A person wants what can still be read.', t.type({ reason: Text })),
  eventSpec('FileWithdrawn', 'The file and its lines are to go from the index.', t.type({ at: Time })),
)
export type IndexingFileEvent = EventsOf<typeof indexingFiles>

/** Streams `fixityStore-<name>`. */
export const fixityStoreCategory = 'fixityStore'
export const fixityStores = eventSet(
  eventSpec('StoreRegistered', 'A store is known.', t.partial({ root: Text })),
  eventSpec('StoreMoved', 'A store has another root.', t.type({ root: Text })),
)
