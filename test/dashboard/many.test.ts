import { expect, it } from 'vitest'
import type { Chosen } from '../../dashboard/src/parts/many/chosen.ts'
import { type Done, doEach, nothingDone } from '../../dashboard/src/parts/many/do-each.ts'
import { inParts, lookAgain, rowsBetween } from '../../dashboard/src/parts/many/find-rows.ts'
import { runAct } from '../../dashboard/src/parts/many/run-act.ts'

interface Row {
  readonly name: string
  readonly state: string
}

const named = (n: number, from = 0): readonly Row[] =>
  Array.from({ length: n }, (_, i) => ({ name: `row-${from + i}`, state: 'pending' }))
const rows = named(25)
const refusalOf = (error: unknown) => ({
  why: (error as Error).message,
  isOfAll: (error as Error).message === 'away',
})
const isUnchanged = (outcome: unknown) => outcome === 'unchanged'
const going = () => new AbortController().signal

/** A list of a server: what it was asked, and its rows. */
const listOf = (all: readonly Row[]) => {
  const asked: string[] = []
  const ask = async ({ offset, limit }: { offset: number; limit: number }) => {
    asked.push(`${offset}+${limit}`)
    return all.slice(offset, offset + limit)
  }
  return { ask, asked }
}

const chosenOf = (all: readonly Row[], places: readonly number[]): ReadonlyMap<string, Chosen<Row>> =>
  new Map(places.map((place) => [all[place]!.name, { row: all[place]!, place }]))

const keyOf = ({ name }: Row) => name

