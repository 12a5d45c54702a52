import { crestAt } from '../between.ts'
import type { Samples } from '../pcm-file.ts'
import type { Player } from './at-speed.ts'

/** Position of a sound in the episode: the two places, which may lie between samples, are the same moment. */
export interface Alignment {
  readonly clip: number
  readonly episode: number
  /** Samples of the clip that pass in one of the episode. */
  readonly speed: number
}

/** Maps a place of the sound to the episode. */
export const inEpisode = ({ clip, episode, speed }: Alignment, place: number): number =>
  episode + (place - clip) / speed

/** Maps a place of the episode to the sound. */
export const inClip = ({ clip, episode, speed }: Alignment, place: number): number =>
  clip + (place - episode) * speed

/** Range of the episode's samples. `to` is exclusive. */
type Span = readonly [from: number, to: number]

/** Blocks, spread over the span, by which an alignment is measured: more make it no better. */
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

/** Samples by which the alignment may be off. */
const slack = 3
/** Samples needed on either side to interpolate between samples. */
const margin = 24

interface Heard {
  readonly first: number
  /** Samples of the episode, with `margin` more on either side. */
  readonly samples: Int16Array
}

const hear = (episode: Samples, span: Span): readonly Heard[] =>
  spread(span).map(([from, to]) => {
    const samples = new Int16Array(to - from + 2 * margin)
    episode.read(from - margin, samples)
    return { first: from, samples }
  })

/** Speeds to try: `aside` steps to either side, each of which slips by `slip` samples over the whole span. */
interface Steps {
  readonly aside: number
  readonly slip: number
}

/**
 * Improves an alignment. Returns it with its score, as `scoreOf` computes it, over the samples of the episode
 * that are compared.
 */
export const realigned = (
  player: Player,
  episode: Samples,
  alignment: Alignment,
  span: Span,
  { aside, slip }: Steps,
): { readonly alignment: Alignment; readonly score: number } => {
  const heard = hear(episode, span)
  const step = slip / (span[1] - span[0])
  const speeds = Array.from({ length: 2 * aside + 1 }, (_, i) => alignment.speed + (i - aside) * step)
  const sounds = speeds.map((speed) => soundsAt(player, heard, { ...alignment, speed }))
  const fits = sounds.map((some) => Math.max(...covariances(some, heard, slack).map(Math.abs)))
  const best = fits.indexOf(Math.max(...fits))
  const { episode: place, score } = bestPlace(alignment, sounds[best]!, heard)
  const speed = speeds[best]! + step * summit(fits[best - 1] ?? 0, fits[best]!, fits[best + 1] ?? 0)
  return { alignment: { ...alignment, episode: place, speed }, score }
}

/**
 * As `realigned`, for an alignment that nearly fits: tries one step to either side, with the best position
 * between samples at each.
 */
export const polished = (
  player: Player,
  episode: Samples,
  alignment: Alignment,
  span: Span,
  slip: number,
): Alignment => {
  const heard = hear(episode, span)
  const step = slip / (span[1] - span[0])
  const fitAt = (speed: number) =>
    bestPlace(alignment, soundsAt(player, heard, { ...alignment, speed }), heard)
  const [before, now, after] = [-step, 0, step].map((aside) => fitAt(alignment.speed + aside).score)
  const speed = alignment.speed + step * summit(before!, now!, after!)
  return { ...alignment, episode: fitAt(speed).episode, speed }
}

/** Finds the place in the episode that fits the sounds at one speed best, and its score. */
const bestPlace = (alignment: Alignment, sounds: readonly Float32Array[], heard: readonly Heard[]) => {
  const values = Float32Array.from(covariances(sounds, heard, margin))
  let top = margin
  for (let i = margin - slack; i <= margin + slack; i++)
    if (Math.abs(values[i]!) > Math.abs(values[top]!)) top = i
  const { fraction, amount } = crestAt(values, top)
  const power = powerOf(sounds) * powerOf(heard.map(({ samples }) => samples.subarray(margin, -margin)))
  return {
    episode: alignment.episode + top - margin + fraction,
    score: power > 0 ? Math.min(1, amount / Math.sqrt(power)) : 0,
  }
}

/** Sounds that the episode should have by the alignment. */
const soundsAt = (player: Player, heard: readonly Heard[], alignment: Alignment): readonly Float32Array[] =>
  heard.map(({ first, samples }) =>
    player(inClip(alignment, first), samples.length - 2 * margin, alignment.speed),
  )

/** Covariances with the episode, shifted by up to `reach` samples either way. */
const covariances = (
  sounds: readonly Float32Array[],
  heard: readonly Heard[],
  reach: number,
): readonly number[] => {
  const { mean } = momentsOf(sounds)
  return Array.from({ length: 2 * reach + 1 }, (_, i) => {
    const start = margin - reach + i
    return sounds.reduce((sum, sound, b) => sum + covariance(sound, mean, heard[b]!.samples, start), 0)
  })
}

const covariance = (sound: Float32Array, mean: number, samples: Int16Array, start: number): number => {
  let sum = 0
  for (let k = 0; k < sound.length; k++) sum += (sound[k]! - mean) * samples[start + k]!
  return sum
}

const momentsOf = (pieces: readonly (Float32Array | Int16Array)[]) => {
  let [count, sum, square] = [0, 0, 0]
  for (const piece of pieces) {
    count += piece.length
    for (let i = 0; i < piece.length; i++) {
      const sample = piece[i]!
      sum += sample
      square += sample * sample
    }
  }
  return { mean: sum / count, power: square - (sum * sum) / count }
}

/** Energy without the mean. */
const powerOf = (pieces: readonly (Float32Array | Int16Array)[]): number => momentsOf(pieces).power

/** Distance of the vertex of a parabola through three values from the middle one, the greatest. */
const summit = (before: number, most: number, after: number): number => {
  const bend = before - 2 * most + after
  return bend >= 0 ? 0 : Math.max(-1, Math.min(1, (before - after) / (2 * bend)))
}
