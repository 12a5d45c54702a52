import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openViewStore } from '../../../infra/views/sqlite/view-store.ts'
import type { Point, ViewStore } from '../../../src/ports/view-store.ts'
import { asOf } from '../../../src/projections/runtime/as-of.ts'
import { catchUp } from '../../../src/projections/runtime/catch-up.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { accounts, balancesOf, closeAccount, noise, pay } from './accounts.ts'

let viewStore: ViewStore
let eventStore: FakeEventStore
let now = ''

/** Positions 0, 5, 10 …; one event a minute past noon. */
beforeEach(async () => {
  viewStore = openViewStore(':memory:')
  eventStore = fakeEventStore({ gap: 5n, now: () => now })
  const steps = [
    () => pay(eventStore, 'a', 1),
    () => pay(eventStore, 'b', 2),
    () => noise(eventStore),
    () => pay(eventStore, 'a', 10),
    () => closeAccount(eventStore, 'b'),
  ]
  for (const [minute, step] of steps.entries()) {
    now = `2026-05-01T12:0${minute}:00.000Z`
    await step()
  }
})
afterEach(() => viewStore.close())

const balancesAt = async (at: Point, batchSize?: number) => {
  const scratch = await asOf([accounts()], { eventStore, viewStore }, at, batchSize ? { batchSize } : {})
  try {
    return balancesOf(scratch)
  } finally {
    scratch.close()
  }
}

describe('asOf', () => {
  it.each([
    [-1n, {}],
    [0n, { a: 1 }],
    [4n, { a: 1 }],
    [5n, { a: 1, b: 2 }],
    [12n, { a: 1, b: 2 }],
    [15n, { a: 11, b: 2 }],
    [20n, { a: 11 }],
    [99n, { a: 11 }],
  ])('position %s, inclusive', async (position, expected) => {
    expect(await balancesAt({ position })).toEqual(expected)
    expect(await balancesAt({ position }, 1)).toEqual(expected)
  })

  it.each([
    ['2026-05-01T11:59:59.999Z', {}],
    ['2026-05-01T12:00:00.000Z', { a: 1 }],
    ['2026-05-01T12:02:30.000Z', { a: 1, b: 2 }],
    ['2026-05-01T14:03:00+02:00', { a: 11, b: 2 }],
    ['2026-05-01T12:03Z', { a: 11, b: 2 }],
    ['2030-01-01T00:00:00.000Z', { a: 11 }],
  ])('time %s, inclusive, in any form', async (time, expected) => {
    expect(await balancesAt({ time })).toEqual(expected)
    expect(await balancesAt({ time }, 1)).toEqual(expected)
  })

  it('reads no further than the point', async () => {
    const reads: bigint[] = []
    const watched = {
      ...eventStore,
      readAll: (...args: Parameters<typeof eventStore.readAll>) => {
        reads.push(args[0])
        return eventStore.readAll(...args)
      },
    }
    const at = { time: '2026-05-01T12:00:30.000Z' }
    const scratch = await asOf([accounts()], { eventStore: watched, viewStore }, at, { batchSize: 1 })
    expect(reads).toEqual([-1n, 0n])
    scratch.close()
  })

  it('leaves the live views as they are', async () => {
    await catchUp({ eventStore, viewStore, projections: [accounts()] })
    const before = viewStore.generations()
    await balancesAt({ position: 0n })
    expect(balancesOf(viewStore)).toEqual({ a: 11 })
    expect(viewStore.generations()).toEqual(before)
  })

  it('says what is no time', async () => {
    await expect(balancesAt({ time: 'yesterday' })).rejects.toThrow(/"yesterday" is not a time/)
  })
})
