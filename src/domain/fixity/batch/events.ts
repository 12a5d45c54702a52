import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { StoreName } from '../item.ts'

/*
 * Streams: `fixityBatch-<id>`, one per batch: items of one store that a worker checks together. All items found as
 * recorded share one event; anything else is decided on the item's own stream.
 *
 * The log's order keeps both consistent. An entry names the revision of its item's stream. It is valid if no event of
 * that stream lies between this revision and the batch's event. Otherwise it says nothing about the item's current
 * state.
 */

export const category = 'fixityBatch'
export const batchStream = (id: string): string => streamName(category, id)

/** An item of the batch's store. `revision`: that of the last event in its own stream at the time of the claim. */
const BatchItem = t.type({ path: Text, revision: NonNegativeInteger }, 'item of a batch')
export type BatchItem = t.TypeOf<typeof BatchItem>

/**
 * An item whose bytes are as recorded, with the evidence: what was read, and which version of the file. The record is
 * that of the item's stream at `revision`. The group's pattern shows the value of our own index.
 */
const IntactItem = t.intersection(
  [
    t.type({
      path: Text,
      revision: NonNegativeInteger,
      /** Bytes: as many were read as the storage reports. */
      size: NonNegativeInteger,
      /** Digests of the bytes, by algorithm. */
      checksums: t.record(Text, Text),
      version: Text,
      modifiedAt: Time,
      observedAt: Time,
      dueAt: Time,
    }),
    t.partial({
      /** The storage's claims, by algorithm, as they came; absent if it makes none. */
      claims: t.record(Text, Text),
      versionId: Text,
    }),
  ],
  'intact item',
)
export type IntactItem = t.TypeOf<typeof IntactItem>

/** Items with the same decision. */
const IntactGroup = t.type(
  {
    /** As in `FixityDecided`. */
    pattern: Text,
    row: Text,
    because: Text,
    items: t.array(IntactItem),
  },
  'intact items',
)
export type IntactGroup = t.TypeOf<typeof IntactGroup>

const BatchClaimed = t.type({
  store: StoreName,
  items: t.array(BatchItem),
  holder: Text,
  fence: PositiveInteger,
  deadline: Time,
  /** How long the holder may be silent. */
  millis: PositiveInteger,
})
const BatchExtended = t.type({ fence: PositiveInteger, deadline: Time })
const BatchReleased = t.type({ reason: Text })
const BatchExpired = t.intersection([
  t.type({ store: StoreName, items: t.array(BatchItem), error: Text, at: Time }),
  /** Its items are held until `BatchSettled`. Absent in old events, whose items are free at once. */
  t.partial({ isSettledApart: t.literal(true) }),
])
const BatchSettled = t.type({ at: Time })
const BatchChecked = t.type({
  store: StoreName,
  /** The worker that read the bytes. */
  worker: Text,
  intact: t.array(IntactGroup),
  /** Number of other items checked: the outcome of each is in its own stream. */
  others: NonNegativeInteger,
})

export const batchEvents = eventSet(
  eventSpec('BatchClaimed', 'A worker holds the checks of many items until a deadline.', BatchClaimed),
  eventSpec('BatchExtended', 'The worker is still at it.', BatchExtended),
  eventSpec('BatchReleased', 'The worker gave the checks back unfinished.', BatchReleased),
  eventSpec('BatchExpired', 'The deadline passed without a word from the worker.', BatchExpired),
  eventSpec(
    'BatchSettled',
    'The failed attempts of an expired batch are written: its items may be claimed again.',
    BatchSettled,
  ),
  eventSpec(
    'BatchChecked',
    'The items were looked at. Those that are as recorded, with the evidence.',
    BatchChecked,
  ),
)

export type BatchEvent = EventsOf<typeof batchEvents>
