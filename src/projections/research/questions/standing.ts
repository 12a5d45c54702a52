import { row } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { policy } from '../../../domain/research/views.ts'
import type { CurationRow } from '../curation-rows.ts'
import type { Amounts, ResearchState } from './answers.ts'

/** The settings of people for all research. */
export const policyIn = (store: Views) => {
  const found = row(store, policy)
  return {
    pinnedCurators: new Set(found?.pinnedCurators),
    excludedCurators: new Set(found?.excludedCurators),
    /** How much waiting weighs one step of an episode's priority (X11). */
    agingSeconds: found?.policy.agingSeconds,
  }
}

/** An episode without pairs is not done: it waits for the first clip (F19). */
export const standingOf = (
  curation: Pick<CurationRow, 'excluded' | 'curator' | 'parkedAt'> | undefined,
  state: string | null,
  { pairs, researched }: Pick<Amounts, 'pairs' | 'researched'>,
  excluded: ReadonlySet<string>,
): ResearchState => {
  if (!curation || state === 'unknown') return 'unknown'
  if (state === 'withdrawn') return 'withdrawn'
  if (pairs > 0 && researched === pairs) return 'done'
  if (curation.excluded === 1 || excluded.has(curation.curator ?? '')) return 'excluded'
  return curation.parkedAt === null ? 'open' : 'parked'
}

export const defaultLimit = 100

export interface ListScope {
  readonly state?: ResearchState
  /** Default: `defaultLimit`. */
  readonly limit?: number
  readonly offset?: number
}

export const page = <Line extends { readonly state: ResearchState }>(
  lines: readonly Line[],
  { state, limit = defaultLimit, offset = 0 }: ListScope,
): readonly Line[] =>
  (state === undefined ? lines : lines.filter((line) => line.state === state)).slice(offset, offset + limit)
