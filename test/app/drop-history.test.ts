import { expect, it, onTestFinished } from 'vitest'
import { openViewStore } from '../../infra/views/sqlite/view-store.ts'
import { startDroppingHistory } from '../../src/app/drop-history.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { addMillis, DAY, HOUR } from '../../src/domain/kernel/time.ts'
import type { Generation, ViewStore } from '../../src/ports/view-store.ts'
import { fakeClock } from '../fakes/clock.ts'
import { openTestSystem } from '../fakes/system.ts'

const shape = {
  name: 'things',
  description: 'Things.',
  key: ['id'],
  columns: { id: 'text', size: 'integer' },
  history: {},
} as const

const start = '2026-01-01T00:00:00.000Z'
/** So far apart that each is one of the moments that are kept. */
const positionOf = (day: number): bigint => BigInt(day < 0 ? -1 : day * 5000)

/** A thing that was written once a day for ten days, which end when the clock begins. */
const tenDays = () => {
  const store = openViewStore(':memory:')
  onTestFinished(() => store.close())
  const generation = store.create('p', 1, [shape])
  store.promote(generation)
  const live: Generation = { ...generation, status: 'live' }
  for (let day = 0; day < 10; day++)
    store.fold(live, positionOf(day - 1), { position: positionOf(day), time: null }, ({ things }, begin) => {
      begin({ position: positionOf(day), recordedAt: addMillis(start, (day - 9) * DAY) })
      things?.put({ id: 'a', size: day })
    })
  return { store, live }
}

const forgetting = async (viewStore: ViewStore, pastDays: number | undefined) => {
  const { config, close } = await openTestSystem({}, { keepsHistory: true })
  onTestFinished(close)
  const clock = fakeClock(start)
  const forgetting = startDroppingHistory({
    ...{ viewStore, clock },
    config: { ...config, ...(pastDays !== undefined && { pastDays }) },
  })
  onTestFinished(() => forgetting?.stop())
  return clock
}

it('page P65: keeps so many days of the past, hour by hour', async () => {
  const { store, live } = tenDays()
  const clock = await forgetting(store, 3)
  await clock.advance(1)
  expect(store.historyFrom(live)).toBe(positionOf(6))
  const sizeAt = (position: bigint) => store.asOf(live, { position, time: null }).query('things', {})
  expect(sizeAt(positionOf(6))).toEqual([{ id: 'a', size: 6 }])
  expect(() => sizeAt(positionOf(5))).toThrow('things keeps its history from position 30000 on')
  await clock.advance(DAY)
  expect(store.historyFrom(live)).toBe(positionOf(7))
  expect(store.query('things', {})).toEqual([{ id: 'a', size: 9 }])
})

it('keeps all of it where nothing is set', async () => {
  const { store, live } = tenDays()
  const clock = await forgetting(store, undefined)
  await clock.advance(2 * HOUR)
  expect(store.historyFrom(live)).toBe(-1n)
})

it('tries again in an hour where another process writes', async () => {
  const { store, live } = tenDays()
  let isBusy = true
  const busy: ViewStore = {
    ...store,
    dropHistory: (...of) => {
      if (isBusy) throw new UnavailableError('another program keeps the views locked')
      return store.dropHistory(...of)
    },
  }
  const clock = await forgetting(busy, 3)
  await clock.advance(1)
  isBusy = false
  expect(store.historyFrom(live)).toBe(-1n)
  await clock.advance(HOUR)
  expect(store.historyFrom(live)).toBe(positionOf(6))
})
