import { beforeEach, expect, it } from 'vitest'
import { causesInWords } from '#src/projections/matching/questions/cause-words.ts'
import { history, maxTurns } from '#src/projections/matching/questions/history.ts'
import { t } from '../catalogue.ts'
import { type Folded, folded } from '../folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const say = (works: Readonly<Record<string, readonly string[]>>) => {
  for (const [id, links] of Object.entries(works)) all.log.say(id, { links })
  all.log.flush()
}
const lines = (work: string, of = {}) =>
  history(all.views, work, of)?.map(
    ({ what, graph, size, count, some, causes, caused }) =>
      `${what} ${graph}: ${size} works, ${count} (${some.join(' ')}): ${causesInWords(causes, caused)}`,
  )

it('§6: history, as the work itself sees it', () => {
  say({ A: [] })
  say({ B: [], C: ['B'] })
  say({ A: ['B'] })
  say({ D: ['A'] })
  say({ C: [] })
  say({ A: [] })
  expect(lines('A')).toEqual([
    'first 1: 1 works, 1 (A): A was described',
    'joined 2: 3 works, 1 (A): A names B',
    'gained 2: 4 works, 1 (D): D names A',
    'lost 2: 3 works, 1 (C): C no longer names B',
    // With D it is the larger part: B is who leaves.
    'lost 2: 2 works, 1 (B): A no longer names B',
  ])
  expect(lines('B')).toEqual([
    'first 2: 2 works, 2 (B C): B was described',
    'gained 2: 3 works, 1 (A): A names B',
    'gained 2: 4 works, 1 (D): D names A',
    'lost 2: 3 works, 1 (C): C no longer names B',
    'left 4: 1 works, 1 (B): A no longer names B',
  ])
  expect(history(all.views, 'A')?.[1]).toMatchObject({ at: t(6), version: expect.any(Number) })
})

it('those who left together are counted together', () => {
  say({ A: ['B'], B: ['C'], C: ['D'], D: ['E'], E: [] })
  say({ B: [] })
  expect(lines('A')?.at(-1)).toBe('left 2: 2 works, 2 (A B): B no longer names C')
  expect(lines('E')?.at(-1)).toBe('lost 1: 3 works, 2 (A B): B no longer names C')
})

it('who left is named, whatever groups and pieces of the change they turn up in; ten at most', () => {
  const ids = Array.from({ length: 30 }, (_, i) => `w${String(i).padStart(2, '0')}`)
  for (const [i, id] of ids.entries()) all.log.say(id, { links: ids.slice(i + 1, i + 2) })
  all.log.flush()
  // Published behind the graph that they leave, and two an event; the last one leaves by itself.
  all.log.say('w12')
  all.log.say('w28')
  all.log.flush({ piece: 2 })
  expect(history(all.views, 'w20')?.at(-1)).toMatchObject({
    what: 'lost',
    size: 16,
    count: 14,
    some: ids.slice(0, 10),
    causes: [
      { work: 'w12', from: 'w12', to: 'w13' },
      { work: 'w28', from: 'w28', to: 'w29' },
    ],
    caused: 2,
  })
})

it('what happened in a graph before a work came, or after it left, is not its history', () => {
  say({ X: ['Y'], Y: [] })
  say({ Z: ['X'] })
  say({ A: ['X'] })
  say({ A: [] })
  say({ W: ['X'] })
  expect(lines('A')).toEqual([
    'first 1: 4 works, 1 (A): A names X',
    'left 2: 1 works, 1 (A): A no longer names X',
  ])
})

it('in a generation that got what there is, it begins with what others did', () => {
  say({ A: ['B'], B: ['C'], C: [] })
  all.log.startGeneration(2)
  all.log.list(2)
  all.log.say('D', { links: ['A'] })
  all.log.flush({ generation: 2 })
  all.log.say('A')
  all.log.say('D')
  all.log.flush({ generation: 2 })
  expect(lines('A', { generation: 2 })?.[0]).toBe('gained 1: 4 works, 1 (D): D names A')
  expect(lines('B', { generation: 2 })).toEqual([
    'gained 1: 4 works, 1 (D): D names A',
    'lost 1: 2 works, 2 (A D): A no longer names B; D no longer names A',
  ])
})

it('a placeholder has none, and an unknown id no answer', () => {
  say({ A: ['P'] })
  expect(lines('P')).toEqual([])
  expect(lines('X')).toBeUndefined()
})

it('of very many turns the latest, whether they are its own or others’', () => {
  say({ A: ['B'], B: [], X: ['B'] })
  for (let i = 0; i < maxTurns / 2 + 5; i++) {
    say({ A: [] })
    say({ A: ['B'] })
  }
  const [own, others] = [history(all.views, 'A'), history(all.views, 'B')]
  expect(own?.map(({ what }) => what)).toEqual(
    Array.from({ length: maxTurns }, (_, i) => (i % 2 === 0 ? 'left' : 'joined')),
  )
  expect(others?.map(({ what }) => what)).toEqual(
    Array.from({ length: maxTurns }, (_, i) => (i % 2 === 0 ? 'lost' : 'gained')),
  )
  expect(others?.at(-1)?.at).toBe(all.log.events.at(-1)?.recordedAt)
})
