import { byId, type WorkState } from '../work.ts'
import type { Rules } from './rules.ts'

/** A work as it goes into a merged one. */
export interface MergeWork {
  readonly id: string
  readonly source: string
  readonly state: WorkState
  readonly title?: string | undefined
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

/** By the rank of the source, then by id: the same order on every machine, whatever order the works came in. */
export const inPrecedence = (works: readonly MergeWork[], rules: Rules): readonly MergeWork[] => {
  const ranks = ranksOf(new Set(works.map(({ source }) => source)), rules)
  return works.toSorted(
    (one, other) => ranks.get(one.source)! - ranks.get(other.source)! || byId(one.id, other.id),
  )
}

/** Sources that the rules name, in their order, then the others by name. */
const ranksOf = (sources: ReadonlySet<string>, { precedence }: Rules): ReadonlyMap<string, number> => {
  const ranked = new Set(precedence)
  for (const source of [...sources].toSorted()) ranked.add(source)
  return new Map([...ranked].map((source, rank) => [source, rank]))
}

/**
 * The work that the others redirect to: the first visible one of a source that may be a target. Hidden works are
 * passed over, where upstream stops at a hidden first match and merges nothing.
 */
export const targetOf = (ordered: readonly MergeWork[], { neverTarget }: Rules): MergeWork | undefined =>
  ordered.find(({ state, source }) => state === 'visible' && !neverTarget.includes(source))
