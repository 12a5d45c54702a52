import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import * as either from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { catchUp } from '../../../../infra/event-store/eventstoredb/catch-up.ts'
import type { Connection } from '../../../../infra/event-store/eventstoredb/connection.ts'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import { createPlaces } from '../../../../infra/event-store/eventstoredb/places.ts'
import type { Reader } from '../../../../infra/event-store/eventstoredb/read.ts'
import type { Resolved } from '../../../../infra/event-store/eventstoredb/wire/read-answer.ts'
import { UnavailableError } from '../../../../src/async/unavailable.ts'
import type { RecordedEvent } from '../../../../src/domain/kernel/event.ts'
import type { EventFilter, EventStore } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { runs } from '../../../runs.ts'
import { type Served, serve } from './gateway.ts'

let served: Served
const opened: EventStore[] = []
beforeEach(async () => {
  served = await serve()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
  await served.dispose()
})

const open = (options: Parameters<typeof openEventStoreDb>[1] = {}): EventStore => {
  const store = openEventStoreDb(served.address, options)
  opened.push(store)
  return store
}

/** As callers do: from the last handled position, until it is answered. */
const insist = async <F, A>(task: () => Promise<either.Either<F, A>>): Promise<A> => {
  for (;;) {
    const result = await task()
    if (either.isRight(result)) return result.right
    expect(result.left).toMatchObject({ kind: 'Unavailable' })
    await setImmediate()
  }
}

const logOf = async (store: EventStore, filter: EventFilter = {}): Promise<readonly RecordedEvent[]> =>
  (await insist(store.readAll(-1n, filter, 100_000))).events

interface Following {
  readonly events: RecordedEvent[]
  position: bigint
  caughtUp: boolean
}

/** Follows for ever, with as many turns of the event loop between two batches as `pace` says. */
const follow = (store: EventStore, filter: EventFilter, signal: AbortSignal, pace: () => number) => {
  const following: Following = { events: [], position: -1n, caughtUp: false }
  const done = (async () => {
    while (!signal.aborted) {
      try {
        for await (const batch of store.subscribe(following.position, filter, signal)) {
          expect(batch.position >= following.position).toBe(true)
          for (const one of batch.events) {
            const before = following.events.at(-1)
            expect(one.position > (before?.position ?? -1n) && one.position <= batch.position).toBe(true)
            following.events.push(one)
          }
          following.position = batch.position
          following.caughtUp = batch.caughtUp
          for (let turn = pace(); turn > 0; turn--) await setImmediate()
        }
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
        await setImmediate()
      }
    }
  })()
  return { following, done }
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await setImmediate()
}

