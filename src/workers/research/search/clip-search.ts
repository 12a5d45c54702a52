import type { Recording } from '../recording.ts'
import type { Finding, WantedClip } from '../searcher.ts'
import { addUp, levelsOf } from './energy.ts'
import type { Fourier } from './fourier.ts'
import { openPcm } from './pcm-file.ts'
import { type Tally, tally } from './scan.ts'
import type { EndsSearch } from './scan-ends.ts'
import { minPower } from './score.ts'
import { leastPart, maxClipSamples, minClipSamples, rate, ringing } from './settings.ts'
import { meanAndNorm, type Sound, template, trim } from './template.ts'

/** The search for one clip in one episode. Samples of the episode are counted from its beginning, from before it on too. */
export interface ClipSearch extends EndsSearch {
  readonly clip: string
  /** Samples of the clip, silence and all. */
  readonly clipSamples: number
  readonly sound: Sound
  /** Where the sound may begin, from and before; and where it does when it is in the episode as a whole. */
  readonly places: readonly [from: number, to: number]
  readonly whole: readonly [from: number, to: number]
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
  const { norm } = meanAndNorm(sound.samples)
  if (norm * norm < minPower * length || length === 0) return nothing('the clip is silent')
  if (length + 2 * ringing < minClipSamples)
    return nothing(
      `the clip sounds for ${seconds(length + 2 * ringing)}: under ${seconds(minClipSamples)} chance resembles anything`,
    )
  const least = Math.max(minClipSamples, Math.ceil(length * leastPart))
  if (least > episodeSamples) return nothing('the episode is shorter than a third of the clip')
  const levels = levelsOf(sound.samples)
  addUp(levels)
  return {
    clip: id,
    clipSamples: recording.samples,
    sound,
    levels,
    template: template(fourier, sound),
    episodeSamples,
    places: [least - length, episodeSamples - least + 1],
    whole: [0, episodeSamples - length + 1],
    threshold,
    seen: tally(threshold(length)),
  }
}

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
