import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { Generation, ViewStore } from '../../../src/ports/view-store.ts'
import { catchUp, type Progress } from '../../../src/projections/runtime/catch-up.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { openTestViews } from '../../fakes/views.ts'
import { runs } from '../../runs.ts'
import { accounts, balancesOf, closeAccount, fill, noise, pay, totalOf } from './accounts.ts'

let viewStore: ViewStore
beforeEach(() => {
  viewStore = openTestViews()
})
afterEach(() => viewStore.close())

describe('catchUp', () => {
  it('folds to the present head and returns, with progress', async () => {
    const eventStore = fakeEventStore({ gap: 10n })
    await fill(eventStore, 25)
    await noise(eventStore)
    const seen: Progress[] = []
    await catchUp({
      eventStore,
      viewStore,
      projections: [accounts()],
      batchSize: 10,
      onProgress: (progress) => seen.push(progress),
    })
    expect(totalOf(viewStore)).toMatchObject({ events: 25, amount: 25 })
    const end = 250n
    expect(seen).toEqual([
      { projection: 'accounts', position: 90n, end, events: 10 },
      { projection: 'accounts', position: 190n, end, events: 20 },
      { projection: 'accounts', position: 250n, end, events: 25 },
    ])
  })
  it('goes on from where it was, once', async () => {
    const eventStore = fakeEventStore()
    await fill(eventStore, 5)
    await catchUp({ eventStore, viewStore, projections: [accounts()] })
    await fill(eventStore, 5)
    await catchUp({ eventStore, viewStore, projections: [accounts()] })
    await catchUp({ eventStore, viewStore, projections: [accounts()] })
    expect(totalOf(viewStore)).toMatchObject({ events: 10 })
  })
  it('an empty log is caught up with', async () => {
    await catchUp({ eventStore: fakeEventStore(), viewStore, projections: [accounts()] })
    expect(balancesOf(viewStore)).toEqual({})
  })
  it('puts a new version in the place of the live one', async () => {
    const eventStore = fakeEventStore()
    await fill(eventStore, 5)
    await catchUp({ eventStore, viewStore, projections: [accounts()] })
    await catchUp({ eventStore, viewStore, projections: [accounts({ version: 2, factor: 10 })] })
    expect(totalOf(viewStore)).toMatchObject({ events: 5, amount: 50 })
    expect(viewStore.generations()).toMatchObject([{ version: 2, status: 'live' }])
  })
  it('goes on with the generation that another process puts in the place of its own', async () => {
    const eventStore = fakeEventStore()
    await fill(eventStore, 25)
    const projection = accounts()
    let other: Generation | undefined
    const onProgress = () => {
      if (other) return
      other = viewStore.create('accounts', 1, projection.views)
      viewStore.promote(other)
    }
    await catchUp({ eventStore, viewStore, projections: [projection], batchSize: 10, onProgress })
    expect(viewStore.generations()).toMatchObject([{ id: other?.id, checkpoint: { position: 24n } }])
    expect(totalOf(viewStore)).toMatchObject({ events: 25 })
  })
  it('says so when the event store is away', async () => {
    const eventStore = fakeEventStore()
    eventStore.goAway()
    await expect(catchUp({ eventStore, viewStore, projections: [accounts()] })).rejects.toThrow(
      UnavailableError,
    )
  })
  it('stops between two transactions when told to', async () => {
    const eventStore = fakeEventStore()
    await fill(eventStore, 25)
    const stop = new AbortController()
    const stopped = catchUp({
      eventStore,
      viewStore,
      projections: [accounts()],
      batchSize: 10,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(totalOf(viewStore)).toMatchObject({ events: 10 })
  })
  it('property: any size of batch gives the same rows', async () => {
    const step = fc.record({
      account: fc.constantFrom('a', 'b', 'c'),
      amount: fc.integer({ min: 1, max: 99 }),
      what: fc.constantFrom('pay', 'pay', 'pay', 'close', 'noise'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 15 }),
        async (steps, batchSize) => {
          const eventStore = fakeEventStore({ gap: 3n })
          const expected: Record<string, number> = {}
          for (const { account, amount, what } of steps) {
            if (what === 'noise') await noise(eventStore)
            else if (what === 'pay') {
              await pay(eventStore, account, amount)
              expected[account] = (expected[account] ?? 0) + amount
            } else {
              await closeAccount(eventStore, account)
              delete expected[account]
            }
          }
          const views = openTestViews(':memory:', { rowBytes: 2000 })
          await catchUp({ eventStore, viewStore: views, projections: [accounts()], batchSize })
          expect(balancesOf(views)).toEqual(expected)
          views.close()
        },
      ),
      { numRuns: runs(40) },
    )
  })
})
