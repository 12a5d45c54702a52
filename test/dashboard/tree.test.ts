import { expect, it } from 'vitest'
import { treesOf } from '../../dashboard/src/pages/log/tree.ts'

const event = (id: string, causationId: string) => ({ id, metadata: { causationId } })
const ids = (branches: ReturnType<typeof treesOf>[number]['effects']): unknown =>
  branches.map(({ event: { id }, effects }) => (effects.length === 0 ? id : [id, ids(effects)]))
const drawn = (...events: ReturnType<typeof event>[]) =>
  treesOf(events).map(({ cause, effects }) => [cause, ids(effects)])

it('events stand below what led to them, in their order; a message is the root', () => {
  expect(drawn(event('a', 'm'), event('b', 'a'), event('c', 'a'), event('d', 'b'), event('e', 'n'))).toEqual([
    ['m', [['a', [['b', ['d']], 'c']]]],
    ['n', ['e']],
  ])
})

it('an event that says it led to itself is no endless tree', () => {
  expect(drawn(event('a', 'm'), event('b', 'b'))).toEqual([['m', ['a']]])
  expect(drawn(event('a', 'm'), event('b', 'c'), event('c', 'b'))).toEqual([['m', ['a']]])
})
