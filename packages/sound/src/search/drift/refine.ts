import type { Samples } from '../pcm-file.ts'
import type { Part } from '../scan-ends.ts'
import { scoreOf } from '../score.ts'
import { type Alignment, inClip, inEpisode, polished, realigned } from './align.ts'
import { atSpeed, type Player } from './at-speed.ts'
import type { Candidate } from './candidates.ts'

/** A sound found in the episode at a speed. */
export interface Refined {
  /** Sample of the episode at which it begins, or would begin. */
  readonly place: number
  readonly speed: number
  /** Part of the sound that is in the episode. */
  readonly part: Part
  readonly score: number
}

/** Score from which on no better result is searched for. */
const sure = 0.95

/** Returns true if a sure result puts the excerpt within half its length of the candidate's place. */
export const isFound = ({ alignment, samples }: Candidate, found: readonly Refined[]): boolean =>
  found.some(({ place, speed, score }) => {
    const there = place + alignment.clip / speed
    return score >= sure && Math.abs(there - alignment.episode) < samples / 2
  })

/** Step of speed, as a share of the samples by which an excerpt may slip. */
const step = 0.25
/**
 * Steps to either side: for an excerpt, which was found at the nearest of its speeds, and then for each
 * doubled length.
 */
const steps = { excerpt: 3, doubled: 2 }
/** Samples by which the last, finer steps slip. */
const finer = [1, 0.25]

/**
 * Share of the threshold that a step must reach: sound that is under another for a while may fit less well in
 * a step than as a whole.
 */
const onTheWay = 0.8

/**
 * Extends the alignment from the excerpt to all of the sound that is in the episode. Each step doubles the
 * length, and with it the precision of the speed. Returns undefined if a step fits too badly for `threshold`,
 * the least score of a number of samples: mostly at the first step, for a candidate by chance. `excerpts`
 * plays the same sound.
 */
export const refined = (
  sound: Int16Array,
  excerpts: Player,
  episode: Samples,
  { alignment: found, samples, slip }: Candidate,
  threshold: (samples: number) => number,
): Refined | undefined => {
  let alignment = found
  let window: Part = [found.clip - samples / 2, found.clip + samples / 2]
  const whole: Player = (first, count, speed) => atSpeed(sound, first, count, speed)
  let player = excerpts
  for (let aside = steps.excerpt; ; aside = steps.doubled, player = whole) {
    const there = thereOf(alignment, sound.length, episode.samples)
    window = [Math.max(window[0], there[0]), Math.min(window[1], there[1])]
    const middle = (window[0] + window[1]) / 2
    alignment = { ...alignment, clip: middle, episode: inEpisode(alignment, middle) }
    const span = spanOf(alignment, window, episode.samples)
    if (span[1] <= span[0]) return undefined
    const better = realigned(player, episode, alignment, span, { aside, slip: step * slip })
    if (better.score < onTheWay * threshold(span[1] - span[0])) return undefined
    alignment = better.alignment
    if (window[0] <= there[0] && window[1] >= there[1]) {
      for (const fine of finer) alignment = polished(whole, episode, alignment, span, fine)
      return measured(sound, episode, alignment)
    }
    const length = window[1] - window[0]
    window = [window[0] - length / 2, window[1] + length / 2]
  }
}

/** Part of the sound that lies in the episode. */
const thereOf = (alignment: Alignment, length: number, episodeSamples: number): Part => [
  Math.max(0, inClip(alignment, 0)),
  Math.min(length, inClip(alignment, episodeSamples)),
]

/** Range of the episode's samples that have the window of the sound. */
const spanOf = (alignment: Alignment, [from, to]: Part, episodeSamples: number): Part => [
  Math.max(0, Math.ceil(inEpisode(alignment, from))),
  Math.min(episodeSamples, Math.floor(inEpisode(alignment, to))),
]

const measured = (sound: Int16Array, episode: Samples, alignment: Alignment): Refined | undefined => {
  const part = thereOf(alignment, sound.length, episode.samples)
  const [first, end] = spanOf(alignment, part, episode.samples)
  if (end <= first) return undefined
  const heard = new Int16Array(end - first)
  episode.read(first, heard)
  const { speed } = alignment
  const score = scoreOf(atSpeed(sound, inClip(alignment, first), end - first, speed), heard)
  return { place: inEpisode(alignment, 0), speed, part, score }
}
