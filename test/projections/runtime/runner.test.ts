import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { livePosition } from '../../../src/async/caught-up.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { NotCaughtUp } from '../../../src/async/wait-until.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { catchUp } from '../../../src/projections/runtime/catch-up.ts'
import { type Projection, projection } from '../../../src/projections/runtime/projection.ts'
import type { FoldedBatch } from '../../../src/projections/runtime/run-projection.ts'
import { type RunningProjections, runProjections } from '../../../src/projections/runtime/runner.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { type ManualClock, manualClock } from '../../fakes/manual-clock.ts'
import { openTestViews } from '../../fakes/views.ts'
import { accounts, balancesOf, events, fill, noise, pay, totalOf } from './accounts.ts'

let folder: string
let file: string
let viewStore: ViewStore
let eventStore: FakeEventStore
let clock: ManualClock
let running: RunningProjections[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-runner-'))
  file = join(folder, 'views.db')
  viewStore = openTestViews(file)
  eventStore = fakeEventStore({ batchSize: 5, gap: 2n })
  clock = manualClock()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  viewStore.close()
  rmSync(folder, { recursive: true })
})

const run = (
  projections: readonly Projection[] = [accounts()],
  views = viewStore,
  observe?: (batch: FoldedBatch) => void,
): RunningProjections => {
  const started = runProjections({
    eventStore,
    viewStore: views,
    clock,
    projections,
    ...(observe && { observe }),
  })
  running.push(started)
  return started
}

const stateOf = (of: RunningProjections) => of.status().map(({ state }) => state)

/** Until the condition holds; the clock moves on meanwhile, so that pauses end. */
const until = (condition: () => void) =>
  vi.waitFor(
    () => {
      clock.advance(60_000)
      condition()
    },
    { interval: 1 },
  )

