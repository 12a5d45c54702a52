import { rate } from '../settings.ts'
import type { Alignment } from './align.ts'
import type { SpeedSearch } from './speed-search.ts'

/** Where a clip may be, by one of its excerpts. */
export interface Candidate {
  /** Of the middle of the excerpt. */
  readonly alignment: Alignment
  /** Samples of the excerpt, and by how many it may slip over them. */
  readonly samples: number
  readonly slip: number
}

/** Of so many samples, and one excerpt, the best speed is looked at; the next wave of a sound of high pitch is another place. */
const near = 8
/** Of so many samples the best few are: what one note makes of another of its pitch is endless. */
const zone = rate / 4
const maxOfZone = 8
/** More are chance, or what is everywhere. */
const maxCandidates = 300

interface Scored extends Candidate {
  readonly score: number
  /** Which excerpt, and near which other places of it. */
  readonly neighbours: string
}

/** The best first. */
export const candidatesOf = (searches: readonly SpeedSearch[]): readonly Candidate[] => {
  const best = new Map<string, Scored>()
  for (const { from, samples, speed, slip, seen } of searches)
    for (const [i, place] of seen.peaks.places.entries()) {
      const score = seen.peaks.scores[i]!
      const middle = place + samples / 2 / speed
      const key = `${from} ${Math.floor(middle / near)}`
      if (score <= (best.get(key)?.score ?? 0)) continue
      // Of whole samples, so that what is compared is the same in many places.
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
