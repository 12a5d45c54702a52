import type { Fourier } from '../fourier.ts'
import { tallyOfMatches } from '../scan.ts'
import { minPower } from '../score.ts'
import { meanAndNorm } from '../template.ts'
import { leastOf, startTemplateSearch, type TemplateSearch } from '../template-search.ts'
import { atSpeed } from './at-speed.ts'
import { excerptsOf } from './excerpts.ts'
import { slipOf, speedsOf } from './speeds.ts'

/** The search for an excerpt of a clip's sound at a speed. */
export interface SpeedSearch extends TemplateSearch {
  /** Samples of the sound before the excerpt, and in it. */
  readonly from: number
  readonly samples: number
  readonly speed: number
  /** Samples by which it slips against the next speed, over its length. */
  readonly slip: number
}

/** Share of the threshold that an excerpt must reach: it may lie between speeds, or under other sound. */
const minShare = 0.8

/**
 * Prepares searches for excerpts of a sound at speeds up to `drift` faster and slower, given the sound's own
 * search. Skips silent excerpts.
 */
export const startSpeedSearches = (
  fourier: Fourier,
  { levels, threshold, episodeSamples }: TemplateSearch,
  sound: Int16Array,
  drift: number,
): readonly SpeedSearch[] =>
  excerptsOf(levels, sound.length).flatMap(([from, to]) => {
    const samples = to - from
    const lower = (length: number) => minShare * threshold(length)
    const slip = slipOf(sound.subarray(from, to))
    return speedsOf(samples, slip, drift).flatMap((speed) => {
      const heard = Int16Array.from(atSpeed(sound, from, Math.floor(samples / speed), speed), Math.round)
      const { norm } = meanAndNorm(heard)
      if (norm * norm < minPower * heard.length || leastOf(heard.length) > episodeSamples) return []
      const search = startTemplateSearch(fourier, heard, episodeSamples, lower)
      return [{ ...search, seen: tallyOfMatches(lower(heard.length)), from, samples, speed, slip }]
    })
  })
