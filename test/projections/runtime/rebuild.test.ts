import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { catchUp, type Progress } from '../../../src/projections/runtime/catch-up.ts'
import { rebuild } from '../../../src/projections/runtime/rebuild.ts'
import { runProjections } from '../../../src/projections/runtime/runner.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { manualClock } from '../../fakes/manual-clock.ts'
import { openTestViews } from '../../fakes/views.ts'
import { accounts, balancesOf, fill, pay, totalOf } from './accounts.ts'

let folder: string
let file: string
let viewStore: ViewStore
let eventStore: FakeEventStore

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-rebuild-'))
  file = join(folder, 'views.db')
  viewStore = openTestViews(file)
  eventStore = fakeEventStore({ batchSize: 7 })
  await fill(eventStore, 30)
  await catchUp({ eventStore, viewStore, projections: [accounts()] })
})
afterEach(() => {
  viewStore.close()
  rmSync(folder, { recursive: true })
})

/** Changes a row behind everybody's back. */
const tamper = () => {
  const db = new DatabaseSync(file)
  const { id } = viewStore.live('accounts')!
  db.exec(`UPDATE balances__${id} SET balance = 1000 WHERE account = '1'`)
  db.close()
}

describe('rebuild', () => {
  it('verifies that the log gives the same rows, and takes their place', async () => {
    const before = viewStore.live('accounts')!
    const report = await rebuild(accounts(), { eventStore, viewStore, verify: true })
    expect(report).toEqual({
      projection: 'accounts',
      position: 29n,
      comparedAt: 29n,
      differences: [],
      promoted: true,
    })
    expect(viewStore.generations()).toMatchObject([{ status: 'live', checkpoint: { position: 29n } }])
    expect(viewStore.live('accounts')?.id).not.toBe(before.id)
    expect(totalOf(viewStore)).toMatchObject({ events: 30 })
  })
  it('finds a row that was tampered with, reports it and keeps the live one', async () => {
    tamper()
    const before = viewStore.generations()
    const report = await rebuild(accounts(), { eventStore, viewStore, verify: true })
    expect(report.promoted).toBe(false)
    expect(report.differences).toEqual([
      {
        view: 'balances',
        rows: 1,
        onlyInFirst: [{ account: '1', balance: 1000, last: 28 }],
        onlyInSecond: [{ account: '1', balance: 10, last: 28 }],
      },
    ])
    expect(viewStore.generations()).toEqual(before)
    expect(balancesOf(viewStore)).toMatchObject({ 1: 1000 })
  })
  it('puts the rows of the log in the place of wrong ones when asked to', async () => {
    tamper()
    const report = await rebuild(accounts(), { eventStore, viewStore, verify: true, promote: true })
    expect(report).toMatchObject({ promoted: true, differences: [{ view: 'balances', rows: 1 }] })
    expect(balancesOf(viewStore)).toEqual({ 0: 10, 1: 10, 2: 10 })
  })
  it('without verifying, takes the place of whatever is there', async () => {
    tamper()
    const report = await rebuild(accounts(), { eventStore, viewStore })
    expect(report).toMatchObject({ promoted: true, differences: [] })
    expect(report.comparedAt).toBeUndefined()
    expect(balancesOf(viewStore)).toEqual({ 0: 10, 1: 10, 2: 10 })
  })
  it('compares at the checkpoint of live views that are behind, then goes on to the head', async () => {
    await fill(eventStore, 6)
    const report = await rebuild(accounts(), { eventStore, viewStore, verify: true })
    expect(report).toMatchObject({ comparedAt: 29n, position: 35n, promoted: true, differences: [] })
    expect(totalOf(viewStore)).toMatchObject({ events: 36 })
  })
  it('has nothing to compare where no views of this version are live', async () => {
    const next = accounts({ version: 2, factor: 10 })
    const report = await rebuild(next, { eventStore, viewStore, verify: true })
    expect(report.comparedAt).toBeUndefined()
    expect(report.promoted).toBe(true)
    expect(totalOf(viewStore)).toMatchObject({ amount: 300 })
  })
  it('says how far it is, over all its parts', async () => {
    await fill(eventStore, 6)
    const seen: Progress[] = []
    const onProgress = (progress: Progress) => seen.push(progress)
    await rebuild(accounts(), { eventStore, viewStore, verify: true, batchSize: 20, onProgress })
    expect(seen.map(({ events, position }) => [events, position])).toEqual([
      [20, 19n],
      [30, 29n],
      [36, 35n],
    ])
  })
  it('told to stop, leaves everything as it was', async () => {
    const before = viewStore.generations()
    const stop = new AbortController()
    const stopped = rebuild(accounts(), {
      eventStore,
      viewStore,
      batchSize: 10,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(viewStore.generations()).toEqual(before)
  })
  it('told to stop after a runner has made its rows the live ones, leaves them', async () => {
    const stop = new AbortController()
    const onProgress = () => {
      viewStore.promote(viewStore.generations().find(({ status }) => status === 'building')!)
      stop.abort(new Error('enough'))
    }
    const stopped = rebuild(accounts({ version: 2 }), {
      eventStore,
      viewStore,
      batchSize: 10,
      signal: stop.signal,
      onProgress,
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(viewStore.generations()).toMatchObject([{ version: 2, status: 'live' }])
  })
  it('a projection that stops leaves everything as it was', async () => {
    const before = viewStore.generations()
    const bug = () => {
      throw new Error('boom')
    }
    await expect(rebuild(accounts({ before: bug }), { eventStore, viewStore })).rejects.toThrow(/boom/)
    expect(viewStore.generations()).toEqual(before)
  })
  it('never falls behind the live views: what was visible stays visible', async () => {
    const overtaken: EventStore = {
      ...eventStore,
      head: () => async () => {
        const head = await eventStore.head()()
        await fill(eventStore, 6)
        await catchUp({ eventStore, viewStore, projections: [accounts()] })
        return head
      },
    }
    const report = await rebuild(accounts(), { eventStore: overtaken, viewStore })
    expect(report.position).toBe(35n)
    expect(totalOf(viewStore)).toMatchObject({ events: 36 })
  })
  it('while events come in and are folded: verified, nothing lost, nothing twice', async () => {
    const running = runProjections({
      eventStore,
      viewStore,
      clock: manualClock(),
      projections: [accounts()],
    })
    const elsewhere = openTestViews(file)
    let position = 29n
    const writing = (async () => {
      for (let i = 0; i < 200; i++) {
        position = await pay(eventStore, 'a', 1)
        await new Promise(setImmediate)
      }
    })()
    const report = await rebuild(accounts(), { eventStore, viewStore: elsewhere, verify: true, batchSize: 5 })
    expect(report).toMatchObject({ promoted: true, differences: [] })
    await writing
    await running.whenCaughtUp(position)
    expect(viewStore.live('accounts')?.version).toBe(1)
    expect(totalOf(viewStore)).toMatchObject({ events: 230 })
    expect(running.status()).toMatchObject([{ state: 'live', position }])
    await running.stop()
    elsewhere.close()
  })
})
