import { crestAt, valueBetween } from './between.ts'
import { sumsBetween } from './energy.ts'
import { addPeak, type Peaks } from './peaks.ts'
import { minPower } from './score.ts'
import { cell, hop, margin, worstPhase } from './settings.ts'
import type { Stretch } from './stretch.ts'
import type { Template } from './template.ts'

/** State of the scan for one clip. Scores are of single precision; `scoreOf` computes the exact ones. */
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

/** As `tally`, for a search whose best place matters only if it is a match: fewer places are compared. */
export const tallyOfMatches = (threshold: number): Tally => ({
  ...tally(threshold),
  best: Number.POSITIVE_INFINITY,
})

/** The correlation's rounding error, as a share of the norm of its samples. */
const rounding = 4e-7

/**
 * Scans the correlations of one frame, of the stretch's `h`-th hop, for a clip that begins in it and lies in
 * the episode as a whole. Their absolute value counts, as inverted sound is the same to the ear. The windows
 * that begin in a cell all contain the cells between, whose energy is no more than theirs: this bound mostly
 * shows that none of them can score.
 */
export const scan = (
  correlations: Float32Array,
  stretch: Stretch,
  h: number,
  { length, parts }: Pick<Template, 'length' | 'parts'>,
  [from, to]: readonly [from: number, to: number],
  seen: Tally,
): void => {
  const { sums, squares } = stretch
  const origin = (stretch.first + h) * hop
  const start = Math.max(0, from - origin)
  const end = Math.min(hop, to - origin)
  const slip = slipOf(stretch, h, parts)
  for (let at = start - (start % cell); at < end; at += cell) {
    const begin = Math.max(at, start)
    const stop = Math.min(at + cell, end)
    const max = greatest(correlations, begin, stop)
    const wanted = Math.min(worstPhase * seen.threshold, seen.best)
    const energy = Math.max(minPower * length, innerEnergy(sums, squares, margin + h * hop + at, length))
    if (max + slip > wanted * Math.sqrt(energy))
      judge(correlations, stretch, { h, begin, stop, length, slip }, seen)
  }
}

/** Energy of all samples that a clip of `parts` parts can overlap if it begins in the hop. */
export const heard = ({ squares }: Stretch, h: number, parts: number): number =>
  squares[((h + parts + 1) * hop + 2 * margin) / cell]! - squares[(h * hop) / cell]!

/** Rounding error of the hop's correlations. */
export const slipOf = (stretch: Stretch, h: number, parts: number): number =>
  rounding * Math.sqrt(heard(stretch, h, parts))

const greatest = (values: Float32Array, begin: number, stop: number): number => {
  let max = 0
  for (let i = begin; i < stop; i++) max = Math.max(max, Math.abs(values[margin + i]!))
  return max
}

interface Span {
  readonly h: number
  readonly begin: number
  readonly stop: number
  readonly length: number
  readonly slip: number
}

/** Values of a cell's places, and of the one before and the one behind. */
const norms = new Float64Array(cell + 2)
const scores = new Float64Array(cell + 2)

const judge = (correlations: Float32Array, stretch: Stretch, span: Span, seen: Tally): void => {
  const { h, begin, stop, slip } = span
  const origin = (stretch.first + h) * hop
  measure(correlations, stretch, span)
  for (let i = begin; i < stop; i++) {
    const k = i - begin + 1
    const score = scores[k]!
    if (score > seen.best) {
      seen.best = score
      seen.bestPlace = origin + i
    }
    const norm = norms[k]!
    const isTop = score >= scores[k - 1]! && score >= scores[k + 1]!
    if (!isTop || score * norm + slip < worstPhase * seen.threshold * norm) continue
    const { fraction, amount } = crestAt(correlations, margin + i)
    const normThere = valueBetween(norms, k, fraction)
    if (normThere > 0 && amount + slip >= seen.threshold * normThere)
      addPeak(seen.peaks, origin + i + fraction, amount / normThere)
  }
}

/** Computes `norms` and `scores`. Silence scores 0. */
const measure = (correlations: Float32Array, stretch: Stretch, { h, begin, stop, length }: Span): void => {
  let head = margin + h * hop + begin - 1
  let tail = head + length
  let [sum, square] = sumsBetween(stretch, head, tail)
  for (let i = begin - 1, k = 0; i <= stop; i++, k++) {
    const energy = square - (sum * sum) / length
    const norm = energy >= minPower * length ? Math.sqrt(energy) : 0
    norms[k] = norm
    scores[k] = norm > 0 ? Math.abs(correlations[margin + i]!) / norm : 0
    const goes = stretch.samples[head++]!
    const comes = stretch.samples[tail++]!
    sum += comes - goes
    square += comes * comes - goes * goes
  }
}

/** Energy of the cells that are contained in every window of `length` that begins in the cell at `at`. */
const innerEnergy = (sums: Float64Array, squares: Float64Array, at: number, length: number): number => {
  const first = at / cell + 1
  const end = Math.floor((at + length) / cell)
  if (end <= first) return 0
  const sum = sums[end]! - sums[first]!
  return squares[end]! - squares[first]! - (sum * sum) / ((end - first) * cell)
}
