import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import { Checksum, Claim, StoredChecksum } from './checksum.ts'
import { type Item, itemId, Path, StoreName } from './item.ts'

const item = { store: StoreName, path: Path }

const ContentRecorded = t.intersection(
  [
    t.type({ ...item, checksums: t.array(Checksum) }),
    t.partial({
      /** Bytes. */
      size: NonNegativeInteger,
      /** The producer's own version of the content. */
      version: Text,
      /** Source of the record: a manifest's name, `first reading`, a system. */
      recordedFrom: Text,
    }),
  ],
  'content.recorded',
)

const ContentRemoved = t.intersection([t.type(item), t.partial({ reason: Text })], 'content.removed')

/** Content was seen to change, and may be no longer as recorded, or not recorded at all. */
const ContentSighted = t.intersection(
  [t.type({ ...item, sightedAt: Time }), t.partial({ isDeleted: t.boolean })],
  'content.sighted',
)

const IndexRecorded = t.intersection(
  [t.type({ ...item, checksums: t.array(Checksum) }), t.partial({ size: NonNegativeInteger })],
  'index.recorded',
)

const IndexRemoved = t.type(item, 'index.removed')

type ChecksumCodec = t.Type<Checksum, Checksum, unknown>

/** Result of reading the bytes. */
const contentObservation = (checksum: ChecksumCodec) =>
  t.union(
    [
      t.type({ status: t.literal('read'), size: NonNegativeInteger, checksums: t.array(checksum) }),
      /** 404. */
      t.type({ status: t.literal('missing') }),
      /** N/A: this storage's content is never downloaded. */
      t.type({ status: t.literal('not-attempted') }),
      /** The read failed: a failed attempt, never "corrupt". */
      t.type({ status: t.literal('failed'), error: Text }),
      /** The content changed while it was read: the check starts again without using up an attempt. */
      t.type({ status: t.literal('changing') }),
    ],
    'content observation',
  )
export const ContentObservation = contentObservation(Checksum)

/** The storage's metadata of the object, obtained without reading its bytes. */
const storageObservation = (claim: ChecksumCodec) =>
  t.union(
    [
      t.intersection([
        t.type({ status: t.literal('present'), checksums: t.array(claim) }),
        t.partial({
          size: NonNegativeInteger,
          version: Text,
          /** The storage's own name of the version that was looked at. */
          versionId: Text,
          modifiedAt: Time,
          /** Storage class whose bytes are given only after a restoration: the content is then N/A. */
          archived: Text,
          /** True if a symbolic link leads to it, at its own name or above. */
          isLink: t.boolean,
        }),
      ]),
      t.intersection([
        t.type({ status: t.literal('missing') }),
        /** True if the storage has a marker of its deletion: it may keep earlier versions. */
        t.partial({ isMarked: t.boolean }),
      ]),
    ],
    'storage observation',
  )
export const StorageObservation = storageObservation(Claim)

/** A witness's report as an observer found it: its checksums, that it has no record, or that it recorded a removal. */
const word = (checksum: ChecksumCodec) =>
  t.union(
    [
      t.intersection([
        t.type({ status: t.literal('recorded'), checksums: t.array(checksum) }),
        t.partial({ size: NonNegativeInteger }),
      ]),
      t.type({ status: t.literal('absent') }),
      t.type({ status: t.literal('removed') }),
    ],
    'word',
  )
export const Word = word(Checksum)

/** The same codecs for values stored in events. */
export const stored = {
  ContentObservation: contentObservation(StoredChecksum),
  StorageObservation: storageObservation(StoredChecksum),
  Word: word(StoredChecksum),
}

const ContentObserved = t.intersection(
  [
    t.type({ ...item, content: ContentObservation, storage: StorageObservation, observedAt: Time }),
    t.partial({
      index: Word,
      audit: Word,
      worker: Text,
      /** Fence of the claim under which it was read; absent from observers that claim nothing. */
      fence: PositiveInteger,
    }),
  ],
  'content.observed',
)

/** Findings of a worker that claimed many items of one store together. */
const BatchObserved = t.type(
  {
    /** Id of the batch, from the claim. */
    batch: Text,
    store: StoreName,
    worker: Text,
    observations: t.array(
      t.type({ path: Path, content: ContentObservation, storage: StorageObservation, observedAt: Time }),
    ),
  },
  'batch.observed',
)

