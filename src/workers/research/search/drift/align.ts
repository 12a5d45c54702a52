import { crestAt } from '../between.ts'
import type { PcmFile } from '../pcm-file.ts'
import { atSpeed } from './at-speed.ts'

/** How a sound lies in the episode: so that these two places, which may be between samples, are one moment. */
export interface Alignment {
  readonly clip: number
  readonly episode: number
  /** Samples of the clip that pass in one of the episode. */
  readonly speed: number
}

/** Where the episode has a place of the sound. */
export const inEpisode = ({ clip, episode, speed }: Alignment, place: number): number =>
  episode + (place - clip) / speed

/** The place of the sound that the episode has there. */
export const inClip = ({ clip, episode, speed }: Alignment, place: number): number =>
  clip + (place - episode) * speed

/** Samples of the episode: from, and before. */
type Span = readonly [from: number, to: number]

/** An alignment is measured by so many samples, spread over all there is: more make it no better. */
const blocks = 16
const blockSamples = 4096

const spread = ([from, to]: Span): readonly Span[] => {
  if (to - from <= blocks * blockSamples) return [[from, to]]
  const step = (to - from - blockSamples) / (blocks - 1)
  return Array.from({ length: blocks }, (_, i) => {
    const first = from + Math.floor(i * step)
    return [first, first + blockSamples]
  })
}

/** The alignment may be so many samples off. */
const slack = 3
/** Samples on either side that it takes to see between samples. */
const margin = 24

interface Heard {
  readonly first: number
  /** Of the episode, with `margin` on either side. */
  readonly samples: Int16Array
}

const hear = (episode: PcmFile, span: Span): readonly Heard[] =>
  spread(span).map(([from, to]) => {
    const samples = new Int16Array(to - from + 2 * margin)
    episode.read(from - margin, samples)
    return { first: from, samples }
  })

/** Speeds that are tried: so many steps to either side, each of what slips so many samples over all that is compared. */
interface Steps {
  readonly aside: number
  readonly slip: number
}

/**
 * The better alignment, and how well it fits: as `scoreOf` measures it, over the samples of the episode that are given.
 */
export const realigned = (
  sound: Int16Array,
  episode: PcmFile,
  alignment: Alignment,
  span: Span,
  { aside, slip }: Steps,
): { readonly alignment: Alignment; readonly score: number } => {
  const heard = hear(episode, span)
  const step = slip / (span[1] - span[0])
  const at = (speed: number): Alignment => ({ ...alignment, speed })
  const fits = Array.from({ length: 2 * aside + 1 }, (_, i) => {
    const sounds = soundsAt(sound, heard, at(alignment.speed + (i - aside) * step))
    return Math.max(...covariances(sounds, heard, slack).map(Math.abs))
  })
  const best = fits.indexOf(Math.max(...fits))
  const there = best - aside + summit(fits[best - 1] ?? 0, fits[best]!, fits[best + 1] ?? 0)
  const better = at(alignment.speed + there * step)
  return settled(better, soundsAt(sound, heard, better), heard)
}

/** As `realigned`, for what nearly fits: one step to either side, and the best place between samples at each. */
export const polished = (
  sound: Int16Array,
  episode: PcmFile,
  alignment: Alignment,
  span: Span,
  slip: number,
): Alignment => {
  const heard = hear(episode, span)
  const step = slip / (span[1] - span[0])
  const fitAt = (speed: number) => {
    const there = { ...alignment, speed }
    return settled(there, soundsAt(sound, heard, there), heard)
  }
  const { speed } = alignment
  const [before, now, after] = [-step, 0, step].map((aside) => fitAt(speed + aside))
  return fitAt(speed + step * summit(before!.score, now!.score, after!.score)).alignment
}

/** The place that fits best at this speed. */
const settled = (alignment: Alignment, sounds: readonly Float32Array[], heard: readonly Heard[]) => {
  const values = Float32Array.from(covariances(sounds, heard, margin))
  let top = margin
  for (let i = margin - slack; i <= margin + slack; i++)
    if (Math.abs(values[i]!) > Math.abs(values[top]!)) top = i
  const { fraction, amount } = crestAt(values, top)
  const delay = top - margin + fraction
  const power = powerOf(sounds) * powerOf(heard.map(({ samples }) => samples.subarray(margin, -margin)))
  return {
    alignment: { ...alignment, episode: alignment.episode + delay },
    score: power > 0 ? Math.min(1, amount / Math.sqrt(power)) : 0,
  }
}

/** What the episode should have, of mean zero. */
const soundsAt = (
  sound: Int16Array,
  heard: readonly Heard[],
  alignment: Alignment,
): readonly Float32Array[] => {
  const sounds = heard.map(({ first, samples }) =>
    atSpeed(sound, inClip(alignment, first), samples.length - 2 * margin, alignment.speed),
  )
  const count = sounds.reduce((sum, { length }) => sum + length, 0)
  const mean = sounds.reduce((sum, one) => sum + one.reduce((a, b) => a + b, 0), 0) / count
  return sounds.map((one) => one.map((sample) => sample - mean))
}

/** With the episode up to so many samples earlier and later. */
const covariances = (
  sounds: readonly Float32Array[],
  heard: readonly Heard[],
  reach: number,
): readonly number[] =>
  Array.from({ length: 2 * reach + 1 }, (_, i) => {
    let sum = 0
    for (const [b, sound] of sounds.entries()) {
      const { samples } = heard[b]!
      const start = margin - reach + i
      for (let k = 0; k < sound.length; k++) sum += sound[k]! * samples[start + k]!
    }
    return sum
  })

/** Energy without the mean. */
const powerOf = (pieces: readonly (Float32Array | Int16Array)[]): number => {
  let [count, sum, square] = [0, 0, 0]
  for (const piece of pieces)
    for (const sample of piece) {
      count++
      sum += sample
      square += sample * sample
    }
  return square - (sum * sum) / count
}

/** Of a parabola through three values, how far from the middle one, which is the greatest. */
const summit = (before: number, most: number, after: number): number => {
  const bend = before - 2 * most + after
  return bend >= 0 ? 0 : Math.max(-1, Math.min(1, (before - after) / (2 * bend)))
}
