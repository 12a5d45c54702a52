import { placesOf } from '../../domain/research/places.ts'
import type { Match } from '../../domain/research/terms.ts'
import { keptOthers } from '../../domain/research/views.ts'
import { holdsBit, withBit, withoutBit } from './bits.ts'
import type { Result } from './result.ts'
import { clipResultsOf } from './subject-rows.ts'
import type { ClipResultsRow, EpisodeResultsRow, FindingRow, ResearchTables } from './tables.ts'

/** Changes of a result to the counts of its episode and its clip. */
/** A result, as it is listed. */
type Placed = Omit<Result, 'matches'> & { readonly matches: readonly Match[] }

interface Found {
  readonly episode: Pick<EpisodeResultsRow, 'matched' | 'overturned' | 'found'>
  readonly clip: Pick<ClipResultsRow, 'found' | 'occurrences'>
}

/**
 * Records a result. A pair has a row from its first match on; returns undefined if it still has none, as after nearly
 * all results. The row has the result that counts, and the others beside it (X9); a repeat never counts (F11).
 */
export const recordFinding = (
  tables: ResearchTables,
  { matched, overturned, found }: EpisodeResultsRow,
  clip: ClipResultsRow,
  reported: Result,
): Found | undefined => {
  const { overlapping, ...result } = onePlaceEach(tables, reported)
  const number = clip.number ?? 0
  const wasMatched = holdsBit(matched ?? '', number)
  const isListed = wasMatched || holdsBit(overturned ?? '', number)
  if (!isListed && result.matches.length === 0) return undefined
  const { episode, clip: id, repeat } = result
  const before = isListed ? tables['research-findings'].get(episode, id) : undefined
  const others = (before?.others ?? []) as readonly unknown[]
  const row: FindingRow = repeat
    ? { ...(before ?? unmatched(result)), others: kept([...others, otherOf(result)]) }
    : {
        ...inForce(result, overlapping),
        others: before && counted(before) ? kept([...others, otherOf(before)]) : others,
      }
  tables['research-findings'].put(row)

  const matches = row.matchCount ?? 0
  const isMatched = matches > 0
  const more = (isMatched ? 1 : 0) - (wasMatched ? 1 : 0)
  const set = (bits: string | null, on: boolean) => (on ? withBit : withoutBit)(bits ?? '', number)
  return {
    episode: {
      matched: set(matched, isMatched),
      overturned: set(overturned, !isMatched),
      found: (found ?? 0) + more,
    },
    clip: {
      found: (clip.found ?? 0) + more,
      occurrences: (clip.occurrences ?? 0) + matches - (before?.matchCount ?? 0),
    },
  }
}

/**
 * Matches that overlap a better one are of its place, and apart. One that a person judged stays: what was decided is
 * not to vanish.
 */
const onePlaceEach = (
  tables: ResearchTables,
  result: Result,
): Omit<Result, 'matches'> & {
  readonly matches: readonly Match[]
  readonly overlapping: readonly Match[]
} => {
  const { episode, clip } = result
  const places = placesOf(result)
  const isJudged = ({ offset }: Match) => tables['research-verdicts'].get(episode, clip, offset) !== undefined
  const judged = new Set(places.overlapping.filter(isJudged))
  if (judged.size === 0) return { ...result, ...places }
  const kept = new Set([...places.matches, ...judged])
  return {
    ...result,
    matches: result.matches.filter((match) => kept.has(match)),
    overlapping: places.overlapping.filter((match) => !judged.has(match)),
  }
}

/** Lists a match that overlaps a better one, since a person judged it. */
export const listJudged = (
  tables: ResearchTables,
  episode: string,
  { clip: id, offset }: { readonly clip: string; readonly offset: number },
): void => {
  const row = tables['research-findings'].get(episode, id)
  const match = row?.overlapping?.find((one) => one.offset === offset)
  if (!row || !match) return
  tables['research-findings'].put({
    ...row,
    matches: [...row.matches, match].sort((a, b) => a.offset - b.offset),
    overlapping: row.overlapping!.filter((one) => one !== match),
    matchCount: (row.matchCount ?? 0) + 1,
  })
  const clip = clipResultsOf(tables, id)
  tables['research-clip-results'].put({ ...clip, occurrences: (clip.occurrences ?? 0) + 1 })
}

const inForce = (result: Placed, overlapping: readonly Match[]): Omit<FindingRow, 'others'> => ({
  overlapping: overlapping.length > 0 ? overlapping : null,
  episode: result.episode,
  clip: result.clip,
  matches: result.matches,
  matchCount: result.matches.length,
  bestScore: bestOf(result),
  clipDuration: result.clipDuration,
  engine: result.engine,
  researcher: result.researcher,
  lease: result.lease ?? null,
  researchedAt: result.researchedAt,
  revision: result.revision,
})

/** Row of a pair whose result that counts found nothing: that result is in the log alone. */
const unmatched = ({ episode, clip, clipDuration }: Placed): Omit<FindingRow, 'others'> => ({
  episode,
  clip,
  matches: [],
  overlapping: null,
  matchCount: 0,
  bestScore: null,
  clipDuration,
  engine: null,
  researcher: null,
  lease: null,
  researchedAt: null,
  revision: null,
})

const counted = ({ revision }: FindingRow): boolean => revision !== null

const bestOf = ({
  bestScore,
  matches,
}: {
  readonly bestScore?: number | undefined
  readonly matches: readonly Match[]
}) => bestScore ?? (matches.length > 0 ? matches.reduce((best, { score }) => Math.max(best, score), 0) : null)

type Other = Pick<
  Placed | FindingRow,
  'matches' | 'bestScore' | 'engine' | 'researcher' | 'researchedAt' | 'revision'
>

const otherOf = ({ matches, bestScore, engine, researcher, researchedAt, revision }: Other) => ({
  matches,
  bestScore: bestScore ?? null,
  engine,
  researcher,
  researchedAt,
  revision,
})

const kept = (others: readonly unknown[]): readonly unknown[] => others.slice(-keptOthers)
