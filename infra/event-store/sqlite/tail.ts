import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { EventBatch } from '../../../src/ports/event-store.ts'
import { createRecentEvents, type RecentEvents, type RecentLimits } from '../recent-events.ts'
import type { EventReader } from './read.ts'
import type { SizedEvent } from './written-events.ts'

/** The end of the log as it grows: read and parsed once, for all subscribers. */
interface Tail {
  /** Returns the events behind `after`, at most `limit`; undefined if these are no longer in memory. */
  next(after: bigint, limit: number, wanted: (event: RecordedEvent) => boolean): EventBatch | undefined
  /**
   * Adds events that this process has just written behind a position, so that they need not be read. `written` is
   * called only if the tail ends there.
   */
  extend(from: bigint, written: () => readonly SizedEvent[]): void
}

/** The memory that a parsed event takes, estimated: for each character of its text, and for the event itself. */
const bytesOfCharacter = 4
const bytesOfEvent = 600

const memoryOf = (size: number): number => bytesOfEvent + size * bytesOfCharacter

export const createTail = (reader: Pick<EventReader, 'head' | 'each'>, limits: RecentLimits): Tail => {
  let recent: RecentEvents | undefined

  /**
   * Reads new events. If there are more than are kept, starts again at the head, and subscribers read the log
   * themselves.
   */
  const bringUp = (): RecentEvents => {
    const head = reader.head()
    if (!recent || head - recent.top() > BigInt(limits.maxEvents)) recent = createRecentEvents(head, limits)
    if (head === recent.top()) return recent
    const { add, advance, top } = recent
    reader.each(top(), head, (event, size) => add(event, memoryOf(size)))
    advance(head)
    return recent
  }

  return {
    next: (after, limit, wanted) => {
      // A reader that far behind reads the log: new events are of no use to it yet.
      if (recent && after < recent.floor()) return undefined
      const { floor, top, after: behind } = bringUp()
      if (after < floor()) return undefined
      const { events, position } = behind(after, limit, wanted)
      return { events, position, caughtUp: position >= top() }
    },
    extend: (from, written) => {
      if (recent?.top() === from) for (const [event, size] of written()) recent.add(event, memoryOf(size))
    },
  }
}
