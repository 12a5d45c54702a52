import * as either from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import type { EventStore } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { versions } from '../../../fixtures/eventstoredb-record.ts'
import { serve } from './gateway.ts'
import { useRecorded } from './recorded/use-recorded.ts'

/* EventStoreDB's positions are places in its files: from one that it never gave out it cannot read. */

describe.each(versions)('a position that the server never gave out (%s)', (version) => {
  /** Thirty events, at 1000, 2000 …; nobody has been told of one. */
  const thirty = async () => {
    const used = await useRecorded(version)
    for (let n = 0; n < 30; n++) await used.direct.append(`a-${n}`, 'none', [event(n % 2 ? 'Odd' : 'Even')])()
    return used
  }
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, n) => BigInt(first + n) * 1000n)
  const right = async <F, A>(task: () => Promise<either.Either<F, A>>): Promise<A> => {
    const result = await task()
    if (either.isLeft(result)) throw new Error(JSON.stringify(result.left))
    return result.right
  }
  const positionsOf = (events: readonly { readonly position: bigint }[]) =>
    events.map(({ position }) => position)

  it('reads on from it, with and without a filter, to the end', async () => {
    const { store, server } = await thirty()
    expect(positionsOf((await right(store.readAll(7n, {}, 3))).events)).toEqual(from(1, 3))
    expect(server.asked).toEqual(['7', '8', 'start'])
    const odd = await right(store.readAll(27_500n, { types: ['Odd'] }, 9))
    expect(positionsOf(odd.events)).toEqual([28_000n, 30_000n])
    expect(odd.caughtUp).toBe(true)
  })
  it('begins at the event that stands at the next byte', async () => {
    const { store, server } = await thirty()
    expect(positionsOf((await right(store.readAll(6999n, {}, 2))).events)).toEqual(from(7, 8))
    expect(server.asked).toEqual(['6999', '7000'])
  })
  it('is found from the nearest known place below', async () => {
    const { store, server } = await thirty()
    await right(store.readAll(-1n, {}, 30))
    await right(store.readAll(20_000n, {}, 3))
    server.asked.length = 0
    expect(positionsOf((await right(store.readAll(30_500n, {}, 3))).events)).toEqual([])
    expect(server.asked.slice(2)).toEqual(['30000'])
  })
  it('reads back from it', async () => {
    const { store, server } = await thirty()
    expect(positionsOf(await right(store.readBack(7500n, 3)))).toEqual(from(5, 7).reverse())
    expect(positionsOf(await right(store.readBack(29_500n, 30)))).toEqual(from(1, 29).reverse())
    expect(positionsOf(await right(store.readBack(7n, 3)))).toEqual([])
    server.asked.length = 0
    expect(positionsOf(await right(store.readBack(12_001n, 1)))).toEqual([12_000n])
    expect(server.asked).toEqual(['12001', '12000'])
    expect(positionsOf(await right(store.readBack(9_000_000_000_000n, 2)))).toEqual([30_000n, 29_000n])
  })
  it.each([[{}], [{ types: ['Even', 'Odd'] }]])('follows from it: %j', async (filter) => {
    const { store, server } = await thirty()
    const abort = new AbortController()
    const positions: bigint[] = []
    for await (const { events, caughtUp } of store.subscribe(7500n, filter, abort.signal)) {
      positions.push(...positionsOf(events))
      if (caughtUp) abort.abort()
    }
    expect(positions).toEqual(from(8, 30))
    expect(server.asked).toContain('7500')
  })
  it('follows from a place that it was given without a look at anything before', async () => {
    const { store, server } = await thirty()
    const abort = new AbortController()
    const positions: bigint[] = []
    for await (const { events, caughtUp } of store.subscribe(7000n, {}, abort.signal)) {
      positions.push(...positionsOf(events))
      if (caughtUp) abort.abort()
    }
    expect(positions).toEqual(from(8, 30))
    expect(server.asked).not.toContain('start')
    expect(server.asked.every((place) => place === 'end' || BigInt(place) >= 7000n)).toBe(true)
  })
  it('an event of the end that came later is found from there on', async () => {
    const { store } = await thirty()
    expect((await right(store.readAll(30_500n, {}, 9))).caughtUp).toBe(true)
    await right(store.append('a-later', 'none', [event()]))
    expect(positionsOf((await right(store.readAll(30_500n, {}, 9))).events)).toEqual([31_000n])
  })
})

describe('positions that no log has', () => {
  it.each([-5n, 2n ** 63n, 2n ** 64n, 10n ** 30n])('%d', async (position) => {
    const served = await serve()
    const store = openEventStoreDb(served.address)
    onTestFinished(async () => {
      await store.close()
      await served.dispose()
    })
    await store.append('a-1', 'none', [event()])()
    const count = async (task: ReturnType<EventStore['readBack']>) => {
      const found = await task()
      return either.isRight(found) ? found.right.length : found.left
    }
    expect(await count(store.readBack(position, 9))).toBe(position < 0n ? 0 : 1)
    const found = await store.readAll(position, {}, 9)()
    expect(either.isRight(found) && found.right.events.length).toBe(position < 0n ? 1 : 0)
  })
})
