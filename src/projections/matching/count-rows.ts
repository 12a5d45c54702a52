import type { Document } from '../../domain/matching/merged/document.ts'
import type { WorkState } from '../../domain/matching/work.ts'
import type { MatchingTables } from './tables.ts'

/** Values counted of each kind; `refusals` by their codes. */
interface Counted {
  works: WorkState | 'unmatched' | 'corrected'
  links: 'stated'
  placeholders: 'named'
  refusals: string
  graphs: 'unindexed' | 'faulty'
  documents: Document['kind']
  verdicts: 'graph' | 'record'
}

/** `generation`: 0 for counts that belong to all generations. */
export const addCount = <Of extends keyof Counted>(
  tables: MatchingTables,
  generation: number,
  of: Of,
  value: Counted[Of],
  by: number,
): void => {
  if (by === 0) return
  const count = (tables['matching-counts'].get(generation, of, value)?.count ?? 0) + by
  tables['matching-counts'].put({ generation, of, value, count })
}

/** Adjusts a count to a condition that may have changed. */
export const recount = <Of extends keyof Counted>(
  tables: MatchingTables,
  generation: number,
  of: Of,
  value: Counted[Of],
  before: boolean,
  now: boolean,
): void => addCount(tables, generation, of, value, Number(now) - Number(before))

/** Counts a work whose state may have changed; `before` undefined: it is new. */
export const countState = (tables: MatchingTables, before: WorkState | undefined, now: WorkState): void =>
  move(tables, 0, 'works', before, now)

/** Counts a document whose kind may have changed; `before` undefined: it is the work's first one. */
export const countKind = (
  tables: MatchingTables,
  generation: number,
  before: Document['kind'] | undefined,
  now: Document['kind'],
): void => move(tables, generation, 'documents', before, now)

const move = <Of extends keyof Counted>(
  tables: MatchingTables,
  generation: number,
  of: Of,
  before: Counted[Of] | undefined,
  now: Counted[Of],
): void => {
  if (before === now) return
  if (before !== undefined) addCount(tables, generation, of, before, -1)
  addCount(tables, generation, of, now, 1)
}
