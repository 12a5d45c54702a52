import { around, soundBetween } from './between.ts'
import type { ClipSearch } from './clip-search.ts'
import type { Refined } from './drift/refine.ts'
import type { Finding, Match } from './finding.ts'
import type { PcmFile } from './pcm-file.ts'
import { occurrences } from './peaks.ts'
import { type Part, partAt, weightOf } from './scan-ends.ts'
import { scoreOf } from './score.ts'
import { rate, ringing, untoldSilence, untoldSound } from './settings.ts'

/** Exact scores of the peaks, after the whole episode was scanned; and what was found at other speeds. */
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

/** Those that are matches. At another speed more can be made to fit: it must be better by so much than the clip as it is. */
const looksOf = (search: ClipSearch, atSpeeds: readonly Refined[]): readonly Look[] =>
  atSpeeds
    .filter(({ part: [from, to], score }) => score >= search.threshold(to - from))
    .map((one) => ({
      ...one,
      rank: (one.score - handicap) * weightOf(one.part, search.sound.samples.length),
    }))

const handicap = 0.005

/** The peaks that are matches, and those of their contenders that are better. */
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
  // The exact place may be half a sample aside.
  const wanted = { apart: apart + 1, first: search.sound.lead, max: search.maxMatches, isMatch }
  return occurrences(search.seen.peaks, wanted).flatMap(({ place, contenders }) => {
    const least = look(place).rank + 1 - unchanged
    return [place, ...contenders.filter((other) => isMatch(other) && look(other).rank > least)].map(look)
  })
}

interface Look {
  /** The sample, or between two of them. */
  readonly place: number
  readonly part: Part
  readonly score: number
  readonly speed: number
  /** By which one place is better than another: a part must be the better, the less of the clip it is. */
  readonly rank: number
}

/** The better score of the sample that is next to the place, and of the place. */
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

/** At the sample itself. */
const unchanged = 0.999_99

const matchOf = (search: ClipSearch, look: Look): Match => ({
  offset: offsetOf(search, look),
  score: look.score,
  ...partOf(search, look),
  ...(look.speed !== 1 && { speed: look.speed }),
})

/** Of the clip's beginning, silence and all, where that is in the episode. */
const offsetOf = ({ sound }: ClipSearch, { place, speed }: Look): number =>
  Math.round(Math.max(0, place - sound.lead / speed) * sample)

/** What of the clip is in the episode, where that is not all of its sound, or much of its silence is not. */
const partOf = ({ clipSamples, sound, episodeSamples }: ClipSearch, { place, part, speed }: Look) => {
  const start = Math.max(0, sound.lead - place * speed)
  const end = Math.min(clipSamples, (episodeSamples - place) * speed + sound.lead)
  const unheard = sound.samples.length - (part[1] - part[0])
  const beyond = Math.max(start, clipSamples - end)
  if (unheard < untoldSound && beyond <= untoldSilence) return {}
  return { part: { from: Math.round(start * sample), to: Math.round(end * sample) } }
}

const nanos = 1_000_000_000
/** Nanoseconds. */
const sample = nanos / rate
