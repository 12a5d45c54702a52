import type { Engine } from '../../../domain/research/terms.ts'

/** Samples a second of every recording: speech and the body of music lie below half of it. */
export const rate = 8000

/** Clips are cut into parts of so many samples, and episodes move on by so many: 2 s. A transform spans two. */
export const hop = 16_384

/** Energies of the episode are summed by cells of so many samples; divides `hop`. */
export const cell = 64

/** Below, chance resembles anything. In samples: 0.1 s. */
export const minClipSamples = rate / 10

/** Above, sums of squares of 16-bit samples are no more exact. In samples: 17 min. */
export const maxClipSamples = 2 ** 23

/** So much of a clip's silence, in samples, may lie beyond the episode: decoders differ in what they pad. 0.5 s. */
export const edge = rate / 2

/** Samples up to here, either side of zero, are digital silence at the ends of a clip. */
export const silence = 2

/** Seconds from which on a clip is distinct enough for the lowest threshold. */
const ample = 1
const lowest = 0.6
/** Seconds up to which anybody's vowel resembles a clip: only what is hardly changed differs from chance. */
const brief = 0.2
const strictest = 0.95

/** Least score of a match, for a clip of so many sounding samples: chosen by `bench/corpus.ts`. */
export const thresholdFor = (samples: number): number => {
  const seconds = Math.min(ample, Math.max(brief, samples / rate))
  return lowest + ((strictest - lowest) * Math.log(ample / seconds)) / Math.log(ample / brief)
}

export const engine: Engine = {
  name: 'correlator',
  version: '1',
  settings: `rate=${rate} threshold=${lowest} from ${ample} s, rising to ${strictest} at ${brief} s; either polarity; apart=0.5 clip`,
}
