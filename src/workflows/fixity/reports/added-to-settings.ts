import { isRight } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import { settingsEvents, settingsStream } from '../../../domain/kernel/archive-settings.ts'
import { parseReports } from '../../../domain/kernel/report-schedule.ts'
import type { EventStore } from '../../../ports/event-store.ts'

const pageSize = 1000

/**
 * Returns the time at which a schedule last came into the setting `reports` of the log; undefined if it is not in it, as
 * where a variable sets it. A change of other schedules is none of this one. Throws `UnavailableError`.
 */
export const addedToSettings = async (
  { eventStore }: { readonly eventStore: Pick<EventStore, 'read'> },
  schedule: string,
): Promise<string | undefined> => {
  let addedAt: string | undefined
  for (let from = 0n; ; from += BigInt(pageSize)) {
    const page = await orThrow(eventStore.read(settingsStream, from, 'forward', pageSize))
    for (const event of page) {
      const read = settingsEvents.read(event)
      if (!isRight(read) || read.right.data.setting !== 'reports') continue
      const { type, data } = read.right
      const isIn =
        type === 'SettingChanged' && parseReports(String(data.value))?.some(({ text }) => text === schedule)
      addedAt = isIn ? (addedAt ?? data.at) : undefined
    }
    if (page.length < pageSize) return addedAt
  }
}
