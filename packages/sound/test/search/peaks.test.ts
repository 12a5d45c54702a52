import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addPeak, occurrences as occurrencesOf, type Peaks } from '../../src/search/peaks.ts'

const occurrences = (of: Peaks, apart: number, max: number) =>
  occurrencesOf(of, { apart, max }).map(({ place }) => place)

const peaks = (...list: readonly (readonly [place: number, score: number])[]): Peaks => ({
  places: list.map(([place]) => place),
  scores: list.map(([, score]) => score),
})

test('of neighbours the better stays, wherever it comes', () => {
  const seen = peaks()
  for (const [place, score] of [
    [10, 0.6],
    [11.4, 0.9],
    [12, 0.7],
    [40, 0.8],
    [41, 0.5],
  ] as const)
    addPeak(seen, place, score)
  expect(seen).toEqual(peaks([11.4, 0.9], [12, 0.7], [40, 0.8]))
})

test('where there are very many, fewer are kept: memory is bounded', () => {
  const seen = peaks()
  for (let i = 0; i < 2_000_000; i += 2) addPeak(seen, i, 0.9)
  expect(seen.places.length).toBeLessThan(130_000)
})

test('the best first, then what is far enough from every better one; by place', () => {
  expect(occurrences(peaks([0, 0.7], [60, 0.8], [120, 0.9], [180, 0.75], [400, 0.6]), 100, 9)).toEqual([
    0, 120, 400,
  ])
})

test('those beside it that score nearly as much are told with it, the best first', () => {
  const close = peaks([0, 0.895], [20, 0.9], [40, 0.892], [60, 0.5], [300, 0.9])
  expect(occurrencesOf(close, { apart: 100, max: 9 })).toMatchObject([
    { place: 20, contenders: [20, 0, 40] },
    { place: 300, contenders: [300] },
  ])
})

test('what turns out to be none leaves room for those near it', () => {
  const list = peaks([0, 0.9], [40, 0.8], [300, 0.7])
  const isMatch = (place: number) => place !== 0
  expect(occurrencesOf(list, { apart: 100, max: 9, isMatch }).map(({ place }) => place)).toEqual([40, 300])
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
