import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { StoreName } from '../item.ts'
import { NewFiles } from '../store/events.ts'

/* Streams: `fixityComparison-<store>`, one per store: its folder or bucket compared with the record, on a schedule. */

export const category = 'fixityComparison'
export const comparisonStream = (store: string): string => streamName(category, store)

/** Most names of each class in an event. */
export const maxFirst = 50

/** Differences between a folder or bucket and its record. Each file is in one of the classes at most. */
export const Differences = t.type(
  {
    /** Present, and not recorded. */
    new: NonNegativeInteger,
    /** Recorded and expected, and not there. */
    missing: NonNegativeInteger,
    /** Missing, and one new file alone has its bytes; neither counts as new or missing. */
    moved: NonNegativeInteger,
    /** Present with another size than recorded. */
    changed: NonNegativeInteger,
    /** Entries that could not be listed, and may be content. */
    unlisted: NonNegativeInteger,
    /** Present, not recorded, and left out by a pattern or as litter. */
    excluded: NonNegativeInteger,
    /** The first names of each class, at most 50. */
    first: t.type({
      new: t.array(Text),
      missing: t.array(Text),
      moved: t.array(t.type({ from: Text, to: Text })),
      changed: t.array(t.type({ path: Text, size: NonNegativeInteger, recorded: NonNegativeInteger })),
    }),
  },
  'differences',
)
export type Differences = t.TypeOf<typeof Differences>

const Answered = t.intersection([
  t.type({ at: Time, prefix: t.string }),
  t.partial({ isFile: t.literal(true) }),
])

const StoreCompared = t.intersection([
  t.type({
    store: StoreName,
    differences: Differences,
    newFiles: NewFiles,
    /** Files that were new, and are being recorded. */
    takenIn: NonNegativeInteger,
    at: Time,
  }),
  t.partial({
    /** Time of the last request that it answers; in older events, of all up to then. */
    requestedAt: Time,
    /** The requests that it answers. A clock that lags makes no other one of them. */
    answered: t.array(Answered),
  }),
])
/** An empty prefix selects the whole store. */
const TakeInRequested = t.intersection([
  t.type({ store: StoreName, prefix: t.string, reason: Text, at: Time }),
  /** The prefix is a path: that file alone, and none that begins as it does. */
  t.partial({ isFile: t.literal(true) }),
])

export const comparisonEvents = eventSet(
  eventSpec(
    'StoreCompared',
    'A folder or bucket was compared with its record: new, missing, moved, changed in size.',
    StoreCompared,
  ),
  eventSpec('TakeInRequested', 'Somebody wants the new files of a store recorded.', TakeInRequested),
)

export type Answered = t.TypeOf<typeof Answered>
export type ComparisonEvent = EventsOf<typeof comparisonEvents>
