/** Where in the episode a clip may be: places that scored enough, thinned to the best of each neighbourhood. */
export interface Peaks {
  readonly places: number[]
  readonly scores: number[]
}

/**
 * Adds a place behind all others. Of each `near` samples the best stays: a place never stands for one further away, however
 * long scores rise.
 */
export const addPeak = ({ places, scores }: Peaks, place: number, score: number, near: number): void => {
  const last = places.length - 1
  if (last < 0 || Math.floor(place / near) !== Math.floor(places[last]! / near)) {
    places.push(place)
    scores.push(score)
  } else if (score > scores[last]!) {
    places[last] = place
    scores[last] = score
  }
}

/** Occurrences: the best first, then those at least `apart` from every better one. At most `most`; by place. */
export const occurrences = ({ places, scores }: Peaks, apart: number, max: number): number[] => {
  const byScore = places.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || places[a]! - places[b]!)
  // One at most begins in each stretch of `apart`, so that only neighbours are asked.
  const taken = new Map<number, number>()
  const free = (place: number) => {
    const home = Math.floor(place / apart)
    return [home - 1, home, home + 1].every((i) => {
      const other = taken.get(i)
      return other === undefined || Math.abs(other - place) >= apart
    })
  }
  for (const i of byScore) {
    if (taken.size >= max) break
    const place = places[i]!
    if (free(place)) taken.set(Math.floor(place / apart), place)
  }
  return [...taken.values()].sort((a, b) => a - b)
}
