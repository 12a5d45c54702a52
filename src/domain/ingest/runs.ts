import * as t from 'io-ts'
import { NonNegativeInteger } from '../kernel/codecs.ts'

/**
 * A set of a batch's jobs, by position, as run lengths: the number of positions that are not in the set, then of those
 * that are, and so on in turn. Every second one of a hundred thousand takes two hundred kilobytes; ten thousand in a
 * row take a few bytes.
 */
export const Runs = t.array(NonNegativeInteger, 'runs')
export type Runs = t.TypeOf<typeof Runs>

/** From ascending positions, from 0. */
export const runsOf = (places: Iterable<number>): Runs => {
  const runs: Runs = []
  let next = 0
  for (const place of places) {
    if (place === next && runs.length > 0) runs[runs.length - 1]!++
    else runs.push(place - next, 1)
    next = place + 1
  }
  return runs
}

/** Numbers of jobs, both ends included. */
export type Ranges = readonly (readonly [first: number, last: number])[]

/** Converts runs to job numbers: `firstJob` is the number of the job at position 0. */
export const rangesOf = (runs: Runs, firstJob: number): Ranges => {
  const ranges: [number, number][] = []
  let from = firstJob
  for (let i = 0; i + 1 < runs.length; i += 2) {
    from += runs[i]!
    ranges.push([from, from + runs[i + 1]! - 1])
    from += runs[i + 1]!
  }
  return ranges
}

/** Returns each of the numbers, in order. */
export function* numbersIn(ranges: Ranges): Generator<number> {
  for (const [first, last] of ranges) for (let number = first; number <= last; number++) yield number
}

export const jobsIn = (ranges: Ranges): number =>
  ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)

export const placesIn = (runs: Runs): Generator<number> => numbersIn(rangesOf(runs, 0))

export const sizeOf = (runs: Runs): number => runs.reduce((sum, run, i) => (i % 2 ? sum + run : sum), 0)

/** Returns the positions in the first and not in the second. */
export const without = (runs: Runs, others: Runs): Runs => {
  const known = new Set(placesIn(others))
  return runsOf([...placesIn(runs)].filter((place) => !known.has(place)))
}
