import { expect, test } from 'vitest'
import { whyLines } from '#src/projections/matching/questions/why-lines.ts'
import { link } from './answer.ts'

const at = '2026-01-31T12:00:00.000Z'
const together = { kind: 'together', a: 'a', b: 'c', since: null, titles: {} } as const
const apart = { kind: 'apart', a: 'a', b: 'c', lastTogether: null, cut: [], titles: {} } as const

test('a step that both records state, and one without a reason', () => {
  const both = { from: 'a', to: 'b', links: [link('a', 'b'), link('b', 'a', { reasons: ['copy of', 'x'] })] }
  const plain = { from: 'b', to: 'c', links: [link('c', 'b', { reasons: [] })] }
  expect(whyLines({ ...together, path: [both, plain], parting: [both, plain] })).toEqual([
    'a and c are one:',
    `  a → b: digitised as (stated by a since ${at})`,
    `  b → a: copy of, x (stated by b since ${at})`,
    `  c → b (stated by c since ${at})`,
    'Without the links a → b (digitised as) and b → a (copy of, x) they would part.',
    'Without the link c → b they would part.',
  ])
})

test('nothing parts them; they are the same', () => {
  const hop = { from: 'a', to: 'c', links: [link('a', 'c')] }
  expect(whyLines({ ...together, since: at, path: [hop], parting: [] })).toEqual([
    `a and c are one, since ${at}:`,
    `  a → c: digitised as (stated by a since ${at})`,
    'No single link parts them.',
  ])
  expect(whyLines({ ...together, b: 'a', path: [], parting: [] })).toEqual(['a is the same work as itself.'])
  expect(whyLines({ ...together, path: [], parting: [] })).toEqual([
    'a and c are one, by links that were dropped since: the matcher has yet to come to that.',
  ])
})

test('they are not one: since when, by whom, and what would join them', () => {
  expect(whyLines(apart)).toEqual(['a and c are not one.', 'They never were.'])
  const cause = { work: 'x', revision: 4, effect: 'unlinked', from: 'x', to: 'c' } as const
  const lastTogether = { until: at, version: 7, causes: [cause, { ...cause, work: 'c' }] }
  expect(whyLines({ ...apart, lastTogether, cut: [link('a', 'c', { active: false })] })).toEqual([
    'a and c are not one.',
    `They were until ${at}: x no longer names c; c was deleted, which x names.`,
    'The link a → c (digitised as) would join them, if its deleted end came back.',
  ])
  expect(whyLines({ ...apart, lastTogether: { ...lastTogether, causes: [] } })[1]).toBe(
    `They were until ${at}: cause not kept.`,
  )
})