it('does each row once, at most four at a time, and tells those that were refused', async () => {
  const seen: string[] = []
  let under = 0
  let most = 0
  const last = await doEach(
    rows,
    async ({ name }) => {
      seen.push(name)
      most = Math.max(most, ++under)
      await Promise.resolve()
      under--
      if (name === 'row-7') throw new Error('settled meanwhile')
      return name === 'row-8' ? 'unchanged' : 'done'
    },
    { refusalOf, isUnchanged, onDone: () => undefined, signal: going() },
  )
  expect(seen.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  expect(most).toBe(4)
  expect(last).toEqual({
    done: 24,
    unchanged: 1,
    left: [{ name: 'row-7', why: 'settled meanwhile' }],
    isStopped: false,
  })
})

it('begins nothing more once it is stopped', async () => {
  const stopping = new AbortController()
  let begun = 0
  const last = await doEach(
    rows,
    async () => {
      if (++begun === 6) stopping.abort()
      await Promise.resolve()
    },
    { refusalOf, isUnchanged, onDone: () => undefined, signal: stopping.signal },
  )
  expect(last.isStopped).toBe(true)
  expect(last.done).toBe(begun)
  expect(begun).toBeLessThan(10)
})

it('begins nothing more where the server is away', async () => {
  let begun = 0
  const last = await doEach(
    named(1000),
    async () => {
      begun++
      throw new Error('away')
    },
    { refusalOf, isUnchanged, onDone: () => undefined, signal: going() },
  )
  expect(last).toMatchObject({ done: 0, ended: 'away' })
  expect(begun).toBeLessThanOrEqual(4)
})

it('asks for all rows between two places, a thousand at once, and for no more than can be chosen', async () => {
  const { ask, asked } = listOf(named(12_345))
  const found = await rowsBetween(ask, 500, 2600)
  expect(asked).toEqual(['500+1000', '1500+1000', '2500+100'])
  expect([found[0]?.place, found.at(-1)?.place, found.length]).toEqual([500, 2599, 2100])
  expect(await rowsBetween(ask, 0, Number.POSITIVE_INFINITY)).toHaveLength(10_000)
  expect(await rowsBetween(listOf(named(30)).ask, 0, 10_000)).toHaveLength(30)
})

it('looks for chosen rows where they stood, and beside it', async () => {
  const before = named(4000)
  const chosen = chosenOf(before, [5, 1003, 3999])
  const { ask, asked } = listOf(before.slice(6))
  const found = await lookAgain(ask, chosen, keyOf)
  expect(found.get('row-1003')?.place).toBe(997)
  expect(found.has('row-5')).toBe(false)
  expect(found.get('row-3999')?.place).toBe(3993)
  expect(asked.toSorted()).toEqual(['0+1000', '1000+1000', '3000+1000'])
})

it('does what stands last first: rows that leave the list move none that are still to come', () => {
  const parts = inParts(chosenOf(named(2500), [3, 2400, 7, 1500]))
  expect(parts.map((part) => [...part.keys()])).toEqual([['row-2400'], ['row-1500'], ['row-7', 'row-3']])
})

const run = async (
  all: readonly Row[],
  chosen: ReadonlyMap<string, Chosen<Row>>,
  more: { mayHaveLeft?: boolean; act?: (row: Row) => string; cannot?: (row: Row) => string | undefined } = {},
) => {
  const acted: string[] = []
  const changed = new Map<string, Row | undefined>()
  const { ask, asked } = listOf(all)
  let last: Done = nothingDone
  await runAct<Row, string>({
    chosen,
    keyOf,
    ask,
    nameOf: keyOf,
    standsOf: ({ state }) => state,
    cannot: more.cannot ?? (() => undefined),
    mayHaveLeft: more.mayHaveLeft ?? false,
    act: async (row) => {
      acted.push(row.name)
      return more.act?.(row) ?? 'done'
    },
    refusalOf,
    isUnchanged,
    onRow: () => undefined,
    onChanged: (key, now) => changed.set(key, now?.row),
    onDone: (done) => {
      last = done
    },
    signal: going(),
  })
  return { acted, changed, last, asked }
}

it('does nothing to a row that changed since it was chosen, or left its list, and says so', async () => {
  const chosen = chosenOf(rows, [1, 2, 3])
  const now = rows
    .filter(({ name }) => name !== 'row-3')
    .map((row) => (row.name === 'row-2' ? { ...row, state: 'failed' } : row))
  const { acted, changed, last } = await run(now, chosen)
  expect(acted).toEqual(['row-1'])
  expect(last.done).toBe(1)
  expect(last.left.map(({ name }) => name).toSorted()).toEqual(['row-2', 'row-3'])
  expect(last.left.find(({ name }) => name === 'row-2')?.why).toContain('pending then, failed now')
  expect(changed).toEqual(
    new Map([
      ['row-2', now[2]],
      ['row-3', undefined],
    ]),
  )
})

it('leaves rows to which it cannot be done, each with its reason', async () => {
  const { acted, last } = await run(rows, chosenOf(rows, [1, 2]), {
    cannot: ({ name }) => (name === 'row-1' ? 'It is completed.' : undefined),
  })
  expect(acted).toEqual(['row-2'])
  expect(last.left).toEqual([{ name: 'row-1', why: 'It is completed.' }])
})

it('takes back what left its list, and nothing that somebody changed since', async () => {
  const chosen = chosenOf(rows, [1, 2])
  const now = rows
    .filter(({ name }) => name !== 'row-1')
    .map((row) => (row.name === 'row-2' ? { ...row, state: 'failed' } : row))
  const { acted, last } = await run(now, chosen, { mayHaveLeft: true })
  expect(acted).toEqual(['row-1'])
  expect(last.left.map(({ name }) => name)).toEqual(['row-2'])
})

it('does ten thousand rows with few questions, and says each of those that were refused', async () => {
  const all = named(20_000)
  const chosen = chosenOf(
    all,
    Array.from({ length: 10_000 }, (_, i) => i),
  )
  const { acted, last, asked } = await run(all, chosen, {
    act: ({ name }) => {
      if (name.endsWith('77')) throw new Error('held by its collection')
      return 'done'
    },
  })
  expect(acted).toHaveLength(10_000)
  expect([last.done, last.left.length]).toEqual([9900, 100])
  expect(asked).toHaveLength(10)
})
