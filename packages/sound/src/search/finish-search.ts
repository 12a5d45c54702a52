import { around, soundBetween } from './between.ts'
import type { ClipSearch } from './clip-search.ts'
import type { Refined } from './drift/refine.ts'
import type { Finding, Match } from './finding.ts'
import type { PcmFile } from './pcm-file.ts'
import { occurrences } from './peaks.ts'
import { type Part, partAt, weightOf } from './scan-ends.ts'
import { scoreOf } from './score.ts'
import { rate, ringing, untoldSilence, untoldSound } from './settings.ts'

/** Scores the peaks exactly, once the whole episode is scanned, and adds the results at other speeds. */
export const finishClipSearch = (
  search: ClipSearch,
  episode: PcmFile,
  atSpeeds: readonly Refined[] = [],
): Finding => {
  const { clip, sound, seen, maxMatches } = search
  const apart = Math.ceil(sound.samples.length / 2 + ringing)
  const looks = [...exactLooks(search, episode, apart), ...looksOf(search, atSpeeds)]
  const peaks = { places: looks.map(({ place }) => place), scores: looks.map(({ rank }) => rank) }
  const byPlace = bestOfEachPlace(looks)
  const matches = occurrences(peaks, { apart, first: sound.lead, max: maxMatches }).map(({ place }) =>
    matchOf(search, byPlace.get(place)!),
  )
  const elsewhere = lookAt(search, episode, seen.bestPlace).score
  const bestScore = [...matches, ...atSpeeds].reduce((best, { score }) => Math.max(best, score), elsewhere)
  if (matches.length < maxMatches) return { clip, matches, bestScore }
  return { clip, matches, bestScore, note: `the best ${maxMatches} matches; there may be more` }
}

const bestOfEachPlace = (looks: readonly Look[]): ReadonlyMap<number, Look> =>
  new Map(looks.toSorted((a, b) => a.rank - b.rank).map((look) => [look.place, look]))

/**
 * Selects the results that are matches. Their rank is lowered by `handicap`, since more can be made to fit at
 * another speed.
 */
const looksOf = (search: ClipSearch, atSpeeds: readonly Refined[]): readonly Look[] =>
  atSpeeds
    .filter(({ part: [from, to], score }) => score >= search.threshold(to - from))
    .map((one) => ({
      ...one,
      rank: (one.score - handicap) * weightOf(one.part, search.sound.samples.length),
    }))

const handicap = 0.005

/** Selects the peaks that are matches, with those of their contenders that rank higher. */
const exactLooks = (search: ClipSearch, episode: PcmFile, apart: number): readonly Look[] => {
  const looks = new Map<number, Look>()
  const look = (place: number): Look => {
    const known = looks.get(place) ?? lookAt(search, episode, place)
    looks.set(place, known)
    return known
  }
  const isMatch = (place: number) => {
    const { part, score } = look(place)
    return score >= search.threshold(part[1] - part[0])
  }
  // The exact place may differ by half a sample.
  const wanted = { apart: apart + 1, first: search.sound.lead, max: search.maxMatches, isMatch }
  return occurrences(search.seen.peaks, wanted).flatMap(({ place, contenders }) => {
    const least = look(place).rank + 1 - unchanged
    return [place, ...contenders.filter((other) => isMatch(other) && look(other).rank > least)].map(look)
  })
}

interface Look {
  /** A sample of the episode, or a position between two. */
  readonly place: number
  readonly part: Part
  readonly score: number
  readonly speed: number
  /** Compares places. The less of the clip a part is, the higher it must score for the same rank. */
  readonly rank: number
}

/** Scores the place and the sample nearest to it. Returns the better. */
const lookAt = (
  { sound: { samples }, episodeSamples }: ClipSearch,
  episode: PcmFile,
  place: number,
): Look => {
  const at = Math.round(place)
  const part = partAt(at, samples.length, episodeSamples)
  const look = (exact: number, score: number): Look => ({
    place: exact,
    part,
    score,
    speed: 1,
    rank: score * weightOf(part, samples.length),
  })
  const [from, to] = part
  if (to <= from) return look(at, 0)
  const near = new Int16Array(to - from + 2 * around)
  episode.read(at + from - around, near)
  const clip = samples.subarray(from, to)
  const score = scoreOf(clip, near.subarray(around, near.length - around))
  if (score >= unchanged || at === place) return look(at, score)
  const between = scoreOf(clip, soundBetween(near, place - at))
  return between > score ? look(place, between) : look(at, score)
}

/** Score at a sample from which on no position between samples is tried. */
const unchanged = 0.999_99

const matchOf = (search: ClipSearch, look: Look): Match => ({
  offset: offsetOf(search, look),
  score: look.score,
  ...partOf(search, look),
  ...(look.speed !== 1 && { speed: look.speed }),
})

/**
 * Nanoseconds from the episode's beginning to the clip's, including its silence; 0 if the clip begins before
 * the episode.
 */
const offsetOf = ({ sound }: ClipSearch, { place, speed }: Look): number =>
  Math.round(Math.max(0, place - sound.lead / speed) * sample)

/**
 * Range of the clip that is in the episode. Empty if less than `untoldSound` of its sound and at most
 * `untoldSilence` at either end are missing.
 */
const partOf = ({ clipSamples, sound, episodeSamples }: ClipSearch, { place, part, speed }: Look) => {
  const start = Math.max(0, sound.lead - place * speed)
  const end = Math.min(clipSamples, (episodeSamples - place) * speed + sound.lead)
  const unheard = sound.samples.length - (part[1] - part[0])
  const beyond = Math.max(start, clipSamples - end)
  if (unheard < untoldSound && beyond <= untoldSilence) return {}
  return { part: { from: Math.round(start * sample), to: Math.round(end * sample) } }
}

const nanos = 1_000_000_000
/** Nanoseconds of a sample. */
const sample = nanos / rate