describe('subscribing through drops, slow readers and small memories', () => {
  const filters: readonly EventFilter[] = [
    {},
    { categories: ['a'] },
    { types: ['Red'] },
    { categories: ['b'], types: ['Blue', 'Red'] },
    { types: ['Never'] },
  ]

  const Step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('append' as const), count: fc.nat(12) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('breathe' as const), count: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), count: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('subscribe' as const), count: fc.nat(4) }) },
  )

  it('property: every subscriber gets what passes its filter, once, in order, and comes to the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(Step, { minLength: 3, maxLength: 25 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(15),
        async (plan, maxEvents, slowness) => {
          const store = open({ recent: { maxEvents, maxBytes: 1_000_000 } })
          const abort = new AbortController()
          const start = (filter: EventFilter) => ({
            filter,
            ...follow(store, filter, abort.signal, () => slowness),
          })
          const followers = filters.map(start)
          for (const [index, step] of plan.entries()) {
            if (step.do === 'breathe') for (let turn = step.count; turn > 0; turn--) await setImmediate()
            if (step.do === 'subscribe') followers.push(start(filters[step.count % filters.length]!))
            if (step.do === 'append')
              for (let n = 0; n < step.count; n++) {
                const one = event(n % 3 === 0 ? 'Red' : 'Blue', { n })
                await insist(store.append(`${'ab'[n % 2]}-${index % 4}`, 'any', [one]))
              }
            if (step.do === 'restart') {
              await served.stop()
              await setImmediate()
              await served.start()
            }
          }
          const head = await insist(store.head())
          await until(() =>
            followers.every(({ following }) => following.position >= head && following.caughtUp),
          )
          abort.abort()
          await Promise.all(followers.map(({ done }) => done))
          for (const { filter, following } of followers)
            expect(following.events).toEqual(await logOf(store, filter))
        },
      ),
      { numRuns: runs(12) },
    )
  })

  it('a reader that falls out of the memory catches up again, and loses nothing', async () => {
    const store = open({ recent: { maxEvents: 5, maxBytes: 1_000_000 } })
    const abort = new AbortController()
    const seen: RecordedEvent[] = []
    for await (const batch of store.subscribe(-1n, {}, abort.signal)) {
      seen.push(...batch.events)
      if (!batch.caughtUp) continue
      if (seen.length >= 200) abort.abort()
      else for (let n = 0; n < 50; n++) await insist(store.append('a-1', 'any', [event()]))
    }
    expect(seen.map(({ revision }) => Number(revision))).toEqual(seen.map((_, index) => index))
    expect(seen.length).toBeGreaterThanOrEqual(200)
  })

  it('an empty log: one batch that says so', async () => {
    const abort = new AbortController()
    for await (const batch of open().subscribe(-1n, {}, abort.signal)) {
      expect(batch).toEqual({ events: [], position: -1n, caughtUp: true })
      abort.abort()
    }
  })

  it('one subscription serves all who follow', async () => {
    const store = open()
    const abort = new AbortController()
    const followers = Array.from({ length: 5 }, () => follow(store, {}, abort.signal, () => 0))
    await until(() => followers.every(({ following }) => following.caughtUp))
    const { position } = await insist(store.append('a-1', 'none', [event(), event()]))
    await until(() => followers.every(({ following }) => following.position >= position))
    abort.abort()
    await Promise.all(followers.map(({ done }) => done))
    for (const { following } of followers) expect(following.events).toHaveLength(2)
  })

  it('away: throws UnavailableError, and is served again by itself when the server is back', async () => {
    const store = open()
    await insist(store.append('a-1', 'none', [event()]))
    await served.stop()
    const abort = new AbortController()
    const reading = async () => {
      for await (const batch of store.subscribe(-1n, {}, abort.signal)) if (batch.caughtUp) return batch
      return undefined
    }
    await expect(reading()).rejects.toThrow(UnavailableError)
    await expect(reading()).rejects.toThrow(/cannot be reached.*is it running/)
    await served.start()
    const { following, done } = follow(store, {}, abort.signal, () => 0)
    await until(() => following.caughtUp)
    expect(following.events).toHaveLength(1)
    abort.abort()
    await done
  })

  it('a follower is told when the server stays away, and ends at once when aborted meanwhile', async () => {
    const store = open()
    const abort = new AbortController()
    let live = false
    const reading = (async () => {
      for await (const batch of store.subscribe(-1n, {}, abort.signal)) live = batch.caughtUp
    })()
    await until(() => live)
    await served.stop()
    await expect(reading).rejects.toThrow(UnavailableError)
    abort.abort()
    for await (const _ of store.subscribe(-1n, {}, abort.signal))
      throw new Error('nothing is wanted any more')
  })

  it('closing the store ends what follows it', async () => {
    const store = open()
    let live = false
    const reading = (async () => {
      for await (const batch of store.subscribe(-1n, {}, new AbortController().signal)) live = batch.caughtUp
    })()
    await until(() => live)
    await store.close()
    await expect(reading).rejects.toThrow('closed')
  })
})

describe('a server that does not say how far it has looked (22.10)', () => {
  /** Sends what it is told to, and nothing about the rest. */
  const silentServer = () => {
    const stream = Object.assign(new PassThrough({ objectMode: true }), {
      cancel: () => {},
      getPeer: () => '',
      getAuthContext: () => null,
    })
    const calls: Pick<Connection['calls'], 'read'> = { read: async () => stream as never }
    return {
      calls: calls as Connection['calls'],
      send: (...events: RecordedEvent[]) => {
        for (const one of events) stream.write(resolved(one))
      },
    }
  }
  const recorded = (position: bigint, type: string): RecordedEvent => ({
    ...event(type),
    stream: 'a-1',
    revision: position,
    position,
    recordedAt: '2026-01-01T00:00:00.000Z',
  })
  const resolved = ({ data, metadata, recordedAt, ...one }: RecordedEvent): Resolved => ({
    event: {
      ...one,
      contentType: 'application/json',
      created: `${Date.parse(recordedAt)}0000`,
      data: JSON.stringify(data),
      metadata: JSON.stringify(metadata),
      bytes: undefined,
    },
    link: undefined,
    position: one.position,
  })

  it('the last stretch, where nothing passes, is read from the log; what comes late is not given twice', async () => {
    const log = Array.from({ length: 10 }, (_, n) =>
      recorded(BigInt(n), [2, 7, 9].includes(n) ? 'Red' : 'Blue'),
    )
    const { calls, send } = silentServer()
    send(log[2]!)
    const asked: bigint[] = []
    const reader: Pick<Reader, 'page'> = {
      page: async (after) => {
        asked.push(after)
        const events = log.filter(({ position }) => position > after && position < 9n).slice(0, 4)
        if (after === 6n) send(log[7]!, log[9]!)
        return { events, position: events.at(-1)?.position ?? after, end: false }
      },
    }
    const connection = { calls, name: 'silent', places: createPlaces(), log: undefined, timeoutMillis: 10 }
    const found: bigint[] = []
    const positions: bigint[] = []
    const signal = new AbortController().signal
    const batches = catchUp(connection, reader, -1n, { types: ['Red'] }, (to) => to >= 9n, signal)
    for await (const batch of batches) {
      found.push(...batch.events.map(({ position }) => position))
      positions.push(batch.position)
    }
    expect(found).toEqual([2n, 7n, 9n])
    expect(positions).toEqual([2n, 6n, 8n, 9n])
    expect(asked).toEqual([2n, 6n])
  })
})
