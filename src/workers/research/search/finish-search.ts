import { maxMatches } from '../../../domain/research/result-messages.ts'
import type { Match } from '../../../domain/research/terms.ts'
import type { Finding } from '../searcher.ts'
import { around, soundBetween } from './between.ts'
import type { ClipSearch } from './clip-search.ts'
import type { PcmFile } from './pcm-file.ts'
import { occurrences } from './peaks.ts'
import { type Part, partAt } from './scan-ends.ts'
import { scoreOf } from './score.ts'
import { rate, ringing, untoldSilence, untoldSound } from './settings.ts'

/** Exact scores of the peaks, after the whole episode was scanned. */
export const finishClipSearch = (search: ClipSearch, episode: PcmFile): Finding => {
  const { clip, sound, seen } = search
  const apart = Math.ceil(sound.samples.length / 2 + ringing)
  const looks = exactLooks(search, episode, apart)
  const scores = looks.map(({ score }) => score)
  const byPlace = new Map(looks.map((look) => [look.place, look]))
  const matches = occurrences({ places: looks.map(({ place }) => place), scores }, { apart, max: maxMatches })
    .map(({ place }) => matchOf(search, byPlace.get(place)!))
    .filter(isAlone(apart * sample))
    // Two with silence before the episode's beginning would both begin there.
    .filter(({ offset }, i, all) => i === 0 || all[i - 1]!.offset < offset)
  const elsewhere = lookAt(search, episode, seen.bestPlace).score
  const bestScore = matches.reduce((best, { score }) => Math.max(best, score), elsewhere)
  if (matches.length < maxMatches) return { clip, matches, bestScore }
  return { clip, matches, bestScore, note: `the best ${maxMatches} matches; there may be more` }
}

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
  const wanted = { apart: apart + 1, max: maxMatches, isMatch }
  return occurrences(search.seen.peaks, wanted).flatMap(({ place, contenders }) => {
    const least = look(place).score + 1 - unchanged
    return [place, ...contenders.filter((other) => isMatch(other) && look(other).score > least)].map(look)
  })
}

interface Look {
  /** The sample, or between two of them. */
  readonly place: number
  readonly part: Part
  readonly score: number
}

/** The better score of the sample that is next to the place, and of the place. */
const lookAt = (
  { sound: { samples }, episodeSamples }: ClipSearch,
  episode: PcmFile,
  place: number,
): Look => {
  const at = Math.round(place)
  const part = partAt(at, samples.length, episodeSamples)
  const [from, to] = part
  if (to <= from) return { place: at, part, score: 0 }
  const near = new Int16Array(to - from + 2 * around)
  episode.read(at + from - around, near)
  const clip = samples.subarray(from, to)
  const score = scoreOf(clip, near.subarray(around, near.length - around))
  if (score >= unchanged || at === place) return { place: at, part, score }
  const between = scoreOf(clip, soundBetween(near, place - at))
  return between > score ? { place, part, score: between } : { place: at, part, score }
}

/** At the sample itself. */
const unchanged = 0.999_99

const matchOf = (search: ClipSearch, { place, part, score }: Look): Match => ({
  offset: offsetOf(search, place),
  score,
  ...partOf(search, place, part),
})

/** Of the clip's beginning, silence and all, where that is in the episode. */
const offsetOf = ({ sound }: ClipSearch, place: number): number =>
  Math.round(Math.max(0, place - sound.lead) * sample)

/** What of the clip is in the episode, where that is not all of its sound, or much of its silence is not. */
const partOf = ({ clipSamples, sound, episodeSamples }: ClipSearch, place: number, [from, to]: Part) => {
  const start = Math.max(0, sound.lead - place)
  const end = Math.min(clipSamples, episodeSamples - place + sound.lead)
  const unheard = sound.samples.length - (to - from)
  const beyond = Math.max(start, clipSamples - end)
  if (unheard < untoldSound && beyond <= untoldSilence) return {}
  return { part: { from: Math.round(start * sample), to: Math.round(end * sample) } }
}

/** What began before the episode, or ends behind it, is told where nothing better lies within `apart` of it. */
const isAlone =
  (apart: number) =>
  (match: Match, i: number, all: readonly Match[]): boolean =>
    !match.part ||
    all.every(
      (other, j) =>
        i === j ||
        Math.abs(other.offset - match.offset) >= apart ||
        (other.part && (other.score < match.score || (other.score === match.score && i < j))),
    )

const nanos = 1_000_000_000
/** Nanoseconds. */
const sample = nanos / rate
