import { orThrow } from '../../async/unavailable.ts'
import { addMillis, DAY, earlier, HOUR } from '../../domain/kernel/time.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'

const pageSize = 1000
const mostPages = 20

/**
 * The time of the clock. Where the log has nothing of the day before it that is older than an hour, a day behind what it has: a clock
 * that is ahead by years makes nothing due within its first hour. Throws `UnavailableError`.
 */
export const timeOfLog = async ({ readBack }: Pick<EventStore, 'readBack'>, now: string): Promise<string> => {
  const latest = addMillis(now, -HOUR)
  let newest: string | undefined
  let before: bigint | 'end' = 'end'
  for (let pages = 0; pages < mostPages && newest === undefined; pages++) {
    const page: EventBatch['events'] = await orThrow(readBack(before, pageSize))
    if (page.length === 0) return now
    // Events of other programs may have times of their own: the newest time counts.
    for (const { recordedAt } of page)
      if (recordedAt <= latest && (newest === undefined || recordedAt > newest)) newest = recordedAt
    before = page.at(-1)!.position
  }
  return newest === undefined ? now : earlier(addMillis(newest, DAY), now)
}
