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

/** A jingle of 100 whose second half is its first: it scores the root of a half at half of itself beside silence. */
const half = Math.SQRT1_2
test.each([
  ['played alone', [peaks([150, half], [200, 1], [250, half])], [200]],
  ['twice in a row', [peaks([150, half], [200, 0.98], [250, 1], [300, 0.99], [350, half])], [200, 300]],
  [
    'three times in a row',
    [peaks([150, half], [200, 0.97], [250, 0.99], [300, 0.97], [350, 0.99], [400, 0.97], [450, half])],
    [200, 300, 400],
  ],
  ['of which half is played', [peaks([150, half], [200, half])], [150]],
  ['twice, between which it scores much better', [peaks([200, 0.85], [250, 1], [300, 0.85])], [250]],
])('one place, one finding: a jingle of equal halves %s', (_, [all], places) => {
  expect(occurrences(all!, 95, 9)).toEqual(places)
})

test('places that are reported as one are one, however far apart', () => {
  const list = peaks([-90, 0.9], [0, 0.9], [8, 0.8], [12, 0.9])
  expect(occurrencesOf(list, { apart: 5, first: 10, max: 9 }).map(({ place }) => place)).toEqual([-90, 12])
})

test('many that turn out to be none cost few selections, and leave the one that is', () => {
  const list = peaks(...Array.from({ length: 5000 }, (_, i) => [i, 0.7 + i / 50_000] as const))
  let examined = 0
  const isMatch = (place: number) => {
    examined++
    return place === 3
  }
  expect(occurrencesOf(list, { apart: 10_000, max: 9, isMatch }).map(({ place }) => place)).toEqual([3])
  expect(examined).toBeLessThan(5100)
})
