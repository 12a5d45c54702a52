import { addUp, levelsOf } from './energy.ts'
import type { Fourier } from './fourier.ts'
import { type Tally, tally } from './scan.ts'
import type { EndsSearch } from './scan-ends.ts'
import { leastPart, minClipSamples } from './settings.ts'
import { template } from './template.ts'

/**
 * The search for one template in one episode. Samples are counted from the episode's beginning, and are
 * negative before it.
 */
export interface TemplateSearch extends EndsSearch {
  /**
   * Ranges of samples at which the sound may begin, and at which it then lies in the episode as a whole. `to`
   * is exclusive.
   */
  readonly places: readonly [from: number, to: number]
  readonly whole: readonly [from: number, to: number]
  readonly seen: Tally
}

/** Least number of samples of a sound of `length` samples that must be in the episode. */
export const leastOf = (length: number): number => Math.max(minClipSamples, Math.ceil(length * leastPart))

/** Prepares the search. The sound must not be constant; the episode must have `leastOf` its length. */
export const startTemplateSearch = (
  fourier: Fourier,
  samples: Int16Array,
  episodeSamples: number,
  threshold: (samples: number) => number,
): TemplateSearch => {
  const { length } = samples
  const least = leastOf(length)
  const levels = levelsOf(samples)
  addUp(levels)
  return {
    levels,
    template: template(fourier, samples),
    episodeSamples,
    places: [least - length, episodeSamples - least + 1],
    whole: [0, episodeSamples - length + 1],
    threshold,
    seen: tally(threshold(length)),
  }
}
