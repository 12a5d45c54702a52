import { type SpeedSearch, startSpeedSearches } from './drift/speed-search.ts'
import type { Clip, Finding } from './finding.ts'
import type { Fourier } from './fourier.ts'
import { tallyOfMatches } from './scan.ts'
import { minPower } from './score.ts'
import { maxClipSamples, minClipSamples, rate, ringing } from './settings.ts'
import { takesOf } from './takes.ts'
import { meanAndNorm, type Sound, trim } from './template.ts'
import { leastOf, startTemplateSearch, type TemplateSearch } from './template-search.ts'

/** The search for one take of a clip in one voice of an episode. */
export interface ClipSearch extends TemplateSearch {
  readonly clip: string
  /** Samples of the clip, including its silence. */
  readonly clipSamples: number
  readonly sound: Sound
  /** Searches for its excerpts at other speeds; empty unless drift is searched for. */
  readonly atSpeeds: readonly SpeedSearch[]
  readonly maxMatches: number
}

/** `drift` is how much faster or slower than the episode a clip may be: 0.01 is one per cent. */
export interface Wanted {
  /** Least score of a match that has the given number of samples. */
  readonly threshold: (samples: number) => number
  readonly drift: number
  /** Only the best are kept if there are more. */
  readonly maxMatches: number
}

/**
 * Reads and prepares the clip: a search for each of its takes. Returns a finding if it cannot be in the
 * episode. Throws if it is too long or cannot be read.
 */
export const startClipSearches = (
  fourier: Fourier,
  episodeSamples: number,
  { id, recording }: Clip,
  wanted: Wanted,
): readonly ClipSearch[] | Finding => {
  if (recording.samples > maxClipSamples)
    throw new Error(
      `the clip has ${seconds(recording.samples)}, at most ${seconds(maxClipSamples)} are looked for: cut it`,
    )
  const takes = takesOf(recording).map(trim)
  const reasons = takes.map((sound) => reasonAgainst(sound, recording.samples, episodeSamples))
  const fit = takes.filter((_, i) => reasons[i] === undefined)
  if (fit.length === 0) return { clip: id, matches: [], bestScore: 0, ...reasons[0] }
  return fit.map((sound) => startTake(fourier, episodeSamples, sound, wanted, { id, recording }))
}

const startTake = (
  fourier: Fourier,
  episodeSamples: number,
  sound: Sound,
  { threshold, drift, maxMatches }: Wanted,
  { id, recording }: Clip,
): ClipSearch => {
  const search = startTemplateSearch(fourier, sound.samples, episodeSamples, threshold)
  const atSpeeds = drift === 0 ? [] : startSpeedSearches(fourier, search, sound.samples, drift)
  return { ...search, clip: id, clipSamples: recording.samples, sound, atSpeeds, maxMatches }
}

const reasonAgainst = (
  { samples }: Sound,
  clipSamples: number,
  episodeSamples: number,
): Pick<Finding, 'note' | 'silent'> | undefined => {
  const { length } = samples
  if (clipSamples === 0) return { note: 'the clip has no sound at all: zero samples' }
  const { norm } = meanAndNorm(samples)
  if (norm * norm < minPower * length || length === 0) return { note: 'the clip is silent', silent: 'clip' }
  if (length + 2 * ringing < minClipSamples)
    return {
      note: `the clip sounds for ${seconds(length + 2 * ringing)}: under ${seconds(minClipSamples)} chance resembles anything`,
    }
  if (leastOf(length) > episodeSamples) return { note: 'the episode is shorter than a third of the clip' }
  return undefined
}

/** The same search of another voice of the episode, with nothing seen. Only matches in it matter. */
export const ofVoice = (search: ClipSearch): ClipSearch => ({
  ...search,
  seen: tallyOfMatches(search.seen.threshold),
  atSpeeds: search.atSpeeds.map((one) => ({ ...one, seen: tallyOfMatches(one.seen.threshold) })),
})

/** Searches for the clip itself and for its excerpts. */
export const templateSearches = (search: ClipSearch): readonly TemplateSearch[] => [
  search,
  ...search.atSpeeds,
]

const seconds = (samples: number): string => `${Number((samples / rate).toPrecision(3))} s`
