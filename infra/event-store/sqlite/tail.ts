import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { EventBatch } from '../../../src/ports/event-store.ts'
import { createRecentEvents, type RecentEvents, type RecentLimits } from '../recent-events.ts'
import type { EventReader } from './read.ts'

/** The end of the log as it grows: read and parsed once, for all who follow it. */
interface Tail {
  /** What comes behind `after`, at most `limit` events; undefined where that is no longer held. */
  next(after: bigint, limit: number, wanted: (event: RecordedEvent) => boolean): EventBatch | undefined
}

/** What a parsed event takes in memory, roughly: for each character of its text, and for itself. */
const bytesOfCharacter = 4
const bytesOfEvent = 600

export const createTail = (reader: Pick<EventReader, 'head' | 'each'>, limits: RecentLimits): Tail => {
  let recent: RecentEvents | undefined

  /** Reads all that is new; what would not be held anyhow is left to those who want it. */
  const bringUp = (): RecentEvents => {
    const head = reader.head()
    if (!recent || head - recent.top() > BigInt(limits.maxEvents)) recent = createRecentEvents(head, limits)
    if (head === recent.top()) return recent
    const { add, lookedTo, top } = recent
    reader.each(top(), head, (event, size) => add(event, bytesOfEvent + size * bytesOfCharacter))
    lookedTo(head)
    return recent
  }

  return {
    next: (after, limit, wanted) => {
      const { floor, top, after: behind } = bringUp()
      if (after < floor()) return undefined
      const { events, position } = behind(after, limit, wanted)
      return { events, position, caughtUp: position >= top() }
    },
  }
}
