import { addUp, levelsOf } from './energy.ts'
import type { Fourier } from './fourier.ts'
import { type Tally, tally } from './scan.ts'
import type { EndsSearch } from './scan-ends.ts'
import { leastPart, minClipSamples } from './settings.ts'
import { template } from './template.ts'

/** The search for one template in one episode. Samples of the episode are counted from its beginning, from before it on too. */
export interface TemplateSearch extends EndsSearch {
  /** Where the sound may begin, from and before; and where it does when it is in the episode as a whole. */
  readonly places: readonly [from: number, to: number]
  readonly whole: readonly [from: number, to: number]
  readonly seen: Tally
}

/** So many samples, of a sound of so many, must be in the episode. */
export const leastOf = (length: number): number => Math.max(minClipSamples, Math.ceil(length * leastPart))

/** Of a sound that is not constant; the episode has `leastOf` of it. */
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
