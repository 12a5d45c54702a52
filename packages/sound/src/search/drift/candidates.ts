import { rate } from '../settings.ts'
import type { Alignment } from './align.ts'
import type { SpeedSearch } from './speed-search.ts'

/** Possible alignment of a clip, found by one of its excerpts. */
export interface Candidate {
  /** Alignment at the middle of the excerpt. */
  readonly alignment: Alignment
  /** Samples of the excerpt, and samples by which it may slip over them. */
  readonly samples: number
  readonly slip: number
}

/**
 * Samples of a neighbourhood, in which only the best speed of an excerpt is examined. The next wave of a
 * high-pitched sound is another place.
 */
const near = 8
/** Samples of a zone, in which only the best few are examined: a note resembles others of its pitch. */
const zone = rate / 4
const maxOfZone = 8
/** Further ones are chance, or a sound that is everywhere. */
const maxCandidates = 300

interface Scored extends Candidate {
  readonly score: number
  /** Key of the excerpt and of its zone. */
  readonly neighbours: string
}

/** Candidates of all searches, the best first. */
export const candidatesOf = (searches: readonly SpeedSearch[]): readonly Candidate[] => {
  const best = new Map<string, Scored>()
  for (const { from, samples, speed, slip, seen } of searches)
    for (const [i, place] of seen.peaks.places.entries()) {
      const score = seen.peaks.scores[i]!
      const middle = place + samples / 2 / speed
      const key = `${from} ${Math.floor(middle / near)}`
      if (score <= (best.get(key)?.score ?? 0)) continue
      // In whole samples, so that the same sounds are compared in many places.
      const alignment = { clip: from + samples / 2, episode: Math.round(middle), speed }
      best.set(key, { alignment, samples, slip, score, neighbours: `${from} ${Math.floor(middle / zone)}` })
    }
  const counts = new Map<string, number>()
  const isAmongBest = ({ neighbours }: Scored) => {
    const count = (counts.get(neighbours) ?? 0) + 1
    counts.set(neighbours, count)
    return count <= maxOfZone
  }
  return [...best.values()]
    .sort((a, b) => b.score - a.score)
    .filter(isAmongBest)
    .slice(0, maxCandidates)
}
