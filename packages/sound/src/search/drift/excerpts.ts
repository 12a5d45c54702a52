import type { Levels } from '../energy.ts'
import { sumsBetween } from '../energy.ts'
import { cell } from '../settings.ts'
import { excerptSamples } from './speeds.ts'

/** Range of the sound's samples. `to` is exclusive. */
type Excerpt = readonly [from: number, to: number]

/**
 * Excerpts of a sound that are searched for at all speeds: all of it, or two pieces. One lies in its first
 * third and one in its last, so that one is whole if an end of the episode cuts the clip down to a third. A
 * sound too short for that has them at its beginning and end, and an excerpt that is cut is found in part.
 */
export const excerptsOf = (levels: Levels, length: number): readonly Excerpt[] => {
  if (length <= excerptSamples) return [[0, length]]
  const room = Math.max(0, Math.floor(length / 3) - excerptSamples)
  return [loudest(levels, 0, room), loudest(levels, length - excerptSamples - room, room)]
}

/** Samples between two excerpts that are compared: 0.25 s. */
const stride = excerptSamples / 4

/**
 * Returns the loudest excerpt that begins within `room` samples from `first` on. Compares amplitude, not
 * energy: a bang is no good excerpt.
 */
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
