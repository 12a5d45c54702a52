import { expect, test } from 'vitest'
import type { Pair } from '../../../bench/speed/measured.ts'
import { baseCommit, type Row, rows } from '../../../bench/speed/rows.ts'
import { verdictOf } from '../../../bench/speed/verdict.ts'

const rowOf = (of: Row['of'], bar?: number): Row => ({
  number: 1,
  what: 'something',
  beside: baseCommit,
  unit: 's',
  of,
  ...(bar !== undefined && { bar }),
  measure: () => Promise.reject(new Error('not measured here')),
})

const did = '7 things'
const pairsOf = (...costs: readonly (readonly [ours: number, theirs: number])[]): Pair[] =>
  costs.map(([ours, theirs]) => ({ ours: { cost: ours, did }, theirs: { cost: theirs, did } }))

test('speed is a share of the other side, at least the bar', () => {
  const pairs = pairsOf([2, 1], [2, 1], [2, 1])
  expect(verdictOf(rowOf('speed', 0.5), pairs)).toMatchObject({ ratio: 0.5, isKept: true })
  expect(verdictOf(rowOf('speed', 0.51), pairs)).toMatchObject({ isKept: false })
})

test('a cost is so many times the other side, at most the bar', () => {
  const pairs = pairsOf([3, 2], [3, 2], [3, 2])
  expect(verdictOf(rowOf('cost', 1.5), pairs)).toMatchObject({ ratio: 1.5, isKept: true })
  expect(verdictOf(rowOf('cost', 1.4), pairs)).toMatchObject({ isKept: false })
})

test('the median of the rounds counts: one slow round changes nothing', () => {
  const pairs = pairsOf([1, 1], [9, 1], [1, 1])
  expect(verdictOf(rowOf('speed', 1), pairs)).toMatchObject({ ours: 1, theirs: 1, ratio: 1, isKept: true })
})

test('a row without a bar is there to be read', () => {
  expect(verdictOf(rowOf('speed'), pairsOf([9, 1])).isKept).toBe(true)
})

test('rows are numbered from 1 on, without a gap, and name what they are held against', () => {
  const numbers = [...new Set(rows.map(({ number }) => number))]
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  for (const { what, beside, unit } of rows)
    expect([what, beside, unit].every((word) => word !== '')).toBe(true)
})
