import type { Document } from '../../domain/matching/merged/document.ts'
import type { WorkState } from '../../domain/matching/work.ts'
import type { MatchingTables } from './tables.ts'

/** A work is in another state than before; undefined: it is new. */
export const countState = (tables: MatchingTables, before: WorkState | undefined, now: WorkState): void =>
  recount(tables, 0, 'works', before, now)

/** The document of a work is of another kind than before; undefined: it is its first one. */
export const countKind = (
  tables: MatchingTables,
  generation: number,
  before: Document['kind'] | undefined,
  now: Document['kind'],
): void => recount(tables, generation, 'documents', before, now)

const recount = <Value extends WorkState | Document['kind']>(
  tables: MatchingTables,
  generation: number,
  of: 'works' | 'documents',
  before: Value | undefined,
  now: Value,
): void => {
  if (before === now) return
  const add = (value: Value, by: 1 | -1) => {
    const count = (tables['matching-counts'].get(generation, of, value)?.count ?? 0) + by
    tables['matching-counts'].put({ generation, of, value, count })
  }
  if (before !== undefined) add(before, -1)
  add(now, 1)
}
