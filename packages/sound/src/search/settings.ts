/** Samples a second of every recording: speech and the body of music lie below half of it. */
export const rate = 8000

/** Samples of one transform. */
export const frame = 32_768

/** Energies of the episode are summed by cells of so many samples; divides `hop` and `margin`. */
export const cell = 64

/** A frame begins so many samples before its hop and ends as many behind the next one: peaks at a border have neighbours. */
export const margin = cell

/** Clips are cut into parts of so many samples, and episodes move on by so many: 2 s. A frame spans two. */
export const hop = frame / 2 - margin

/** Below, chance resembles anything. In samples: 0.1 s. */
export const minClipSamples = rate / 10

/** Above, sums of squares of 16-bit samples are no more exact. In samples: 17 min. */
export const maxClipSamples = 2 ** 23

/** So much of a clip's sound must be in the episode, which may begin or end within the clip. */
export const leastPart = 1 / 3

/** So much of a clip's silence, in samples, may lie beyond the episode untold: decoders differ in what they pad. 0.5 s. */
export const untoldSilence = rate / 2

/** So much of a clip's sound, in samples, may lie beyond the episode untold: 1 ms. */
export const untoldSound = rate / 1000

/**
 * A sound of the highest pitch, half a sample off, correlates at the samples with so much of what it has between them.
 * From so much of the threshold on, a place is looked at between its samples.
 */
export const worstPhase = 0.65

/** Samples up to here, either side of zero, are digital silence at the ends of a clip. */
export const silence = 2

/** Seconds from which on a clip is distinct enough for the lowest threshold. */
const ample = 1
const lowest = 0.6
/** Seconds up to which anybody's vowel resembles a clip: only what is hardly changed differs from chance. */
const brief = 0.2
const strictest = 0.95

/** Samples at a cut that its low-pass changes: 2 ms. */
export const ringing = 16

/** Least score of a match, for a clip of so many sounding samples: chosen by `bench/corpus.ts`. */
export const thresholdFor = (samples: number): number => {
  const seconds = Math.min(ample, Math.max(brief, samples / rate))
  return lowest + ((strictest - lowest) * Math.log(ample / seconds)) / Math.log(ample / brief)
}

/** Names what searched: results of two versions may differ. */
export interface Engine {
  readonly name: string
  readonly version: string
  /** Text that tells one set of settings from another. */
  readonly settings: string
}

const engine: Engine = {
  name: 'correlator',
  version: '2',
  settings: `rate=${rate} threshold=${lowest} from ${ample} s, rising to ${strictest} at ${brief} s; either polarity and phase; parts from a third; apart=0.5 clip`,
}

/**
 * One that looks for drift, too, has a version of its own, such as `2-drift-0.1` of up to 0.1 per cent: results are told apart by
 * it, and what another one did can be researched again.
 */
export const engineFor = (drift: number): Engine => {
  if (drift === 0) return engine
  const percent = percentOf(drift)
  return {
    ...engine,
    version: `${engine.version}-drift-${percent}`,
    settings: `${engine.settings}; speeds up to ${percent} % off`,
  }
}

/** Without what fractions of two leave behind: 0.0007 is 0.07. */
export const percentOf = (drift: number): number => Number((drift * 100).toPrecision(6))
