import type { RecordedEvent } from '../../src/domain/kernel/event.ts'

export interface RecentLimits {
  readonly maxEvents: number
  /** Estimated size in memory. */
  readonly maxBytes: number
}

/** No event takes less. */
const minEventBytes = 600

/** As many events as fit into so many bytes. */
export const recentWithin = (maxBytes: number): RecentLimits => ({
  maxEvents: Math.ceil(maxBytes / minEventBytes),
  maxBytes,
})

export const defaultRecentBytes = 16 * 1024 ** 2

/** A part of the log's end. */
interface Page {
  readonly events: readonly RecordedEvent[]
  /** Everything up to here was read. */
  readonly position: bigint
}

/** The newest events of the log, none missing between `floor` (exclusive) and `top` (inclusive). */
export interface RecentEvents {
  /** A reader below it cannot be served from here. */
  readonly floor: () => bigint
  /** How far the log has been read. */
  readonly top: () => bigint
  /** The next wanted events behind a position that is at or above the floor, at most `limit`. */
  after(position: bigint, limit: number, wanted: (event: RecordedEvent) => boolean): Page
  /** An event at or below the top changes nothing. `bytes`: what it takes in memory, estimated unless said. */
  add(event: RecordedEvent, bytes?: number): void
  /** The log was read up to here, and holds no further event behind the top. */
  advance(position: bigint): void
}

interface Held {
  readonly event: RecordedEvent
  readonly bytes: number
}

export const createRecentEvents = (start: bigint, { maxEvents, maxBytes }: RecentLimits): RecentEvents => {
  let floor = start
  let top = start
  let bytes = 0
  // The oldest are released at once; the array is shortened only now and then.
  let events: (Held | undefined)[] = []
  let first = 0

  const dropOldest = () => {
    const { event, bytes: size } = events[first]!
    events[first] = undefined
    floor = event.position
    bytes -= size
    first++
    if (first < 1024 || first < events.length / 2) return
    events = events.slice(first)
    first = 0
  }

  /** Index of the first event behind a position. */
  const behind = (position: bigint): number => {
    let low = first
    let high = events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (events[middle]!.event.position > position) high = middle
      else low = middle + 1
    }
    return low
  }

  return {
    floor: () => floor,
    top: () => top,
    after: (position, limit, wanted) => {
      // A reader that has just appended may be ahead of the top.
      if (position >= top) return { events: [], position }
      const found: RecordedEvent[] = []
      for (let i = behind(position); i < events.length; i++) {
        const { event } = events[i]!
        if (!wanted(event)) continue
        if (found.length === limit) return { events: found, position: found.at(-1)!.position }
        found.push(event)
      }
      return { events: found, position: top }
    },
    add: (event, size = sizeOf(event.data) + sizeOf(event.metadata) + minEventBytes) => {
      if (event.position <= top) return
      top = event.position
      events.push({ event, bytes: size })
      bytes += size
      while (events.length > first && (events.length - first > maxEvents || bytes > maxBytes)) dropOldest()
    },
    advance: (position) => {
      if (position > top) top = position
    },
  }
}

/** A rough estimate of bytes in memory. */
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 32
  for (const [name, part] of Object.entries(value)) bytes += name.length + sizeOf(part)
  return bytes
}
