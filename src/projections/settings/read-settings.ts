import { orThrow } from '../../async/unavailable.ts'
import {
  type ArchiveSettings,
  archiveSettings,
  settingsEvents,
  settingsStream,
} from '../../domain/kernel/archive-settings.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { Point } from '../../ports/view-store.ts'

export interface SettingsOfLog {
  readonly settings: ArchiveSettings
  /** -1n if none was ever set. */
  readonly revision: bigint
  /** Events that a newer Fonds wrote, and this one cannot read: no older program stops for a setting. */
  readonly unreadable: number
}

const pageSize = 1000

/** The settings of the log, now or as of a moment: one read, where they were changed less often than a thousand times. Throws `UnavailableError`. */
export const settingsOfLog = async (
  { eventStore }: { readonly eventStore: Pick<EventStore, 'read'> },
  asOf?: Point,
): Promise<SettingsOfLog> => {
  let found: SettingsOfLog = { settings: archiveSettings.initial, revision: -1n, unreadable: 0 }
  for (;;) {
    const page = await orThrow(eventStore.read(settingsStream, found.revision + 1n, 'forward', pageSize))
    for (const event of page) {
      if (asOf && isBehind(event, asOf)) return found
      const read = settingsEvents.read(event)
      found =
        read._tag === 'Left'
          ? { ...found, revision: event.revision, unreadable: found.unreadable + 1 }
          : {
              ...found,
              revision: event.revision,
              settings: archiveSettings.evolve(found.settings, read.right),
            }
    }
    if (page.length < pageSize) return found
  }
}

const isBehind = ({ position, recordedAt }: RecordedEvent, asOf: Point): boolean =>
  'time' in asOf ? recordedAt > asOf.time : position > asOf.position
