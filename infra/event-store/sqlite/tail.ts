import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { EventBatch } from '../../../src/ports/event-store.ts'
import { createRecentEvents, type RecentEvents, type RecentLimits } from '../recent-events.ts'
import type { EventReader } from './read.ts'
import type { SizedEvent } from './written-events.ts'

/** The end of the log as it grows: read and parsed once, for all subscribers. */
interface Tail {
  /** What comes behind `after`, at most `limit` events; undefined where that is no longer in memory. */
  next(after: bigint, limit: number, wanted: (event: RecordedEvent) => boolean): EventBatch | undefined
  /** What this process has just written behind a position: it need not be read where the tail ends there. Asked for only then. */
  extend(from: bigint, written: () => readonly SizedEvent[]): void
}

/** The memory that a parsed event takes, estimated: for each character of its text, and for the event itself. */
const bytesOfCharacter = 4
const bytesOfEvent = 600

const memoryOf = (size: number): number => bytesOfEvent + size * bytesOfCharacter

export const createTail = (reader: Pick<EventReader, 'head' | 'each'>, limits: RecentLimits): Tail => {
  let recent: RecentEvents | undefined

  /** Reads what is new. Where that is more than is kept, it begins anew at the head, and subscribers read the log themselves. */
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
      // Who is that far behind reads the log: what is new is of no use to it yet.
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
