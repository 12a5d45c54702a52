import { crestAt, valueBetween } from './between.ts'
import { type Levels, sumsBetween } from './energy.ts'
import { addPeak } from './peaks.ts'
import { slipOf, type Tally } from './scan.ts'
import { minPower } from './score.ts'
import { hop, margin, worstPhase } from './settings.ts'
import type { Stretch } from './stretch.ts'
import type { Template } from './template.ts'

/** A clip of which a part alone is in the episode, which begins or ends within it. */
export interface EndsSearch {
  readonly template: Template
  readonly levels: Levels
  readonly episodeSamples: number
  /** Least score of a match of so many samples. */
  readonly threshold: (samples: number) => number
  readonly seen: Pick<Tally, 'peaks'>
}

/** From one sample of the clip on, and before another. */
export type Part = readonly [from: number, to: number]

/** What is in the episode of a sound of so many samples that begins at `place`, which may lie before the beginning. */
export const partAt = (place: number, length: number, episodeSamples: number): Part => [
  Math.max(0, -place),
  Math.min(length, episodeSamples - place),
]

/** What chance reaches falls with the root of the length: of two scores of a clip, that of less of it says less. */
export const weightOf = ([from, to]: Part, length: number): number =>
  Math.sqrt(Math.max(0, to - from) / length)

/**
 * Goes through the beginnings `from` to `to` in the frame of the `h`-th hop of the stretch, at which the episode has a part of
 * the clip alone. The correlation is that part's: silence stands for what is beyond the episode.
 */
export const scanEnds = (
  correlations: Float32Array,
  stretch: Stretch,
  h: number,
  { template, levels, episodeSamples, threshold, seen }: EndsSearch,
  [from, to]: readonly [from: number, to: number],
): void => {
  const { length, mean, norm, parts } = template
  const origin = (stretch.first + h) * hop
  const slip = norm * slipOf(stretch, h, parts)
  const first = Math.max(from - origin, 0) - margin
  const end = Math.min(to - origin, hop) + margin
  const covariances = new Float32Array(end - first)
  const powers = new Float64Array(end - first)
  const scores = new Float64Array(end - first)
  for (let i = first, k = 0; i < end; i++, k++) {
    const place = origin + i
    const [start, stop] = partAt(place, length, episodeSamples)
    const n = stop - start
    if (n <= 0) continue
    const head = margin + h * hop + i
    const [x, xx] = sumsBetween(stretch, Math.max(0, head), head + length)
    const [y, yy] = sumsBetween(levels, start, stop)
    covariances[k] = norm * correlations[margin + i]! + x * (mean - y / n)
    const powerX = xx - (x * x) / n
    const powerY = yy - (y * y) / n
    if (powerX < minPower * n || powerY < minPower * n) continue
    powers[k] = Math.sqrt(powerX * powerY)
    scores[k] = Math.abs(covariances[k]!) / powers[k]!
  }
  for (let k = margin; k < scores.length - margin; k++) {
    const score = scores[k]!
    const power = powers[k]!
    if (power === 0 || score < scores[k - 1]! || score < scores[k + 1]!) continue
    const place = origin + first + k
    const part = partAt(place, length, episodeSamples)
    const wanted = threshold(part[1] - part[0]) * power
    if (score * power + slip < worstPhase * wanted) continue
    const { fraction, amount } = crestAt(covariances, k)
    if (amount + slip < wanted) continue
    const there = amount / valueBetween(powers, k, fraction)
    addPeak(seen.peaks, place + fraction, there * weightOf(part, length))
  }
}
