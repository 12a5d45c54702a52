import type { Policy } from '../../domain/research/desk/policy.ts'
import type { Amounts, ResearchState } from './answers.ts'
import type { CurationRow } from './curation-rows.ts'
import { row, type Views } from './reading.ts'
import { desk } from './views.ts'

/** What people have said of all research. */
export const deskIn = (store: Views) => {
  const found = row(store, desk)
  return {
    pinnedCurators: new Set((found?.pinnedCurators ?? []) as readonly string[]),
    excludedCurators: new Set((found?.excludedCurators ?? []) as readonly string[]),
    /** How much waiting weighs one step of an episode's priority (X11). */
    agingSeconds: (found?.policy as Partial<Policy> | undefined)?.agingSeconds,
  }
}

/** Of no pairs nothing is done: without clips, episodes wait for the first (F19). */
export const standingOf = (
  curation: CurationRow | undefined,
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

export interface ListScope {
  readonly state?: ResearchState
  /** 100 unless told. */
  readonly limit?: number
  readonly offset?: number
}

export const page = <Line extends { readonly state: ResearchState }>(
  lines: readonly Line[],
  { state, limit = 100, offset = 0 }: ListScope,
): readonly Line[] =>
  (state === undefined ? lines : lines.filter((line) => line.state === state)).slice(offset, offset + limit)
