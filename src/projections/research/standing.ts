import type { ResearchState } from './answers.ts'
import type { CurationRow } from './curation-rows.ts'
import { row, type Views } from './reading.ts'
import { desk } from './views.ts'

export const excludedCurators = (store: Views): ReadonlySet<string> =>
  new Set((row(store, desk)?.excludedCurators ?? []) as readonly string[])

/** `left` pairs are not researched. */
export const standingOf = (
  curation: CurationRow | undefined,
  state: string | null,
  left: number,
  excluded: ReadonlySet<string>,
): ResearchState => {
  if (!curation || state === 'unknown') return 'unknown'
  if (state === 'withdrawn') return 'withdrawn'
  if (left === 0) return 'done'
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
