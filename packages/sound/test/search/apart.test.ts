import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/runs.ts'
import { type Span, selectApart } from '../../src/search/apart.ts'

const span = (start: number, end: number, score = 1): Span => ({ start, end, score })

test('of spans that overlap, those that weigh most together', () => {
  expect(selectApart([span(0, 10, 0.7), span(5, 15, 0.9), span(10, 20, 0.7)])).toEqual([1])
  expect(selectApart([span(0, 10, 0.95), span(5, 15, 1), span(10, 20, 0.95)])).toEqual([0, 2])
})

test('of equal ones the earliest; indexes are ordered by start', () => {
  expect(selectApart([span(5, 15), span(0, 10)])).toEqual([1])
  expect(selectApart([span(20, 30), span(0, 10)])).toEqual([1, 0])
  expect(selectApart([])).toEqual([])
})

test('a span that nothing overlaps is selected, whatever its score', () => {
  expect(selectApart([span(0, 10, 0), span(20, 30, 1), span(40, 50, 1e-60)])).toEqual([0, 1, 2])
})

test('an overlap counts as a share of the shorter: what lies within another is not selected beside it', () => {
  expect(selectApart([span(0, 100), span(95, 195)], 0.05)).toEqual([0, 1])
  expect(selectApart([span(0, 100), span(95, 105, 0.9)], 0.05)).toEqual([0])
  expect(selectApart([span(0, 100), span(40, 41, 0.9)], 0.05)).toEqual([0])
})

const shared = (a: Span, b: Span) => Math.min(a.end, b.end) - Math.max(a.start, b.start)
const overlap = (a: Span, b: Span, maxShare: number) =>
  shared(a, b) > maxShare * Math.min(a.end - a.start, b.end - b.start)
const arePlaces = (spans: readonly Span[], maxShare: number) =>
  spans.every((a, i) => spans.every((b, j) => j <= i || !overlap(a, b, maxShare)))
const weigh = (spans: readonly Span[]) => spans.reduce((sum, { score }) => sum + Math.max(0.1, score) ** 8, 0)

const spans = fc.array(
  fc.record({
    start: fc.integer({ min: -20, max: 200 }),
    length: fc.integer({ min: 1, max: 60 }),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 9 },
)

test('no selection weighs more, and no two selected overlap by more than they may', () => {
  fc.assert(
    fc.property(spans, fc.constantFrom(0, 0.05, 0.3), (list, maxShare) => {
      const all = list.map(({ start, length, score }) => span(start, start + length, score))
      const selected = selectApart(all, maxShare).map((i) => all[i]!)
      expect(arePlaces(selected, maxShare)).toBe(true)
      for (let bits = 0; bits < 2 ** all.length; bits++) {
        const some = all.filter((_, i) => (bits >> i) & 1)
        if (weigh(some) > weigh(selected) + 1e-9) expect(arePlaces(some, maxShare)).toBe(false)
      }
    }),
    { numRuns: runs(400) },
  )
})
