/** Where in the episode a clip may be, in samples: places that scored enough, thinned to the best of each neighbourhood. */
export interface Peaks {
  readonly places: number[]
  readonly scores: number[]
}

/** Of so many samples the best stays: where there are few, each wave of a sound of high pitch is told from the next. */
const near = (found: number): number => (found < many ? 2 : 64)
const many = 100_000

/** Adds a place behind all others. A place never stands for one further away, however long scores rise. */
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

/** One place, and those less than `apart` from it that score nearly as much: the best first, itself among them. */
export interface Occurrence {
  readonly place: number
  readonly contenders: readonly number[]
}

/** Scores that are this near need an exact comparison. */
const slack = 0.01
const maxContenders = 8

interface Wanted {
  /** Samples between two: of what is told of them, which is that they begin with the episode where they began before it. */
  readonly apart: number
  /** The first sample that is told. Default: any. */
  readonly first?: number
  readonly max: number
  /** Asked before one is taken; else those near it may be. */
  readonly isMatch?: (place: number) => boolean
}

/** The best first, then those at least `apart` from every better one; by place. */
export const occurrences = (
  { places, scores }: Peaks,
  { apart, first = Number.NEGATIVE_INFINITY, max, isMatch }: Wanted,
): Occurrence[] => {
  const toldOf = (place: number) => Math.max(place, first)
  const byScore = places.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || places[a]! - places[b]!)
  // One at most begins in each stretch of `apart`, so that only neighbours are asked.
  const taken = new Map<number, { place: number; score: number; contenders: number[] }>()
  const neighbour = (place: number) => {
    const told = toldOf(place)
    const home = Math.floor(told / apart)
    return [home - 1, home, home + 1]
      .map((i) => taken.get(i))
      .find((other) => other && Math.abs(toldOf(other.place) - told) < apart)
  }
  for (const i of byScore) {
    if (taken.size >= max) break
    const place = places[i]!
    const score = scores[i]!
    const better = neighbour(place)
    if (!better) {
      if (isMatch?.(place) !== false)
        taken.set(Math.floor(toldOf(place) / apart), { place, score, contenders: [place] })
    } else if (score >= better.score - slack && better.contenders.length < maxContenders)
      better.contenders.push(place)
  }
  return [...taken.values()].sort((a, b) => a.place - b.place)
}