describe('runProjections', () => {
  it('catches up, then follows; queries see a position once it is reached', async () => {
    await fill(eventStore, 12)
    const projections = run()
    const position = await pay(eventStore, 'late', 7)
    await projections.whenCaughtUp(position)
    expect(balancesOf(viewStore)).toEqual({ 0: 4, 1: 4, 2: 4, late: 7 })
    for (let i = 0; i < 20; i++) {
      await projections.whenCaughtUp(await pay(eventStore, 'late', 1))
      expect(balancesOf(viewStore)).toMatchObject({ late: 8 + i })
    }
    await projections.whenCaughtUp(0n)
  })
  it('batches of others share a transaction, for all projections, and are seen at once', async () => {
    const passes: number[] = []
    const counting: ViewStore = {
      ...viewStore,
      pass: (some) => {
        passes.push(some.length)
        return viewStore.pass(some)
      },
    }
    const folded: FoldedBatch[] = []
    const idle: Projection = { ...accounts(), name: 'idle', views: [], filter: { categories: ['nobody'] } }
    const projections = run([accounts(), idle], counting, (batch) => folded.push(batch))
    await projections.whenCaughtUp(await pay(eventStore, 'one', 1))
    folded.length = 0
    let last = -1n
    for (let i = 0; i < 50; i++) {
      last = await noise(eventStore)
      await projections.whenCaughtUp(last)
    }
    expect(passes).toHaveLength(1)
    clock.advance(20)
    for (const name of ['accounts', 'idle'])
      await vi.waitFor(() => expect(livePosition(viewStore, name)).toBe(last), { interval: 1 })
    expect([passes.length, passes[1]]).toEqual([2, 2])
    expect(folded).toEqual([])
    await projections.whenCaughtUp(await pay(eventStore, 'one', 2))
    expect(balancesOf(viewStore)).toEqual({ one: 3 })
  })

  it('events of others count as seen, in the file too', async () => {
    const projections = run()
    const position = await noise(eventStore)
    await projections.whenCaughtUp(position)
    expect(viewStore.checkpoint(viewStore.live('accounts')!).position).toBe(position)
  })
  it('an empty log is live at once', async () => {
    const projections = run()
    await vi.waitFor(() => expect(stateOf(projections)).toEqual(['live']))
    expect(projections.status()).toMatchObject([{ projection: 'accounts', version: 1, position: -1n }])
    expect(viewStore.query('balances', {})).toEqual([])
  })
  it('says where each stands, and how far the log is ahead', async () => {
    const head = await fill(eventStore, 3)
    const projections = run()
    await projections.whenCaughtUp(head)
    eventStore.goAway()
    await vi.waitFor(() => expect(stateOf(projections)).toEqual(['stalled']))
    eventStore.comeBack()
    const later = await pay(eventStore, 'a', 1)
    await vi.waitFor(() =>
      expect(projections.status()).toEqual([
        {
          projection: 'accounts',
          version: 1,
          position: head,
          head: later,
          lag: 2n,
          state: 'stalled',
          lastError: 'the fake event store is away',
        },
      ]),
    )
  })
  it('tells of every transaction', async () => {
    const seen: FoldedBatch[] = []
    const position = await fill(eventStore, 7)
    await run([accounts()], viewStore, (batch) => seen.push(batch)).whenCaughtUp(position)
    expect(seen).toMatchObject([
      { projection: 'accounts', version: 1, events: 5, position: 8n, caughtUp: false },
      { projection: 'accounts', version: 1, events: 2, position: 12n, caughtUp: true },
    ])
    for (const { millis } of seen) expect(millis).toBeGreaterThanOrEqual(0)
  })

  describe('waiting to be caught up with', () => {
    it('gives up after the time-out and names who is behind', async () => {
      const projections = run()
      await vi.waitFor(() => expect(stateOf(projections)).toEqual(['live']))
      const waiting = projections.whenCaughtUp(10n, { timeoutMillis: 5000 })
      clock.advance(4999)
      clock.advance(1)
      await expect(waiting).rejects.toThrow(NotCaughtUp)
      await expect(waiting).rejects.toThrow('not yet at position 10: accounts (live, at -1)')
    })
    it('gives up when the projections are stopped, before or after', async () => {
      const projections = run()
      const waiting = projections.whenCaughtUp(10n)
      const refused = expect(waiting).rejects.toThrow(/stopped before position 10/)
      await projections.stop()
      await refused
      await expect(projections.whenCaughtUp(10n)).rejects.toThrow(NotCaughtUp)
    })
  })

  describe('faults', () => {
    it('a bug fails its projection, visibly; others go on; mended, it goes on from where it was', async () => {
      let isMended = false
      const buggy = accounts({
        before: (amount) => {
          if (amount === 13 && !isMended) throw new Error('unlucky')
        },
      })
      const count = projection(
        {
          name: 'count',
          version: 1,
          description: 'Payments.',
          views: [{ name: 'payments', description: 'n', key: ['k'], columns: { k: 'text', n: 'integer' } }],
        },
        (on) => [
          on('account', events, {
            Paid: (_, __, { payments }) => payments.put({ k: 'n', n: Number(payments.get('n')?.n ?? 0) + 1 }),
          }),
        ],
      )
      const projections = run([buggy, count])
      await projections.whenCaughtUp(await pay(eventStore, 'a', 1))
      await pay(eventStore, 'a', 13)
      const last = await pay(eventStore, 'a', 2)
      await until(() => {
        expect(stateOf(projections)).toEqual(['failed', 'live'])
        expect(viewStore.query('payments', {})).toEqual([{ k: 'n', n: 3 }])
      })
      expect(projections.status()[0]?.lastError).toMatch(/accounts stopped at position 2 .*unlucky/)
      expect(balancesOf(viewStore)).toEqual({ a: 1 })
      isMended = true
      await until(() => expect(stateOf(projections)).toEqual(['live', 'live']))
      await projections.whenCaughtUp(last)
      expect(balancesOf(viewStore)).toEqual({ a: 16 })
      expect(projections.status()[0]?.lastError).toBeUndefined()
    })
    it('the event store goes away and comes back: pauses grow to a second, nothing is lost or twice', async () => {
      const projections = run()
      await projections.whenCaughtUp(await fill(eventStore, 3))
      eventStore.goAway()
      await until(() => {
        expect(stateOf(projections)).toEqual(['stalled'])
        expect(clock.sleeps.length).toBeGreaterThan(12)
      })
      const [first = 0] = clock.sleeps
      expect(first).toBeGreaterThanOrEqual(50)
      expect(first).toBeLessThanOrEqual(100)
      expect(Math.max(...clock.sleeps)).toBeLessThanOrEqual(1000)
      expect(clock.sleeps[11]).toBeGreaterThanOrEqual(500)
      eventStore.comeBack()
      const position = await fill(eventStore, 3)
      await until(() => expect(stateOf(projections)).toEqual(['live']))
      await projections.whenCaughtUp(position)
      expect(totalOf(viewStore)).toMatchObject({ events: 6 })
    })
    it('views that cannot be written stall it until they can', async () => {
      let isFull = false
      const views: ViewStore = {
        ...viewStore,
        fold: (...args) => {
          if (isFull) throw new UnavailableError('the disk is full')
          return viewStore.fold(...args)
        },
      }
      const projections = run([accounts()], views)
      await projections.whenCaughtUp(await pay(eventStore, 'a', 1))
      isFull = true
      const position = await pay(eventStore, 'a', 1)
      await until(() =>
        expect(projections.status()).toMatchObject([{ state: 'stalled', lastError: 'the disk is full' }]),
      )
      isFull = false
      await until(() => expect(stateOf(projections)).toEqual(['live']))
      await projections.whenCaughtUp(position)
      expect(balancesOf(viewStore)).toEqual({ a: 2 })
    })
    it('a crash between two batches: the next process goes on behind the last whole one', async () => {
      await fill(eventStore, 20)
      const power = { batches: 2 }
      const crashing: ViewStore = {
        ...viewStore,
        fold: (...args) => {
          if (power.batches-- > 0) return viewStore.fold(...args)
          return viewStore.fold(args[0], args[1], args[2], (...folding) => {
            args[3](...folding)
            throw new Error('power cut')
          })
        },
      }
      const first = run([accounts()], crashing)
      await vi.waitFor(() => expect(stateOf(first)).toEqual(['failed']))
      await first.stop()
      expect(totalOf(viewStore)).toMatchObject({ events: 10 })
      const next = openTestViews(file)
      const position = await pay(eventStore, 'a', 1)
      await run([accounts()], next).whenCaughtUp(position)
      expect(totalOf(next)).toMatchObject({ events: 21, amount: 21 })
      await Promise.all(running.map((each) => each.stop()))
      next.close()
    })
  })

  it.each([0, 1000])(
    'two runners on one file never count an event twice (%i rows cached)',
    async (cachedRows) => {
      const one = openTestViews(file, { rowBytes: cachedRows * 1000 })
      const other = openTestViews(file, { rowBytes: cachedRows * 1000 })
      await fill(eventStore, 23)
      const both = [run([accounts()], one), run([accounts()], other)]
      let position = -1n
      for (let i = 0; i < 100; i++) {
        position = await pay(eventStore, 'live', 1)
        await new Promise(setImmediate)
      }
      await Promise.all(both.map((each) => each.whenCaughtUp(position)))
      await Promise.all(both.map((each) => each.stop()))
      for (const views of [one, other]) {
        expect(totalOf(views)).toMatchObject({ events: 123, amount: 123 })
        expect(balancesOf(views)).toMatchObject({ live: 100 })
        views.close()
      }
    },
  )

  describe('versions', () => {
    it('a new version is built beside the live one, which answers until it has caught up', async () => {
      const position = await fill(eventStore, 23)
      await catchUp({ eventStore, viewStore, projections: [accounts()] })
      const answers = new Set<unknown>()
      const projections = run([accounts({ version: 2, factor: 10 })], viewStore, ({ caughtUp }) => {
        if (!caughtUp) expect(viewStore.live('accounts')?.version).toBe(1)
        answers.add(totalOf(viewStore)?.amount)
      })
      await projections.whenCaughtUp(position)
      expect([...answers]).toEqual([23])
      expect(totalOf(viewStore)).toMatchObject({ amount: 230 })
      expect(viewStore.generations()).toMatchObject([{ version: 2, status: 'live' }])
    })
    it('building is taken up again after a restart', async () => {
      const position = await fill(eventStore, 23)
      await catchUp({ eventStore, viewStore, projections: [accounts()] })
      const next = accounts({ version: 2 })
      const begun = viewStore.create('accounts', 2, next.views)
      const projections = run([next])
      await projections.whenCaughtUp(position)
      expect(viewStore.live('accounts')?.id).toBe(begun.id)
    })
    it('a program of the old version steps back when a newer one takes over, and says so', async () => {
      const other = openTestViews(file)
      const old = run([accounts({ version: 1 })])
      await old.whenCaughtUp(await fill(eventStore, 4))
      const newer = run([accounts({ version: 2, factor: 10 })], other)
      const position = await pay(eventStore, 'a', 1)
      await newer.whenCaughtUp(position)
      await until(() => {
        expect(stateOf(old)).toEqual(['stalled'])
        expect(stateOf(newer)).toEqual(['live'])
      })
      expect(old.status()[0]?.lastError).toMatch(/at version 2, this program makes version 1; run the newer/)
      await newer.whenCaughtUp(await pay(eventStore, 'a', 1))
      expect(totalOf(viewStore)).toMatchObject({ events: 6, amount: 60 })
      expect(viewStore.generations()).toMatchObject([{ version: 2, status: 'live' }])
      await newer.stop()
      other.close()
    })
    it('two processes that start the same new version end with one generation', async () => {
      const position = await fill(eventStore, 23)
      await catchUp({ eventStore, viewStore, projections: [accounts()] })
      const other = openTestViews(file)
      const next = accounts({ version: 2, factor: 10 })
      const both = [run([next], viewStore), run([next], other)]
      await Promise.all(both.map((each) => each.whenCaughtUp(position)))
      expect(totalOf(other)).toMatchObject({ events: 23, amount: 230 })
      expect(viewStore.generations()).toMatchObject([{ version: 2, status: 'live' }])
      await Promise.all(both.map((each) => each.stop()))
      other.close()
    })
  })
})
