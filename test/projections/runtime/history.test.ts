import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openViewStore } from '../../../infra/views/sqlite/view-store.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { Point, ViewStore } from '../../../src/ports/view-store.ts'
import { asOf } from '../../../src/projections/runtime/as-of.ts'
import { catchUp } from '../../../src/projections/runtime/catch-up.ts'
import { askHistory } from '../../../src/projections/runtime/history.ts'
import type { Projection } from '../../../src/projections/runtime/projection.ts'
import { rebuild } from '../../../src/projections/runtime/rebuild.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { runs } from '../../runs.ts'
import { accounts, balancesOf, closeAccount, noise, pay, totalOf } from './accounts.ts'

let viewStore: ViewStore
beforeEach(() => {
  viewStore = openViewStore(':memory:')
})
afterEach(() => viewStore.close())

const plain = accounts()
const withPast: Projection = { ...plain, views: plain.views.map((view) => ({ ...view, history: {} })) }

const answer = (views: ViewStore, { name }: Projection) => {
  const live = views.live(name)
  return {
    balances: balancesOf(views),
    total: totalOf(views),
    time: live && views.checkpoint(live).time,
  }
}

/** Asked of the past that is kept; fails where it is not. */
const kept = (eventStore: EventStore, at: Point) =>
  askHistory(
    withPast,
    { eventStore, viewStore },
    at,
    async (views) => answer(views, withPast),
    (why) => Promise.reject(new Error(why)),
  )

const folded = async (eventStore: EventStore, at: Point) => {
  const views = await asOf([plain], { eventStore, viewStore }, at)
  try {
    return answer(views, plain)
  } finally {
    views.close()
  }
}

const step = fc.record({
  kind: fc.constantFrom('pay', 'pay', 'close', 'noise'),
  account: fc.constantFrom('a', 'b', 'c'),
  /** Seconds that the clock goes on, or back. */
  passes: fc.integer({ min: -1, max: 5 }),
  repeat: fc.constantFrom(1, 1, 1, 40),
})

const start = Date.parse('2026-05-01T12:00:00Z')

/** An event store whose clock runs backward now and then, and what it was at. */
const played = async (steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) => {
  let now = start
  const times = [start - 1]
  const inner = fakeEventStore({ gap: 997n })
  const recorded = new Map<string, string>()
  for (const { kind, account, passes, repeat } of steps)
    for (let i = 0; i < repeat; i++) {
      now += passes * 1000
      times.push(now)
      const position =
        kind === 'pay'
          ? await pay(inner, account, 1)
          : kind === 'close'
            ? await closeAccount(inner, account)
            : await noise(inner)
      recorded.set(`${position}`, new Date(now).toISOString())
    }
  const eventStore: EventStore = {
    ...inner,
    readAll:
      (...of) =>
      async () => {
        const read = await inner.readAll(...of)()
        if (read._tag === 'Left') return read
        const events = read.right.events.map((event) => ({
          ...event,
          recordedAt: recorded.get(`${event.position}`) ?? event.recordedAt,
        }))
        return { ...read, right: { ...read.right, events } }
      },
  }
  const positions = [...recorded.keys()].map(BigInt)
  return { eventStore, times, positions }
}

describe('the past of a projection', () => {
  it('P61 P63: as of any position and any time it is what folding up to there gives, whatever the clock did', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 50 }),
        async (steps, batchSize) => {
          viewStore.close()
          viewStore = openViewStore(':memory:')
          const { eventStore, times, positions } = await played(steps)
          await catchUp({ eventStore, viewStore, projections: [withPast], batchSize })
          const points: Point[] = [
            ...positions.slice(0, 6).flatMap((position) => [{ position: position - 1n }, { position }]),
            ...times.slice(0, 6).map((time) => ({ time: new Date(time).toISOString() })),
            { time: '2030-01-01T00:00:00Z' },
            { position: (positions.at(-1) ?? 0n) + 5n },
          ]
          const isInOrder = steps.every(({ passes }) => passes >= 0)
          for (const point of points) {
            const expected = await folded(eventStore, point)
            // Of times out of order the latest is said.
            const time = isInOrder || expected.time === null ? expected.time : expect.any(String)
            expect(await kept(eventStore, point)).toEqual({ ...expected, time })
          }
        },
      ),
      { numRuns: runs(10) },
    )
  })

  it('P62: rebuild --verify finds the same past, however many events were folded in one transaction', async () => {
    const eventStore = fakeEventStore({ gap: 300n })
    for (let i = 0; i < 50; i++) await (i % 7 === 6 ? closeAccount(eventStore, 'a') : pay(eventStore, 'a', i))
    await catchUp({ eventStore, viewStore, projections: [withPast], batchSize: 3 })
    const report = await rebuild(withPast, { eventStore, viewStore, verify: true, batchSize: 20 })
    expect(report).toMatchObject({ differences: [], promoted: true })
    expect(await kept(eventStore, { position: 300n * 40n })).toEqual(
      await folded(eventStore, { position: 300n * 40n }),
    )
  })

  it('few events are read to find a moment, and none a second time', async () => {
    const inner = fakeEventStore({ gap: 1n })
    for (let i = 0; i < 300; i++) await pay(inner, 'a', 1)
    await catchUp({ eventStore: inner, viewStore, projections: [withPast] })
    let read = 0
    const eventStore: EventStore = {
      ...inner,
      readAll: (after, filter, limit) => {
        read++
        expect(after).toBeGreaterThan(160n)
        expect(after).toBeLessThanOrEqual(200n)
        return inner.readAll(after, filter, limit)
      },
    }
    const first = await kept(eventStore, { position: 200n })
    expect(first.total).toMatchObject({ events: 201 })
    expect(read).toBeLessThanOrEqual(1)
    const before = read
    expect(await kept(eventStore, { position: 200n })).toEqual(first)
    expect(read).toBe(before)
  })

  it('what is not folded yet, and views that do not keep it, are asked otherwise', async () => {
    const eventStore = fakeEventStore({ gap: 5n })
    await pay(eventStore, 'a', 1)
    await catchUp({ eventStore, viewStore, projections: [withPast] })
    const position = await pay(eventStore, 'a', 2)
    await expect(kept(eventStore, { position })).rejects.toThrow('folded up to position 0 alone')
    await expect(kept(eventStore, { time: '2100-01-01T00:00:00Z' })).rejects.toThrow('position 0 alone')
    const answer = await askHistory(
      plain,
      { eventStore, viewStore },
      { position },
      async () => 'kept',
      async (why) => why,
    )
    expect(answer).toBe('the views of accounts keep no history')
  })
})
