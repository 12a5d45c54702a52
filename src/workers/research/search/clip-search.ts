import { maxMatches } from '../../../domain/research/result-messages.ts'
import type { Recording } from '../recording.ts'
import type { Finding, WantedClip } from '../searcher.ts'
import type { Fourier } from './fourier.ts'
import { openPcm, type PcmFile } from './pcm-file.ts'
import { occurrences } from './peaks.ts'
import { type Tally, tally } from './scan.ts'
import { minPower, scoreOf } from './score.ts'
import { edge, maxClipSamples, minClipSamples, rate } from './settings.ts'
import { levels, type Sound, type Template, template, trim } from './template.ts'

/** The search for one clip in one episode. */
export interface ClipSearch {
  readonly clip: string
  readonly sound: Sound
  readonly template: Template
  /** Samples of the episode at which the sound may begin: from, and before. */
  readonly places: readonly [from: number, to: number]
  readonly seen: Tally
}

/** Reads and prepares the clip, or finds at once why it is not in the episode. Throws where it cannot be read. */
export const startClipSearch = (
  fourier: Fourier,
  episodeSamples: number,
  { id, recording }: WantedClip,
  threshold: (samples: number) => number,
): ClipSearch | Finding => {
  const nothing = (note: string): Finding => ({ clip: id, matches: [], bestScore: 0, note })
  if (recording.samples > maxClipSamples)
    throw new Error(
      `the clip has ${seconds(recording.samples)}, at most ${seconds(maxClipSamples)} are looked for: cut it`,
    )
  const sound = trim(readAll(recording))
  const length = sound.samples.length
  if (recording.samples === 0) return nothing('the clip has no sound at all: zero samples')
  const { norm } = levels(sound.samples)
  if (norm * norm < minPower * length || length === 0) return nothing('the clip is silent')
  if (length < minClipSamples)
    return nothing(
      `the clip sounds for ${seconds(length)}: under ${seconds(minClipSamples)} chance resembles anything`,
    )
  if (length > episodeSamples) return nothing('the clip is longer than the episode')
  const from = Math.max(0, sound.lead - edge)
  const to = Math.min(episodeSamples - length, episodeSamples + edge - sound.tail - length) + 1
  if (to <= from) return nothing('the clip, with its silence, is longer than the episode')
  return {
    clip: id,
    sound,
    template: template(fourier, sound),
    places: [from, to],
    seen: tally(threshold(length)),
  }
}

/** Exact scores of the peaks, after the whole episode was scanned. */
export const finishClipSearch = ({ clip, sound, seen }: ClipSearch, episode: PcmFile): Finding => {
  const { samples, lead } = sound
  const window = new Int16Array(samples.length)
  const scoreAt = (place: number): number => {
    episode.read(place, window)
    return scoreOf(samples, window)
  }
  const places = occurrences(seen.peaks, Math.ceil(samples.length / 2), maxMatches)
  const matches = places
    .map((place) => ({ offset: Math.max(0, place - lead) * (nanos / rate), score: scoreAt(place) }))
    .filter(({ score }) => score >= seen.threshold)
    // Two with silence before the episode's beginning would both begin there.
    .filter(({ offset }, i, all) => i === 0 || all[i - 1]!.offset < offset)
  const bestScore = matches.reduce((best, { score }) => Math.max(best, score), scoreAt(seen.bestPlace))
  if (places.length < maxMatches) return { clip, matches, bestScore }
  return { clip, matches, bestScore, note: `the best ${maxMatches} matches; there may be more` }
}

const nanos = 1_000_000_000

const readAll = (recording: Recording): Int16Array => {
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
