import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openViewCopies } from '../../../infra/views/sqlite/copies.ts'
import { openViewStore } from '../../../infra/views/sqlite/view-store.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { Point, ViewStore } from '../../../src/ports/view-store.ts'
import { logIndex } from '../../../src/projections/kernel/log-index.ts'
import { asOf } from '../../../src/projections/runtime/as-of.ts'
import { catchUp, foldUpTo } from '../../../src/projections/runtime/catch-up.ts'
import { chooseGeneration } from '../../../src/projections/runtime/generation.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { useFolder } from '../../processors/runtime/log.ts'
import { runs } from '../../runs.ts'
import { accounts, add, stored } from './accounts.ts'

/*
 * Page P65. Logs are written as texts, an event a letter, a minute each: logs that begin alike are the same log up to there. `q` is of no
 * account, a capital closes one.
 */

const folder = useFolder()
let homes = 0

const start = Date.UTC(2026, 4, 1, 12)
const timeOf = (event: number): string => new Date(start + event * 60_000).toISOString()

const logOf = async (letters: string, gap = 1n): Promise<EventStore> => {
  let n = 0
  const store = fakeEventStore({ gap, now: () => timeOf(n) })
  for (; n < letters.length; n++) {
    const letter = letters[n] ?? ''
    const closes = letter === letter.toUpperCase()
    const [stream, type] =
      letter === 'q' ? ['weather-q', 'Rained'] : [`account-${letter}`, closes ? 'Closed' : 'Paid']
    await add(store, stream, stored(type, closes ? {} : { amount: n + 1 }, letters.slice(0, n + 1), 2))
  }
  return store
}

/** A home of which copies were made when its views were folded up to these positions. */
const copiesAt = async (eventStore: EventStore, positions: readonly bigint[], projection = accounts()) => {
  const home = folder.path(`${homes++}`)
  const file = `${home}.db`
  const viewStore = openViewStore(file)
  viewStore.bindTo({ id: 'the fake log', seen: [] }, [])
  const copies = openViewCopies(home, file)
  for (const [i, position] of positions.entries()) {
    await foldUpTo({ eventStore, viewStore }, projection, chooseGeneration(viewStore, projection), {
      position,
    })
    await copies.make(`2026-0${i + 1}`, new AbortController().signal)
  }
  viewStore.close()
  return { copies, pathOf: (month: string) => `${home}/${month}.db`, home }
}

/** Views of now. */
const viewsOf = async (eventStore: EventStore): Promise<ViewStore> => {
  const viewStore = openViewStore(':memory:')
  viewStore.bindTo({ id: 'the fake log', seen: [] }, [])
  await catchUp({ eventStore, viewStore, projections: [accounts(), logIndex] })
  return viewStore
}

/** All rows as of a point, and behind which position the log was read first. */
const ask = async (stores: Parameters<typeof asOf>[1], at: Point, version = 1) => {
  const reads: bigint[] = []
  const eventStore: EventStore = {
    ...stores.eventStore,
    readAll: (from, ...rest) => {
      reads.push(from)
      return stores.eventStore.readAll(from, ...rest)
    },
  }
  const views = await asOf([accounts({ version })], { ...stores, eventStore }, at, { batchSize: 2 })
  const rows = ['balances', 'totals'].map((view) => views.query(view, {}))
  const { position } = views.checkpoint(views.generations()[0]!)
  views.close()
  return { rows, reads, position }
}

