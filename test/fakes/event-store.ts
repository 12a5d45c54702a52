import { setImmediate } from 'node:timers/promises'
import * as either from 'fp-ts/lib/Either.js'
import { invalidReason } from '../../infra/event-store/invalid-append.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { categoryOf, maxScanned, type NewEvent, type RecordedEvent } from '../../src/domain/kernel/event.ts'
import { metadataOf, originalTimeOf } from '../../src/domain/kernel/foreign-metadata.ts'
import {
  asBytes,
  type StoredContent,
  type StoredEvent,
  sizeOfStored,
  storedText,
} from '../../src/domain/kernel/stored-event.ts'
import type {
  Appended,
  AppendFailure,
  EventBatch,
  EventFilter,
  EventStore,
  Expected,
  StreamMetadata,
} from '../../src/ports/event-store.ts'
import type { Unavailable } from '../../src/ports/unavailable.ts'

export interface FakeEventStore extends EventStore {
  /** From now on every call fails with `Unavailable`, and subscriptions throw `UnavailableError`. */
  goAway(): void
  comeBack(): void
  /** How many subscriptions were started. */
  subscriptions(): number
}

export interface FakeEventStoreOptions {
  /** ISO 8601 UTC. */
  readonly now?: () => string
  /** Most events in one batch of a subscription. */
  readonly batchSize?: number
  /** From one position to the next: above 1 there are gaps, as in a real log. */
  readonly gap?: bigint
  /** Most characters of data in one append. */
  readonly maxAppendSize?: number
}

interface Stream {
  readonly events: RecordedEvent[]
  readonly state: 'open' | 'soft' | 'tombstone'
  readonly truncatedBefore: number
}

const noStream: Stream = { events: [], state: 'open', truncatedBefore: 0 }

