import { setTimeout as sleep } from 'node:timers/promises'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { LogMark, MarkedEvent } from '../../domain/kernel/group-binding.ts'
import { isLeaderEvent } from '../../domain/kernel/leader-lease.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { OwnLog } from '../../ports/group-binding.ts'

type EventPosition = Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'position'>

/** Kafka keeps 4,096 bytes beside an offset, unless it is configured. */
const maxStreamLength = 1000
const pageSize = 20
/** Events that are known to be held: no log loses one while it is open. */
const maxHeld = 1000
const tries = 4
const pauseMillis = 500

/**
 * A log that notes the newest event that passes through it, so that a mark costs no reading. Use the store that comes back
 * in the place of the one given.
 */
export const notingNewest = (store: EventStore): { eventStore: EventStore; ownLog: OwnLog } => {
  let log: string | undefined
  let newest: EventPosition | undefined
  const held = new Set<string>()

  const note = (place: EventPosition): void => {
    // Streams of leader leases are cut to their latest events: a mark has to stay.
    if (isLeaderEvent(place) || place.stream.length > maxStreamLength) return
    if (newest === undefined || place.position > newest.position)
      newest = { id: place.id, stream: place.stream, revision: place.revision, position: place.position }
  }

  const markOf = (id: string): LogMark =>
    newest === undefined
      ? { log: id }
      : {
          log: id,
          at: {
            event: newest.id,
            stream: newest.stream,
            revision: `${newest.revision}`,
            position: `${newest.position}`,
          },
        }

  const noteEnd = async (): Promise<void> => {
    for (let before: bigint | 'end' = 'end'; ; ) {
      const page: readonly RecordedEvent[] = await orThrow(store.readBack(before, pageSize))
      for (const event of page) note(event)
      const last = page.at(-1)
      if (!last || (newest && newest.position >= last.position)) return
      before = last.position
    }
  }

  const hold = (event: string): void => {
    if (held.size >= maxHeld) held.clear()
    held.add(event)
  }

  const isAt = async ({ event, stream, revision }: MarkedEvent): Promise<boolean> => {
    const [found] = await pipe(store.read(stream, BigInt(revision), 'forward', 1), ifDeleted([]), orThrow)
    return found?.id === event
  }

  return {
    eventStore: {
      ...store,
      append: (stream, expected, events) => async () => {
        const appended = await store.append(stream, expected, events)()
        const last = events.at(-1)
        if (last && isRight(appended)) note({ id: last.id, stream, ...appended.right })
        return appended
      },
      read: (stream, from, direction, limit) => async () => {
        const read = await store.read(stream, from, direction, limit)()
        if (isLeft(read)) return read
        const last = direction === 'forward' ? read.right.at(-1) : read.right[0]
        if (last) note(last)
        return read
      },
    },
    ownLog: {
      ask: async () => {
        log ??= await orThrow(store.identity())
        if (newest === undefined) await noteEnd()
        return markOf(log)
      },
      newest: () => (log === undefined ? undefined : markOf(log)),
      holds: async (marked) => {
        // A replica of a cluster may hear of it a moment later; a log that has grown past it will not.
        for (let attempt = 1; !held.has(marked.event); attempt++) {
          if (await isAt(marked)) hold(marked.event)
          else if (attempt === tries || (await orThrow(store.head())) >= BigInt(marked.position)) return false
          else await sleep(pauseMillis)
        }
        return true
      },
    },
  }
}