describe('questions that are folded on from a copy', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'q'), minLength: 1, maxLength: 8 })
  const mishap = fc.constantFrom('none', 'none', 'torn', 'deleted')

  it('P65: answer as the whole log does, also where it was put back, and copies were torn or deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          shared: letters,
          copied: letters,
          goesOn: letters,
          gap: fc.bigInt({ min: 1n, max: 3n }),
          at: fc.array(fc.bigInt({ min: -1n, max: 40n }), { minLength: 1, maxLength: 2 }),
          happened: mishap,
        }),
        async ({ shared, copied, goesOn, gap, at, happened }) => {
          const old = await logOf(shared + copied, gap)
          const { copies, pathOf } = await copiesAt(
            old,
            at.toSorted((one, other) => Number(one - other)),
          )
          if (happened === 'torn') truncateSync(pathOf('2026-01'), statSync(pathOf('2026-01')).size / 2)
          if (happened === 'deleted') rmSync(pathOf('2026-01'))
          const eventStore = await logOf(shared + goesOn, gap)
          const viewStore = await viewsOf(eventStore)
          const last = shared.length + goesOn.length
          const points: Point[] = Array.from({ length: last + 1 }, (_, n) => [
            { position: BigInt(n) * gap },
            { time: timeOf(n) },
          ]).flat()
          for (const point of points) {
            const whole = await ask({ eventStore, viewStore }, point)
            const fromCopy = await ask({ eventStore, viewStore, viewCopies: copies }, point)
            expect([fromCopy.rows, fromCopy.position]).toEqual([whole.rows, whole.position])
          }
          viewStore.close()
        },
      ),
      { numRuns: runs(12) },
    )
  })

  it('P65: read the log behind the nearest copy alone', async () => {
    const eventStore = await logOf('abqabqab')
    const viewStore = await viewsOf(eventStore)
    const { copies: viewCopies } = await copiesAt(eventStore, [1n, 4n])
    const first = async (at: Point) => (await ask({ eventStore, viewStore, viewCopies }, at)).reads[0]
    expect(await first({ position: 0n })).toBe(-1n)
    expect(await first({ position: 3n })).toBe(1n)
    expect(await first({ position: 6n })).toBe(4n)
    expect(await first({ time: timeOf(3) })).toBe(1n)
    expect(await first({ time: timeOf(7) })).toBe(4n)
    // Nothing has to be read.
    expect(await first({ position: 4n })).toBeUndefined()
    viewStore.close()
  })

  it('P65: read again what the copy passed by behind its last event: the log may have been put back to there', async () => {
    const { copies: viewCopies } = await copiesAt(await logOf('abqq'), [3n])
    const eventStore = await logOf('abaqqb')
    const viewStore = await viewsOf(eventStore)
    for (const position of [1n, 2n, 3n, 5n]) {
      const whole = await ask({ eventStore, viewStore }, { position })
      const onward = await ask({ eventStore, viewStore, viewCopies }, { position })
      expect(onward.rows).toEqual(whole.rows)
      expect(onward.reads.every((from) => from >= 1n)).toBe(true)
    }
    viewStore.close()
  })

  it('P65: pass over copies that are torn, deleted, of another version, or of another log', async () => {
    const eventStore = await logOf('abqabqab')
    const viewStore = await viewsOf(eventStore)
    const { copies: viewCopies, pathOf } = await copiesAt(eventStore, [1n, 4n])
    const stores = { eventStore, viewStore, viewCopies }
    const first = async (more: Partial<typeof stores> = {}, version = 1) =>
      (await ask({ ...stores, ...more }, { position: 6n }, version)).reads[0]
    expect(await first({}, 2)).toBe(-1n)
    const another: EventStore = {
      ...eventStore,
      identity: () => async () => ({ _tag: 'Right', right: 'another' }),
    }
    expect(await first({ eventStore: another })).toBe(-1n)
    expect(await first({ eventStore: await logOf('abqAbqab') })).toBe(1n)
    // Deleted, or torn, between the look for it and its use.
    const seen = viewCopies.views()
    truncateSync(pathOf('2026-02'), statSync(pathOf('2026-02')).size / 2)
    expect(await first({ viewCopies: { ...viewCopies, views: () => seen } })).toBe(1n)
    expect(await first()).toBe(1n)
    viewCopies.remove('2026-02')
    expect(await first({ viewCopies: { ...viewCopies, views: () => seen } })).toBe(1n)
    rmSync(pathOf('2026-01'))
    expect(await first({ viewCopies: { ...viewCopies, views: () => seen } })).toBe(-1n)
    expect(readdirSync(pathOf('2026-01').replace(/[^/]*$/, ''))).toEqual([])
    viewStore.close()
  })
})
