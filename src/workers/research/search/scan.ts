import { addPeak, type Peaks } from './peaks.ts'
import { minPower } from './score.ts'
import { cell, hop } from './settings.ts'
import type { Stretch } from './stretch.ts'
import type { Template } from './template.ts'

/** What was seen so far of one clip. Scores are of single precision; `scoreOf` gives the exact ones. */
export interface Tally {
  readonly threshold: number
  readonly peaks: Peaks
  best: number
  bestPlace: number
}

export const tally = (threshold: number): Tally => ({
  threshold,
  peaks: { places: [], scores: [] },
  best: 0,
  bestPlace: 0,
})

/** Of so many samples the best is a peak: 8 ms. */
const near = cell

/** What rounding does to a correlation, as a share of the norm of the samples that went into it. */
const rounding = 4e-7

/**
 * Goes through the correlations of one hop of beginnings, `offset` samples into the stretch: their amount, as inverted sound
 * is the same to the ear. The windows that begin in a
 * cell all hold the cells between, whose energy is no more than theirs: mostly that is enough to see that none can score.
 */
export const scan = (
  correlations: Float32Array,
  stretch: Stretch,
  offset: number,
  { length, parts }: Pick<Template, 'length' | 'parts'>,
  [from, to]: readonly [from: number, to: number],
  seen: Tally,
): void => {
  const { sums, squares } = stretch
  const origin = stretch.first * hop + offset
  const start = Math.max(0, from - origin)
  const end = Math.min(hop, to - origin)
  const slip = rounding * Math.sqrt(heard(stretch, offset, parts))
  for (let at = start - (start % cell); at < end; at += cell) {
    const begin = Math.max(at, start)
    const stop = Math.min(at + cell, end)
    const max = greatest(correlations, begin, stop)
    const wanted = Math.min(seen.threshold, seen.best)
    const energy = Math.max(minPower * length, innerEnergy(sums, squares, offset + at, length))
    if (max + slip > wanted * Math.sqrt(energy))
      judge(correlations, stretch, { offset, begin, stop, length, slip }, seen)
  }
}

/** Energy of all that a clip of so many parts can touch when it begins in the hop at `offset`. */
export const heard = ({ squares }: Stretch, offset: number, parts: number): number =>
  squares[(offset + (parts + 1) * hop) / cell]! - squares[offset / cell]!

const greatest = (values: Float32Array, begin: number, stop: number): number => {
  let max = 0
  for (let i = begin; i < stop; i++) max = Math.max(max, Math.abs(values[i]!))
  return max
}

interface Span {
  readonly offset: number
  readonly begin: number
  readonly stop: number
  readonly length: number
  readonly slip: number
}

const judge = (correlations: Float32Array, stretch: Stretch, span: Span, seen: Tally): void => {
  const { offset, begin, stop, length, slip } = span
  const origin = stretch.first * hop + offset
  let head = offset + begin
  let tail = head + length
  let [sum, square] = windowSums(stretch, head, tail)
  for (let i = begin; i < stop; i++) {
    const energy = square - (sum * sum) / length
    if (energy >= minPower * length) {
      const norm = Math.sqrt(energy)
      const strength = Math.abs(correlations[i]!)
      const score = strength / norm
      if (score > seen.best) {
        seen.best = score
        seen.bestPlace = origin + i
      }
      if (strength + slip >= seen.threshold * norm) addPeak(seen.peaks, origin + i, score, near)
    }
    const goes = stretch.samples[head++]!
    const comes = stretch.samples[tail++]!
    sum += comes - goes
    square += comes * comes - goes * goes
  }
}

/** Of the cells that every window of `length` holds which begins in the cell at `at`. */
const innerEnergy = (sums: Float64Array, squares: Float64Array, at: number, length: number): number => {
  const first = at / cell + 1
  const end = Math.floor((at + length) / cell)
  if (end <= first) return 0
  const sum = sums[end]! - sums[first]!
  return squares[end]! - squares[first]! - (sum * sum) / ((end - first) * cell)
}

const windowSums = ({ samples, sums, squares }: Stretch, from: number, to: number): [number, number] => {
  const firstCell = Math.floor(from / cell)
  const lastCell = Math.floor(to / cell)
  let sum = sums[lastCell]! - sums[firstCell]!
  let square = squares[lastCell]! - squares[firstCell]!
  for (let i = firstCell * cell; i < from; i++) {
    const sample = samples[i]!
    sum -= sample
    square -= sample * sample
  }
  for (let i = lastCell * cell; i < to; i++) {
    const sample = samples[i]!
    sum += sample
    square += sample * sample
  }
  return [sum, square]
}
