import type { Levels } from '../energy.ts'
import { sumsBetween } from '../energy.ts'
import { cell } from '../settings.ts'
import { excerptSamples } from './speeds.ts'

/** From one sample of the sound on, and before another. */
type Excerpt = readonly [from: number, to: number]

/**
 * What is looked for of a sound at all speeds: all of it, or two pieces. One lies in its first third and one in its last,
 * so that of a clip that an end of the episode cuts down to a third one is there as a whole; a sound that is too short for that
 * has them at its beginning and end, and what is cut of them is found in part.
 */
export const excerptsOf = (levels: Levels, length: number): readonly Excerpt[] => {
  if (length <= excerptSamples) return [[0, length]]
  const room = Math.max(0, Math.floor(length / 3) - excerptSamples)
  return [loudest(levels, 0, room), loudest(levels, length - excerptSamples - room, room)]
}

/** Samples between two excerpts that are compared: 0.25 s. */
const stride = excerptSamples / 4

/** Begins within so many samples from there on. By amplitude, not energy: a bang is no good excerpt. */
const loudest = (levels: Levels, first: number, room: number): Excerpt => {
  let best = first
  let most = -1
  for (let from = first; from <= first + room; from += stride) {
    const loudness = amplitude(levels, from)
    if (loudness > most) {
      most = loudness
      best = from
    }
  }
  return [best, best + excerptSamples]
}

const amplitude = (levels: Levels, from: number): number => {
  let sum = 0
  for (let at = from; at < from + excerptSamples; at += 4 * cell)
    sum += Math.sqrt(sumsBetween(levels, at, Math.min(at + 4 * cell, from + excerptSamples))[1])
  return sum
}
