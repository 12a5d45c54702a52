import { selectApart } from './apart.ts'

/**
 * Candidate places of a clip in the episode, in samples: those that scored enough, thinned to the best of
 * each neighbourhood.
 */
export interface Peaks {
  readonly places: number[]
  readonly scores: number[]
}

/**
 * Samples of a neighbourhood, of which the best place stays. While places are few, each wave of a
 * high-pitched sound stays distinct from the next.
 */
const near = (found: number): number => (found < many ? 2 : 64)
const many = 100_000

/**
 * Adds a place later than all others. Neighbourhoods are fixed, so that a place never replaces a distant one,
 * however long scores rise.
 */
export const addPeak = ({ places, scores }: Peaks, place: number, score: number): void => {
  const last = places.length - 1
  const width = near(places.length)
  if (last < 0 || Math.floor(place / width) !== Math.floor(places[last]! / width)) {
    places.push(place)
    scores.push(score)
  } else if (score > scores[last]!) {
    places[last] = place
    scores[last] = score
  }
}

/**
 * A place and its contenders: the best of the places less than `apart` from it that score nearly as much or more, the
 * best first, including itself.
 */
export interface Occurrence {
  readonly place: number
  readonly contenders: readonly number[]
}

/** Scores that differ by no more need an exact comparison. */
const slack = 0.01
const maxContenders = 8

interface Wanted {
  /** Least distance in samples. */
  readonly apart: number
  /** Places up to it are reported as one: at most one of them is taken. Default: none. */
  readonly first?: number
  /** If there are more, the best are returned. */
  readonly max: number
  /** Called before a place is taken, and again. If it returns false, another one near it may be taken. */
  readonly isMatch?: (place: number) => boolean
}

interface Peak {
  readonly place: number
  readonly score: number
}

/** Selects the best places that are at least `apart` from each other, as `selectApart` weighs them. Returns them by place. */
export const occurrences = ({ places, scores }: Peaks, wanted: Wanted): Occurrence[] => {
  const all = places
    .map((place, i): Peak => ({ place, score: scores[i]! }))
    .sort((a, b) => a.place - b.place || b.score - a.score)
  return withContenders(bestOf(selectMatches(all, wanted), wanted.max), all, wanted.apart)
}

const selectMatches = (
  all: readonly Peak[],
  { apart, first = Number.NEGATIVE_INFINITY, isMatch = () => true }: Wanted,
): readonly Peak[] => {
  const spanOf = ({ place, score }: Peak) => ({
    start: place <= first ? Number.MIN_SAFE_INTEGER : place,
    end: place + apart,
    score,
  })
  let candidates = all
  for (let reach = 0; ; reach = 2 * reach + 1) {
    const selected = selectApart(candidates.map(spanOf))
    const failed = selected.filter((i) => !isMatch(candidates[i]!.place))
    if (failed.length === 0) return selected.map((i) => candidates[i]!)
    // Those beside it may fail as well: ever more are examined at once, so that selections are few.
    const near = new Set<Peak>()
    for (const i of failed)
      for (const one of candidates.slice(Math.max(0, i - reach), i + reach + 1)) near.add(one)
    candidates = candidates.filter((one) => !near.has(one) || isMatch(one.place))
  }
}

const byScore = (a: Peak, b: Peak): number => b.score - a.score || a.place - b.place

const bestOf = (selected: readonly Peak[], max: number): readonly Peak[] =>
  selected.length <= max
    ? selected
    : selected
        .toSorted(byScore)
        .slice(0, max)
        .sort((a, b) => a.place - b.place)

const withContenders = (selected: readonly Peak[], all: readonly Peak[], apart: number): Occurrence[] => {
  let from = 0
  return selected.map((one) => {
    while (all[from]!.place <= one.place - apart) from++
    const near: Peak[] = []
    for (let i = from; i < all.length && all[i]!.place < one.place + apart; i++)
      if (all[i] !== one && all[i]!.score >= one.score - slack) near.push(all[i]!)
    const contenders = near.sort(byScore).slice(0, maxContenders - 1)
    return { place: one.place, contenders: [...contenders, one].sort(byScore).map(({ place }) => place) }
  })
}
