import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Facts } from '../../domain/matching/events.ts'
import { addCount, countState, recount } from './count-rows.ts'
import { beginning } from './generation-rows.ts'
import { restateLinks } from './link-rows.ts'
import type { MatchingTables } from './tables.ts'

/** Records a source's description of a work. */
export const describeWork = (
  tables: MatchingTables,
  event: RecordedEvent,
  facts: Facts,
  corrections: 0 | 1,
): void => {
  const work = idOf(event.stream)
  // A stream's first event has no row: to read it would cost a query for each work.
  const before = event.revision === 0n ? undefined : tables['matching-works'].get(work)
  if (!before) appear(tables, work, event)
  const corrected = (before?.corrections ?? 0) + corrections || null
  countState(tables, before?.state, facts.state)
  recount(tables, 0, 'works', 'corrected', (before?.corrections ?? null) !== null, corrected !== null)
  recount(tables, 0, 'works', 'unmatched', (before?.unmatchedSince ?? null) !== null, true)
  tables['matching-works'].put({
    work,
    source: facts.source,
    sourceVersion: facts.sourceVersion,
    sourceModifiedAt: facts.sourceModifiedAt,
    state: facts.state,
    title: facts.title ?? null,
    links: facts.links,
    fields: facts.fields ?? null,
    revision: Number(event.revision),
    updatedAt: event.recordedAt,
    corrections: corrected,
    unmatchedSince: event.recordedAt,
  })
  restateLinks(tables, work, before?.links ?? [], facts.links, event)
}

/** Other works may have named the work before: its placeholder is deleted. */
const appear = (tables: MatchingTables, work: string, event: RecordedEvent): void => {
  beginning(tables, event.recordedAt)
  if (!tables['matching-placeholders'].get(work)) return
  tables['matching-placeholders'].delete(work)
  addCount(tables, 0, 'placeholders', 'named', -1)
}

/** Keeps the description, but marks the event as one that the matcher has yet to handle (M9). */
export const touchWork = (tables: MatchingTables, event: RecordedEvent): void => {
  const row = tables['matching-works'].get(idOf(event.stream))
  if (!row) return
  recount(tables, 0, 'works', 'unmatched', row.unmatchedSince !== null, true)
  tables['matching-works'].put({
    ...row,
    revision: Number(event.revision),
    updatedAt: event.recordedAt,
    unmatchedSince: event.recordedAt,
  })
}

/** Records that a graph was made from this revision of the work. */
export const matchWork = (tables: MatchingTables, work: string, revision: number): void => {
  const row = tables['matching-works'].get(work)
  if (!row || row.unmatchedSince === null || (row.revision ?? 0) > revision) return
  tables['matching-works'].put({ ...row, unmatchedSince: null })
  addCount(tables, 0, 'works', 'unmatched', -1)
}
