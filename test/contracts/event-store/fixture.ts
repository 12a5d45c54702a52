import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach } from 'vitest'
import type { NewEvent, RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { EventFilter, EventStore, Expected } from '../../../src/ports/event-store.ts'
import { event } from '../new-event.ts'

export interface EventStoreUnderTest {
  readonly store: EventStore
  /** Another client of the same log, as a second process would have it. */
  readonly other: () => Promise<EventStore>
  readonly dispose: () => Promise<void>
  /** True where an exact revision that fits is refused a known id (stricter than EventStoreDB: a known difference). */
  readonly knowsIdsAtExactRevision: boolean
}

export const some = (count: number, type = 'Tested') =>
  Array.from({ length: count }, (_, n) => event(type, { n }))

/** A stream of each test's own, and the calls that tests make on it. */
export const eventStoreFixture = (open: () => Promise<EventStoreUnderTest>) => {
  let under: EventStoreUnderTest
  let store: EventStore
  let stream: string

  beforeEach(async () => {
    under = await open()
    store = under.store
    stream = `contract-${uuid()}`
  })
  afterEach(() => under.dispose())

  const append = (expected: Expected, events: readonly NewEvent[], to = stream) =>
    store.append(to, expected, events)()
  const appended = async (expected: Expected, events: readonly NewEvent[], to = stream) => {
    const result = await append(expected, events, to)
    if (either.isLeft(result)) throw new Error(`append refused: ${JSON.stringify(result.left, bigints)}`)
    return result.right
  }
  const read = async (
    from: bigint | 'start' | 'end' = 'start',
    direction: 'forward' | 'backward' = 'forward',
    limit = 1000,
  ) => {
    const result = await store.read(stream, from, direction, limit)()
    if (either.isLeft(result)) throw new Error(JSON.stringify(result.left, bigints))
    return result.right
  }
  const conflict = (actual: bigint | 'none') => either.left({ kind: 'Conflict', stream, actual })
  const deleted = () => either.left({ kind: 'StreamDeleted', stream })

  const nameStream = (name: string): string => {
    stream = name
    return name
  }

  const now = () => ({ under, store, stream })
  return { now, append, appended, read, conflict, deleted, nameStream }
}

export type EventStoreFixture = ReturnType<typeof eventStoreFixture>

export const readAll = async (store: EventStore, filter: EventFilter = {}): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for (let after = -1n; ; ) {
    const batch = await store.readAll(after, filter, 7)()
    if (either.isLeft(batch)) throw new Error('unreadable')
    events.push(...batch.right.events)
    if (batch.right.caughtUp) return events
    after = batch.right.position
  }
}

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
