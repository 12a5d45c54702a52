import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addPeak, occurrences, type Peaks } from '#src/workers/research/search/peaks.ts'

const peaks = (...list: readonly (readonly [place: number, score: number])[]): Peaks => ({
  places: list.map(([place]) => place),
  scores: list.map(([, score]) => score),
})

test('of neighbours the better stays, wherever it comes', () => {
  const seen = peaks()
  for (const [place, score] of [
    [10, 0.6],
    [12, 0.9],
    [14, 0.7],
    [40, 0.8],
    [45, 0.5],
  ] as const)
    addPeak(seen, place, score, 10)
  expect(seen).toEqual(peaks([12, 0.9], [40, 0.8]))
})

test('the best first, then what is far enough from every better one; by place', () => {
  expect(occurrences(peaks([0, 0.7], [60, 0.8], [120, 0.9], [180, 0.75], [400, 0.6]), 100, 9)).toEqual([
    0, 120, 400,
  ])
})

test('at most so many, the best of all', () => {
  expect(occurrences(peaks([0, 0.7], [200, 0.9], [400, 0.8]), 100, 2)).toEqual([200, 400])
})

test('as if each was compared with every other', () => {
  const one = fc.tuple(fc.nat(2000), fc.double({ min: 0, max: 1, noNaN: true }))
  fc.assert(
    fc.property(
      fc.uniqueArray(one, { selector: ([place]) => place }),
      fc.integer({ min: 1, max: 300 }),
      (list, apart) => {
        const byScore = list.toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
        const taken: number[] = []
        for (const [place] of byScore)
          if (taken.every((other) => Math.abs(other - place) >= apart)) taken.push(place)
        expect(occurrences(peaks(...list.toSorted((a, b) => a[0] - b[0])), apart, 9999)).toEqual(
          taken.sort((a, b) => a - b),
        )
      },
    ),
  )
})
