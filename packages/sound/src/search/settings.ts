/** Samples per second of every recording: speech and the body of music lie below half of it. */
export const rate = 8000

/** Samples of one transform. */
export const frame = 32_768

/** Samples of a cell, by which the episode's energies are summed; divides `hop` and `margin`. */
export const cell = 64

/**
 * Samples by which a frame begins before its hop and ends behind the next one, so that peaks at a border have
 * neighbours.
 */
export const margin = cell

/** Samples of a clip's part, and of a step through the episode: 2 s. A frame spans two. */
export const hop = frame / 2 - margin

/** Samples of the shortest clip: 0.1 s. Chance resembles anything shorter. */
export const minClipSamples = rate / 10

/** Samples of the longest clip: 17 min. Beyond it, sums of squares of 16-bit samples are no longer exact. */
export const maxClipSamples = 2 ** 23

/** Least share of a clip's sound that must be in an episode which begins or ends within the clip. */
export const leastPart = 1 / 3

/**
 * Samples of a clip's silence that may lie beyond the episode unreported: 0.5 s, since decoders differ in
 * their padding.
 */
export const untoldSilence = rate / 2

/** Samples of a clip's sound from which on a missing part is reported: 1 ms. */
export const untoldSound = rate / 1000

/**
 * Share of its correlation that a sound of the highest pitch keeps at the samples if it is half a sample off.
 * From this share of the threshold on, positions between samples are examined.
 */
export const worstPhase = 0.65

/** Greatest absolute value of samples that are digital silence at the ends of a clip. */
export const silence = 2

/** Seconds from which on a clip is distinct enough for the lowest threshold. */
const ample = 1
const lowest = 0.6
/** Seconds up to which any vowel resembles a clip: only nearly unchanged sound differs from chance. */
const brief = 0.2
const strictest = 0.95

/**
 * Two matches of a clip begin at least this share of its sound apart: what overlaps more is one place. A
 * little overlap is left to decoders and to speeds.
 */
export const leastApart = 0.95

/** Samples next to a cut that its low-pass filter changes: 2 ms. */
export const ringing = 16

/** Least score of a match, by the clip's number of sounding samples: chosen by `bench/corpus.ts`. */
export const thresholdFor = (samples: number): number => {
  const seconds = Math.min(ample, Math.max(brief, samples / rate))
  return lowest + ((strictest - lowest) * Math.log(ample / seconds)) / Math.log(ample / brief)
}

/** Names the search: results of two versions may differ. */
export interface Engine {
  readonly name: string
  readonly version: string
  /** Text that distinguishes one set of settings from another. */
  readonly settings: string
}

const engine: Engine = {
  name: 'correlator',
  version: '3',
  settings: `rate=${rate} threshold=${lowest} from ${ample} s, rising to ${strictest} at ${brief} s; either polarity and phase; channels that differ; parts from a third; apart=${leastApart} clip`,
}

/**
 * A search that also looks for drift has a version of its own, such as `3-drift-0.1` for up to 0.1 per cent.
 * It distinguishes results, so that those of another version can be researched again.
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

/** Drift in per cent, without binary rounding errors: 0.0007 is 0.07. */
export const percentOf = (drift: number): number => Number((drift * 100).toPrecision(6))
