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
 * A place and its contenders: places less than `apart` from it that score nearly as much, the best first,
 * including itself.
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
  readonly max: number
  /** Called before a place is taken. If it returns false, another one near it may be taken. */
  readonly isMatch?: (place: number) => boolean
}

/** Selects places, best first, each at least `apart` from every better one. Returns them by place. */
export const occurrences = (
  { places, scores }: Peaks,
  { apart, first = Number.NEGATIVE_INFINITY, max, isMatch }: Wanted,
): Occurrence[] => {
  const byScore = places.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || places[a]! - places[b]!)
  // At most one is taken in each stretch of `apart` samples, so that only adjacent stretches are checked.
  const taken = new Map<number, { place: number; score: number; contenders: number[] }>()
  let atFirst: { place: number; score: number; contenders: number[] } | undefined
  const neighbour = (place: number) => {
    if (place <= first && atFirst) return atFirst
    const home = Math.floor(place / apart)
    return [home - 1, home, home + 1]
      .map((i) => taken.get(i))
      .find((other) => other && Math.abs(other.place - place) < apart)
  }
  for (const i of byScore) {
    if (taken.size >= max) break
    const place = places[i]!
    const score = scores[i]!
    const better = neighbour(place)
    if (!better) {
      if (isMatch?.(place) === false) continue
      const own = { place, score, contenders: [place] }
      taken.set(Math.floor(place / apart), own)
      if (place <= first) atFirst = own
    } else if (score >= better.score - slack && better.contenders.length < maxContenders)
      better.contenders.push(place)
  }
  return [...taken.values()].sort((a, b) => a.place - b.place)
}