/** The event store port over an array. Passes the contract of all event stores; data goes through JSON like in them. */
export const fakeEventStore = (options: FakeEventStoreOptions = {}): FakeEventStore => {
  const { now = () => new Date().toISOString(), batchSize = 100, gap = 1n } = options
  const { maxAppendSize = 8 * 1024 * 1024 } = options
  const log: RecordedEvent[] = []
  const contents = new WeakMap<RecordedEvent, StoredContent>()
  /** How many of the latest events a stream shows. */
  const kept = new Map<string, number>()
  const streams = new Map<string, Stream>()
  const metadata = new Map<string, StreamMetadata>()
  const wakers = new Set<() => void>()
  let away = false
  let subscriptions = 0

  const wake = () => {
    for (const waker of [...wakers]) waker()
  }
  const head = () => log.at(-1)?.position ?? -1n

  const task =
    <F, A>(work: () => either.Either<F, A>) =>
    async (): Promise<either.Either<F | Unavailable, A>> =>
      away ? either.left({ kind: 'Unavailable', reason: 'the fake event store is away' }) : work()

  const write = (name: string, stream: Stream, events: readonly StoredContent[]): Appended => {
    // Time never runs backward in the log, whatever the clock does.
    const recordedAt = [now(), log.at(-1)?.recordedAt ?? ''].toSorted().at(-1) ?? ''
    const truncatedBefore = stream.state === 'soft' ? stream.events.length : stream.truncatedBefore
    const all = [...stream.events]
    streams.set(name, { events: all, state: 'open', truncatedBefore })
    for (const event of events) {
      const metadata = parsed(event.metadata)
      const recorded: RecordedEvent = {
        ...{ id: event.id, type: event.type, data: parsed(event.data), metadata: metadataOf(metadata) },
        stream: name,
        revision: BigInt(all.length),
        position: log.length === 0 ? 0n : head() + gap,
        recordedAt: originalTimeOf(metadata) ?? recordedAt,
      }
      contents.set(recorded, event)
      all.push(recorded)
      log.push(recorded)
    }
    queueMicrotask(wake)
    return { revision: BigInt(all.length - 1), position: all.at(-1)?.position ?? -1n }
  }

  const append = (
    name: string,
    expected: Expected,
    events: readonly StoredContent[],
  ): either.Either<AppendFailure, Appended> => {
    const stream = streams.get(name) ?? noStream
    const last = stream.events.length - 1
    const conflict = either.left(conflictOf(name, last))
    const reason = invalidReason(name, events)
    if (reason !== undefined) return either.left({ kind: 'Refused', stream: name, reason })
    const bytes = events.reduce((sum, event) => sum + sizeOfStored(event), 0)
    if (bytes > maxAppendSize) return either.left({ kind: 'TooLarge', bytes, limit: maxAppendSize })
    if (stream.state === 'tombstone' || (expected === 'exists' && stream.state === 'soft'))
      return either.left({ kind: 'StreamDeleted', stream: name })
    if (expected === 'exists' && last < 0) return conflict
    const believed = typeof expected === 'bigint' ? Number(expected) : -1
    if (expected !== 'any' && expected !== 'exists') {
      if (believed === last) return either.right(write(name, stream, events))
      if (believed > last || events.length === 0) return conflict
    }
    const found =
      expected === 'any' || expected === 'exists'
        ? events.map(({ id }) => stream.events.find((event) => event.id === id))
        : events.map(({ id }, i) => {
            const there = stream.events[believed + 1 + i]
            return there?.id === id ? there : undefined
          })
    if (found[0] === undefined) {
      const isFree = expected === 'any' || expected === 'exists'
      const startsOver = expected === 'none' && stream.state === 'soft'
      return isFree || startsOver ? either.right(write(name, stream, events)) : conflict
    }
    const again = found.at(-1)
    return found.includes(undefined) || !again
      ? conflict
      : either.right({ revision: again.revision, position: again.position })
  }

  const readFrom = (from: bigint, filter: EventFilter, limit: number): EventBatch => {
    const events: RecordedEvent[] = []
    const stretch = from + BigInt(Math.max(maxScanned, limit))
    for (const event of log) {
      if (event.position < from) continue
      if (event.position >= stretch) return { events, position: stretch - 1n, caughtUp: false }
      if (!isShown(event) || !passes(event, filter)) continue
      if (events.length === limit)
        return { events, position: events.at(-1)?.position ?? from, caughtUp: false }
      events.push(event)
    }
    const end = head()
    return { events, position: end >= from ? end : from - 1n, caughtUp: true }
  }

  return {
    append: (stream, expected, events) => task(() => append(stream, expected, events.map(stored))),
    appendStored: (stream, expected, events) => task(() => append(stream, expected, events)),

    read: (name, from, direction, limit) =>
      task(() => {
        const { events, state, truncatedBefore } = streams.get(name) ?? noStream
        const { $tb } = metadata.get(name) ?? {}
        if (state === 'tombstone') return either.left({ kind: 'StreamDeleted', stream: name } as const)
        const first = Math.max(
          truncatedBefore,
          typeof $tb === 'number' ? $tb : 0,
          events.length - (kept.get(name) ?? events.length),
        )
        const visible = state === 'soft' ? [] : events.slice(first)
        const ordered = direction === 'forward' ? visible : visible.toReversed()
        const inRange = ({ revision }: RecordedEvent) =>
          typeof from === 'string'
            ? (from === 'start') === (direction === 'forward') || revision === boundary
            : direction === 'forward'
              ? revision >= from
              : revision <= from
        const boundary = from === 'start' ? visible[0]?.revision : visible.at(-1)?.revision
        return either.right(ordered.filter(inRange).slice(0, limit))
      }),

    readAll: (after, filter, limit) => task(() => either.right(readFrom(after + 1n, filter, limit))),

    readStored: (after, filter, limit) =>
      task(() => {
        const { events, ...rest } = readFrom(after + 1n, filter, limit)
        const storedEvents: StoredEvent[] = events.map((event) => ({ ...event, ...contents.get(event)! }))
        return either.right({ events: storedEvents, ...rest })
      }),

    readWithBytes: (after, filter, limit) =>
      task(() => {
        const batch = readFrom(after + 1n, filter, limit)
        return either.right({ ...batch, bytes: batch.events.map((event) => contents.get(event)!) })
      }),

    readBack: (before, limit) =>
      task(() => {
        const earlier = log.filter((event) => isShown(event) && (before === 'end' || event.position < before))
        return either.right(earlier.toReversed().slice(0, limit))
      }),

    async *subscribe(after, filter, signal) {
      subscriptions++
      let position = after
      for (let first = true; !signal.aborted; ) {
        if (away) throw new UnavailableError('the fake event store is away')
        const batch = readFrom(position + 1n, filter, batchSize)
        if (first || batch.position > position) {
          first = false
          position = batch.position
          yield batch
          if (!batch.caughtUp) await setImmediate()
          continue
        }
        await new Promise<void>((resolve) => {
          const done = () => {
            wakers.delete(done)
            signal.removeEventListener('abort', done)
            resolve()
          }
          wakers.add(done)
          signal.addEventListener('abort', done)
        })
      }
    },

    head: () => task(() => either.right(head())),
    identity: () => task(() => either.right('the fake log')),
    writable: () => task(() => either.right(undefined)),
    damage: () => task(() => either.right(undefined)),

    deleteStream: (name, expected, mode) =>
      task((): either.Either<AppendFailure, void> => {
        const stream = streams.get(name) ?? noStream
        const last = stream.events.length - 1
        const isDeleted = stream.state === 'soft'
        if (stream.state === 'tombstone' || (isDeleted && expected === 'exists'))
          return either.left({ kind: 'StreamDeleted', stream: name })
        const fits =
          last >= 0
            ? [BigInt(last), isDeleted ? 'none' : 'exists', 'any'].includes(expected)
            : mode === 'tombstone' && ['none', 'any'].includes(`${expected}`)
        if (!fits) return either.left(conflictOf(name, last))
        streams.set(name, { ...stream, state: mode })
        return either.right(undefined)
      }),

    keepLatest: (name, count) =>
      task(() => {
        if (count > 0) kept.set(name, count)
        else kept.delete(name)
        return either.right(undefined)
      }),

    metadata: (name) =>
      task(() => {
        const count = kept.get(name)
        if (streams.get(name)?.state === 'tombstone') return either.right({})
        return either.right({ ...(count !== undefined && { $maxCount: count }), ...metadata.get(name) })
      }),

    setMetadata: (name, said) =>
      task((): either.Either<AppendFailure, void> => {
        if (streams.get(name)?.state === 'tombstone')
          return either.left({ kind: 'StreamDeleted', stream: `$$${name}` })
        metadata.set(name, said)
        if (typeof said.$maxCount === 'number') kept.set(name, said.$maxCount)
        else kept.delete(name)
        return either.right(undefined)
      }),

    close: async () => {},

    goAway: () => {
      away = true
      wake()
    },
    comeBack: () => {
      away = false
    },
    subscriptions: () => subscriptions,
  }
}

const stored = ({ id, type, data = null, json, metadata }: NewEvent): StoredContent => ({
  ...{ id, type },
  data: json ?? JSON.stringify(data),
  metadata: JSON.stringify(metadata),
  isJson: true,
})

const parsed = (bytes: StoredContent['data']): unknown => {
  try {
    return JSON.parse(storedText(bytes) ?? '')
  } catch {
    return { $base64: Buffer.from(asBytes(bytes)).toString('base64') }
  }
}

const conflictOf = (stream: string, last: number) =>
  ({ kind: 'Conflict', stream, actual: last < 0 ? 'none' : BigInt(last) }) as const

/** The server's own are looked past. */
const isShown = ({ stream, type }: RecordedEvent): boolean => !stream.startsWith('$') && !type.startsWith('$')

const passes = (event: RecordedEvent, { categories, types }: EventFilter): boolean =>
  (categories?.includes(categoryOf(event.stream)) ?? true) && (types?.includes(event.type) ?? true)
