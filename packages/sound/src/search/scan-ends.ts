import { crestAt, valueBetween } from './between.ts'
import { type Levels, sumsBetween } from './energy.ts'
import { addPeak } from './peaks.ts'
import { slipOf, type Tally } from './scan.ts'
import { minPower } from './score.ts'
import { hop, margin, worstPhase } from './settings.ts'
import type { Stretch } from './stretch.ts'
import type { Template } from './template.ts'

/** Search for parts of a clip, where the episode begins or ends within it. */
export interface EndsSearch {
  readonly template: Template
  readonly levels: Levels
  readonly episodeSamples: number
  /** Least score of a match that has the given number of samples. */
  readonly threshold: (samples: number) => number
  readonly seen: Pick<Tally, 'peaks'>
}

/** Range of the clip's samples. `to` is exclusive. */
export type Part = readonly [from: number, to: number]

/**
 * Part of a sound of `length` samples that is in the episode if the sound begins at `place`, which may lie
 * before the beginning.
 */
export const partAt = (place: number, length: number, episodeSamples: number): Part => [
  Math.max(0, -place),
  Math.min(length, episodeSamples - place),
]

/**
 * Weight of a part's score. The correlation that chance reaches falls with the root of the length, so the
 * score of a shorter part means less.
 */
export const weightOf = ([from, to]: Part, length: number): number =>
  Math.sqrt(Math.max(0, to - from) / length)

/**
 * Scans the beginnings `from` to `to` in the frame of the stretch's `h`-th hop, at which the episode has only
 * a part of the clip. The correlation is that part's, since the episode is padded with silence.
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