export type StoreObservedMessage = t.TypeOf<typeof StoreObserved>
export type BatchObservedMessage = t.TypeOf<typeof BatchObserved>
export type ContentObservation = t.TypeOf<typeof ContentObservation>
export type StorageObservation = t.TypeOf<typeof StorageObservation>
export type Word = t.TypeOf<typeof Word>
export type ContentRecordedMessage = t.TypeOf<typeof ContentRecorded>
export type ContentObservedMessage = t.TypeOf<typeof ContentObserved>

/** Reports whether the workers of a machine, `place`, find a store's content at all. */
const StoreObserved = t.intersection(
  [
    t.type({ store: StoreName, place: Text, isThere: t.boolean, observedAt: Time }),
    /** Reason: what was found instead of the content. */
    t.partial({ why: Text }),
  ],
  'store.observed',
)

const sha256 = {
  algorithm: 'sha-256',
  value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}
const example = { store: 'main', path: 'letters/1912/03.tif' }

export const contentTopic = {
  name: 'fonds.fixity.content',
  description: "The audit log's word: what content there is and what its checksums are.",
  messages: [
    messageSpec('content.recorded', 'Content was added or replaced.', ContentRecorded, {
      ...example,
      size: 0,
      checksums: [sha256],
    }),
    messageSpec('content.removed', 'Content was deleted on purpose.', ContentRemoved, {
      ...example,
      reason: 'withdrawn',
    }),
  ],
  keyOf: (data) => itemId(data as Item),
} as const satisfies TopicSpec

export const indexTopic = {
  name: 'fonds.fixity.index',
  description: "The content index's word: what a catalogue or search index believes the checksums to be.",
  messages: [
    messageSpec('index.recorded', 'The index holds an entry.', IndexRecorded, {
      ...example,
      checksums: [sha256],
    }),
    messageSpec('index.removed', 'The index dropped its entry.', IndexRemoved, example),
  ],
  keyOf: (data) => itemId(data as Item),
} as const satisfies TopicSpec

export const observationsTopic = {
  name: 'fonds.fixity.observations',
  description:
    "What a worker, ours or anyone's, found when it looked at content and at what the storage claims.",
  bareType: 'content.observed',
  messages: [
    messageSpec('content.observed', 'Content was looked at.', ContentObserved, {
      ...example,
      content: { status: 'read', size: 0, checksums: [sha256] },
      storage: { status: 'present', size: 0, checksums: [sha256] },
      observedAt: '2026-01-31T12:00:00.000Z',
    }),
    messageSpec(
      'content.sighted',
      'Content was created, overwritten or deleted: it is checked.',
      ContentSighted,
      {
        ...example,
        sightedAt: '2026-01-31T12:00:00.000Z',
      },
    ),
    messageSpec(
      'store.observed',
      'A folder store was looked for: its content is found, or none of it is.',
      StoreObserved,
      {
        store: 'main',
        place: 'worker-7',
        isThere: false,
        why: 'its folder is empty',
        observedAt: '2026-01-31T12:00:00.000Z',
      },
    ),
    messageSpec('batch.observed', 'Items that were claimed together were looked at.', BatchObserved, {
      batch: '019ab3e0-7c1d-7b55-a000-3f2f6a1b9c4d',
      store: 'main',
      worker: 'fixity@reading-room/4711/9c4d2e',
      observations: [
        {
          path: example.path,
          content: { status: 'read', size: 0, checksums: [sha256] },
          storage: { status: 'present', size: 0, checksums: [] },
          observedAt: '2026-01-31T12:00:00.000Z',
        },
      ],
    }),
  ],
  keyOf: (data) =>
    isOfBatch(data) ? data.batch : isOfItem(data) ? itemId(data) : (data as StoreObservedMessage).store,
} as const satisfies TopicSpec

const isOfBatch = (data: unknown): data is BatchObservedMessage =>
  typeof data === 'object' && data !== null && 'batch' in data

const isOfItem = (data: unknown): data is Item => typeof data === 'object' && data !== null && 'path' in data

export const topics: readonly TopicSpec[] = [contentTopic, indexTopic, observationsTopic]
