import type { Match } from '../../domain/research/terms.ts'
import { keptOthers } from '../../domain/research/views.ts'
import { holdsBit, withBit, withoutBit } from './bits.ts'
import type { Result } from './result.ts'
import type { ClipResultsRow, EpisodeResultsRow, FindingRow, ResearchTables } from './tables.ts'

/** Changes of a result to the counts of its episode and its clip. */
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
  result: Result,
): Found | undefined => {
  const number = clip.number ?? 0
  const wasMatched = holdsBit(matched ?? '', number)
  const isListed = wasMatched || holdsBit(overturned ?? '', number)
  if (!isListed && result.matches.length === 0) return undefined
  const { episode, clip: id, repeat } = result
  const before = isListed ? tables['research-findings'].get(episode, id) : undefined
  const others = (before?.others ?? []) as readonly unknown[]
  const row: FindingRow = repeat
    ? { ...(before ?? unmatched(result)), others: kept([...others, otherOf(result)]) }
    : { ...inForce(result), others: before && counted(before) ? kept([...others, otherOf(before)]) : others }
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

const inForce = (result: Result): Omit<FindingRow, 'others'> => ({
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
const unmatched = ({ episode, clip, clipDuration }: Result): Omit<FindingRow, 'others'> => ({
  episode,
  clip,
  matches: [],
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
  Result | FindingRow,
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
