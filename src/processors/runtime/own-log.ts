import { type Either, isRight } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { systemClock } from '../../async/system-clock.ts'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { waitUntil } from '../../async/wait-until.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { LogMark, MarkedEvent } from '../../domain/kernel/group-binding.ts'
import { isLeaderEvent } from '../../domain/kernel/leader-lease.ts'
import type { Appended, AppendFailure, EventStore, StreamAppend } from '../../ports/event-store.ts'
import type { OwnLog } from '../../ports/group-binding.ts'

type EventPosition = Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'position'>

/** Kafka stores 4,096 bytes beside an offset by default. */
const maxStreamLength = 1000
const pageSize = 20
/** Most events that are remembered as held: no log loses one while it is open. */
const maxHeld = 1000
/** A replica of a cluster may have an event a moment later; a log that has grown past it never will. */
const patienceMillis = 1500
const pollMillis = 500

/**
 * Wraps a log so that it notes the newest event that passes through it: a mark then needs no reading. Use the returned
 * store in place of the given one.
 */
export const notingNewest = (store: EventStore): { eventStore: EventStore; ownLog: OwnLog } => {
  const newest = newestEvent()
  const holds = heldEvents(store)
  let log: string | undefined
  return {
    eventStore: noting(store, newest.note),
    ownLog: {
      ask: async () => {
        log ??= await orThrow(store.identity())
        if (newest.get() === undefined) await noteEnd(store, newest)
        return markOf(log, newest.get())
      },
      newest: () => (log === undefined ? undefined : markOf(log, newest.get())),
      holds,
    },
  }
}

interface NewestEvent {
  get(): EventPosition | undefined
  note(event: EventPosition): void
}

const newestEvent = (): NewestEvent => {
  let newest: EventPosition | undefined
  return {
    get: () => newest,
    note: (event) => {
      if (newest && event.position <= newest.position) return
      // Streams of leader leases are truncated to their latest events: a mark's event has to stay.
      if (isLeaderEvent(event) || event.stream.length > maxStreamLength) return
      const { id, stream, revision, position } = event
      newest = { id, stream, revision, position }
    },
  }
}

const markOf = (log: string, newest: EventPosition | undefined): LogMark => {
  if (!newest) return { log }
  const { id: event, stream, revision, position } = newest
  return { log, at: { event, stream, revision: `${revision}`, position: `${position}` } }
}

/** Wraps the store so that it notes the newest event of each append and of each stream read. */
const noting = (store: EventStore, note: NewestEvent['note']): EventStore => ({
  ...store,
  append: (stream, expected, events) => async () => {
    const appended = await store.append(stream, expected, events)()
    noteAppended(note, { stream, events }, appended)
    return appended
  },
  ...(store.appendEach && {
    appendEach: (appends) => async () => {
      const answer = await store.appendEach!(appends)()
      if (isRight(answer))
        answer.right.forEach((appended, i) => {
          noteAppended(note, appends[i]!, appended)
        })
      return answer
    },
  }),
  ...(store.readEach && {
    readEach: (places, limit) => async () => {
      const answer = await store.readEach!(places, limit)()
      if (isRight(answer)) for (const read of answer.right) noteRead(note, read, 'forward')
      return answer
    },
  }),
  read: (stream, from, direction, limit) => async () => {
    const read = await store.read(stream, from, direction, limit)()
    noteRead(note, read, direction)
    return read
  },
})

const noteAppended = (
  note: NewestEvent['note'],
  { stream, events }: Pick<StreamAppend, 'stream' | 'events'>,
  appended: Either<AppendFailure, Appended>,
): void => {
  const last = events.at(-1)
  if (last && isRight(appended)) note({ id: last.id, stream, ...appended.right })
}

const noteRead = (
  note: NewestEvent['note'],
  read: Either<unknown, readonly RecordedEvent[]>,
  direction: 'forward' | 'backward',
): void => {
  const last = isRight(read) && read.right.at(direction === 'forward' ? -1 : 0)
  if (last) note(last)
}

/** Reads back from the log's end, up to an event that can be noted. */
const noteEnd = async (store: EventStore, newest: NewestEvent): Promise<void> => {
  for (let before: bigint | 'end' = 'end'; ; ) {
    const page: readonly RecordedEvent[] = await orThrow(store.readBack(before, pageSize))
    for (const event of page) newest.note(event)
    const last = page.at(-1)
    const noted = newest.get()
    if (!last || (noted && noted.position >= last.position)) return
    before = last.position
  }
}

/** Returns a test whether the log holds an event. */
const heldEvents = (store: EventStore): OwnLog['holds'] => {
  const held = new Set<string>()

  const remember = (event: string): void => {
    if (held.size >= maxHeld) held.clear()
    held.add(event)
  }

  const isAt = async ({ event, stream, revision }: MarkedEvent): Promise<boolean> => {
    const [found] = await pipe(store.read(stream, BigInt(revision), 'forward', 1), ifDeleted([]), orThrow)
    return found?.id === event
  }

  return async (marked) => {
    if (held.has(marked.event)) return true
    const poll = async () => {
      const isHeld = await isAt(marked)
      return { isHeld, isDone: isHeld || (await orThrow(store.head())) >= BigInt(marked.position) }
    }
    const { isHeld } = await waitUntil(poll, { clock: systemClock, patienceMillis, pollMillis })
    if (isHeld) remember(marked.event)
    return isHeld
  }
}
