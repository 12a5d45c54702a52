import * as t from 'io-ts'
import { NonNegativeInteger } from '../kernel/codecs.ts'

/** Whole numbers as ascending ranges, both ends included: of ten thousand jobs a report says a few bytes. */
export const Ranges = t.array(t.tuple([NonNegativeInteger, NonNegativeInteger]), 'ranges')
export type Ranges = t.TypeOf<typeof Ranges>

/** Of ascending numbers. */
export const rangesOf = (numbers: Iterable<number>): Ranges => {
  const ranges: Ranges = []
  for (const n of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] + 1 === n) last[1] = n
    else ranges.push([n, n])
  }
  return ranges
}

export function* inRanges(ranges: Iterable<readonly [number, number]>): Generator<number> {
  for (const [first, last] of ranges) for (let n = first; n <= last; n++) yield n
}

export const sizeOfRanges = (ranges: Ranges): number =>
  ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)

/** What is in the first and not in the second. */
export const without = (ranges: Ranges, others: Ranges): Ranges => {
  const known = new Set(inRanges(others))
  return rangesOf([...inRanges(ranges)].filter((n) => !known.has(n)))
}
