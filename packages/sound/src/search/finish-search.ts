import { around, soundBetween } from './between.ts'
import type { ClipSearch } from './clip-search.ts'
import type { Refined } from './drift/refine.ts'
import type { Finding, Match } from './finding.ts'
import type { Samples } from './pcm-file.ts'
import { occurrences } from './peaks.ts'
import { type Part, partAt, weightOf } from './scan-ends.ts'
import { scoreOf } from './score.ts'
import { leastApart, rate, ringing, untoldSilence, untoldSound } from './settings.ts'

/** A match that a search found, and by what it is compared with others of the clip. */
export interface Located {
  readonly match: Match
  /** Sample of the episode with which the clip begins, or would begin: negative before the episode. */
  readonly start: number
  readonly rank: number
}

/** The matches of a search in one voice of the episode. */
export interface Result {
  readonly located: readonly Located[]
  readonly bestScore: number
}

/** Scores the peaks exactly, once the whole episode is scanned, and adds the results at other speeds. */
export const finishClipSearch = (
  search: ClipSearch,
  episode: Samples,
  atSpeeds: readonly Refined[] = [],
): Result => {
  const { sound, seen, maxMatches } = search
  const apart = apartOf([search])
  const candidates = [...exactCandidates(search, episode, apart), ...candidatesOf(search, atSpeeds)]
  const peaks = { places: candidates.map(({ place }) => place), scores: candidates.map(({ rank }) => rank) }
  const byPlace = bestOfEachPlace(candidates)
  const located = occurrences(peaks, { apart, first: sound.lead, max: maxMatches }).map(({ place }) =>
    locatedAt(search, byPlace.get(place)!),
  )
  const elsewhere = scoreAt(search, episode, seen.bestPlace).score
  const scores = [...located.map(({ match }) => match), ...atSpeeds]
  return { located, bestScore: scores.reduce((best, { score }) => Math.max(best, score), elsewhere) }
}

/** Least distance of two matches of one clip, in samples. */
const apartOf = (searches: readonly ClipSearch[]): number =>
  Math.ceil(leastApart * Math.min(...searches.map(({ sound }) => sound.samples.length + 2 * ringing)))

/** Joins the results of one clip, for all its takes in all voices of the episode: the best of each place. */
export const joinResults = (searches: readonly ClipSearch[], results: readonly Result[]): Finding => {
  const { clip, maxMatches } = searches[0]!
  const bestScore = Math.max(...results.map((result) => result.bestScore))
  const all = results.flatMap(({ located }) => located)
  const matches = results.length === 1 ? all.map(({ match }) => match) : bestOf(searches, all)
  if (matches.length < maxMatches) return { clip, matches, bestScore }
  return { clip, matches, bestScore, note: `the best ${maxMatches} matches; there may be more` }
}

const bestOf = (searches: readonly ClipSearch[], all: readonly Located[]): readonly Match[] => {
  const byStart = new Map(all.toSorted((a, b) => a.rank - b.rank).map((one) => [one.start, one]))
  const peaks = { places: all.map(({ start }) => start), scores: all.map(({ rank }) => rank) }
  const wanted = { apart: apartOf(searches), first: 0, max: searches[0]!.maxMatches }
  return occurrences(peaks, wanted).map(({ place }) => byStart.get(place)!.match)
}

const bestOfEachPlace = (candidates: readonly Candidate[]): ReadonlyMap<number, Candidate> =>
  new Map(candidates.toSorted((a, b) => a.rank - b.rank).map((candidate) => [candidate.place, candidate]))

/**
 * Selects the results that are matches. Their rank is lowered by `handicap`, since more can be made to fit at
 * another speed.
 */
const candidatesOf = (search: ClipSearch, atSpeeds: readonly Refined[]): readonly Candidate[] =>
  atSpeeds
    .filter(({ part: [from, to], score }) => score >= search.threshold(to - from))
    .map((one) => ({
      ...one,
      rank: (one.score - handicap) * weightOf(one.part, search.sound.samples.length),
    }))

const handicap = 0.005

/** Selects the peaks that are matches, with those of their contenders that rank higher. */
const exactCandidates = (search: ClipSearch, episode: Samples, apart: number): readonly Candidate[] => {
  const candidates = new Map<number, Candidate>()
  const candidateAt = (place: number): Candidate => {
    const known = candidates.get(place) ?? scoreAt(search, episode, place)
    candidates.set(place, known)
    return known
  }
  const isMatch = (place: number) => {
    const { part, score } = candidateAt(place)
    return score >= search.threshold(part[1] - part[0])
  }
  // The exact place may differ by half a sample.
  const wanted = { apart: apart + 1, first: search.sound.lead, max: search.maxMatches, isMatch }
  return occurrences(search.seen.peaks, wanted).flatMap(({ place, contenders }) => {
    const least = candidateAt(place).rank + 1 - unchanged
    return [place, ...contenders.filter((other) => isMatch(other) && candidateAt(other).rank > least)].map(
      candidateAt,
    )
  })
}

interface Candidate {
  /** A sample of the episode, or a position between two. */
  readonly place: number
  readonly part: Part
  readonly score: number
  readonly speed: number
  /** Compares places. The less of the clip a part is, the higher it must score for the same rank. */
  readonly rank: number
}

/** Scores the place and the sample nearest to it. Returns the better. */
const scoreAt = (
  { sound: { samples }, episodeSamples }: ClipSearch,
  episode: Samples,
  place: number,
): Candidate => {
  const at = Math.round(place)
  const part = partAt(at, samples.length, episodeSamples)
  const candidateOf = (exact: number, score: number): Candidate => ({
    place: exact,
    part,
    score,
    speed: 1,
    rank: score * weightOf(part, samples.length),
  })
  const [from, to] = part
  if (to <= from) return candidateOf(at, 0)
  const near = new Int16Array(to - from + 2 * around)
  episode.read(at + from - around, near)
  const clip = samples.subarray(from, to)
  const score = scoreOf(clip, near.subarray(around, near.length - around))
  if (score >= unchanged || at === place) return candidateOf(at, score)
  const between = scoreOf(clip, soundBetween(near, place - at))
  return between > score ? candidateOf(place, between) : candidateOf(at, score)
}

/** Score at a sample from which on no position between samples is tried. */
const unchanged = 0.999_99

const locatedAt = (search: ClipSearch, candidate: Candidate): Located => {
  const { place, score, speed, rank } = candidate
  const start = place - search.sound.lead / speed
  const match = {
    // A clip that begins before the episode is reported as if it began with it.
    offset: Math.round(Math.max(0, start) * sample),
    score,
    ...partOf(search, candidate),
    ...(speed !== 1 && { speed }),
  }
  return { match, start, rank }
}

/**
 * Range of the clip that is in the episode. Empty if less than `untoldSound` of its sound and at most
 * `untoldSilence` at either end are missing.
 */
const partOf = ({ clipSamples, sound, episodeSamples }: ClipSearch, { place, part, speed }: Candidate) => {
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
