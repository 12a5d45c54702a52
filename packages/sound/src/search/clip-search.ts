import { type SpeedSearch, startSpeedSearches } from './drift/speed-search.ts'
import type { Clip, Finding, Pcm } from './finding.ts'
import type { Fourier } from './fourier.ts'
import { openPcm } from './pcm-file.ts'
import { minPower } from './score.ts'
import { maxClipSamples, minClipSamples, rate, ringing } from './settings.ts'
import { meanAndNorm, type Sound, trim } from './template.ts'
import { leastOf, startTemplateSearch, type TemplateSearch } from './template-search.ts'

/** The search for one clip in one episode. */
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
 * Reads and prepares the clip. Returns a finding if it cannot be in the episode. Throws if it is too long or
 * cannot be read.
 */
export const startClipSearch = (
  fourier: Fourier,
  episodeSamples: number,
  { id, recording }: Clip,
  { threshold, drift, maxMatches }: Wanted,
): ClipSearch | Finding => {
  const nothing = (note: string): Finding => ({ clip: id, matches: [], bestScore: 0, note })
  if (recording.samples > maxClipSamples)
    throw new Error(
      `the clip has ${seconds(recording.samples)}, at most ${seconds(maxClipSamples)} are looked for: cut it`,
    )
  const sound = trim(readAll(recording))
  const length = sound.samples.length
  if (recording.samples === 0) return nothing('the clip has no sound at all: zero samples')
  const { norm } = meanAndNorm(sound.samples)
  if (norm * norm < minPower * length || length === 0) return nothing('the clip is silent')
  if (length + 2 * ringing < minClipSamples)
    return nothing(
      `the clip sounds for ${seconds(length + 2 * ringing)}: under ${seconds(minClipSamples)} chance resembles anything`,
    )
  if (leastOf(length) > episodeSamples) return nothing('the episode is shorter than a third of the clip')
  const search = startTemplateSearch(fourier, sound.samples, episodeSamples, threshold)
  const atSpeeds = drift === 0 ? [] : startSpeedSearches(fourier, search, sound.samples, drift)
  return { ...search, clip: id, clipSamples: recording.samples, sound, atSpeeds, maxMatches }
}

/** Searches for the clip itself and for its excerpts. */
export const templateSearches = (search: ClipSearch): readonly TemplateSearch[] => [
  search,
  ...search.atSpeeds,
]

const readAll = (recording: Pcm): Int16Array => {
  const file = openPcm(recording)
  try {
    const samples = new Int16Array(recording.samples)
    file.read(0, samples)
    return samples
  } finally {
    file.close()
  }
}

const seconds = (samples: number): string => `${Number((samples / rate).toPrecision(3))} s`
