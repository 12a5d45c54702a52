import { orThrow, UnavailableError } from '../async/unavailable.ts'
import { settingsEvents, settingsStream } from '../domain/kernel/archive-settings.ts'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import { personalIn } from '../domain/kernel/personal.ts'
import type { EventStore } from '../ports/event-store.ts'
import { readOrStop } from '../processors/runtime/read-or-stop.ts'

type Read = Pick<EventStore, 'read' | 'readAll'>

const pageSize = 1000

/**
 * Rejects with `UnavailableError` where the log has references since `personalValues` was last set on: their values are in
 * other folders, and `personal.erase` there would leave what is kept here.
 */
export const requireNoValuesElsewhere = async (eventStore: Read): Promise<void> => {
  for (let after = await lastSetOn(eventStore); ; ) {
    const { events, caughtUp, position } = await orThrow(eventStore.readAll(after, {}, pageSize))
    const found = events.find(hasReference)
    if (found)
      throw new UnavailableError(
        `the archive keeps personal values in other folders, as event ${found.position} shows, and has them once: name those by FONDS_PERSONAL_FOLDER and FONDS_PERSONAL_KEY_FOLDER (docs/erasing.md says what to do where they are lost)`,
      )
    if (caughtUp) return
    after = position
  }
}

const hasReference = ({ data, metadata }: RecordedEvent): boolean =>
  personalIn(metadata.actor).length > 0 || personalIn(JSON.stringify(data)).length > 0

/** Position of the event; -1n: no person set it on in the log. */
const lastSetOn = async (eventStore: Read): Promise<bigint> => {
  for (let from: bigint | 'end' = 'end'; ; ) {
    const events: readonly RecordedEvent[] = await orThrow(
      eventStore.read(settingsStream, from, 'backward', pageSize),
    )
    const found = events.find(isSetOn)
    if (found) return found.position
    const last = events.at(-1)
    if (!last || last.revision === 0n) return -1n
    from = last.revision - 1n
  }
}

const isSetOn = (event: RecordedEvent): boolean => {
  const { type, data } = readOrStop(settingsEvents, event)
  return type === 'SettingChanged' && data.setting === 'personalValues' && data.value === 'on'
}
