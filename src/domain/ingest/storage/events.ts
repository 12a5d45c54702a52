import * as t from 'io-ts'
import { Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'

/* Stream: `ingestStorage-root`: which storage root is the archive's. */

const StorageRootAdopted = t.intersection([
  t.type({
    /** The root has it in a file at its top. */
    root: Text,
    /** Where it was then, for people who look for it. */
    folder: Text,
    host: Text,
    at: Time,
  }),
  /** A person's; absent where Fonds found the root as the log says it should be. */
  t.partial({ reason: Text }),
])

export const storageEvents = eventSet(
  eventSpec('StorageRootAdopted', 'Objects are in this storage root from now on.', StorageRootAdopted),
)

export type StorageEvent = EventsOf<typeof storageEvents>
