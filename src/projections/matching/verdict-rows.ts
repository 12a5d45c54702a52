import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Group } from '../../domain/matching/graph/events.ts'
import { graphContent } from '../../domain/matching/verdicts/content.ts'
import type { VerdictEventOf } from '../../domain/matching/verdicts/events.ts'
import { addCount, recount } from './count-rows.ts'
import { graphOfWork, putGraph, verdictOn } from './graph-rows.ts'
import type { GraphRow, MatchingTables, VerdictRow } from './tables.ts'

/** Whether any verdict about a graph stands: where none does, no graph of a change is looked up. */
export const hasVerdicts = (tables: MatchingTables): boolean =>
  (tables['matching-counts'].get(0, 'verdicts', 'graph')?.count ?? 0) > 0

/**
 * The time of the verdict that counts for a changed graph; null if none does. Only where a verdict stands about a graph
 * of this name and size, its records are read.
 */
export const verdictOf = (tables: MatchingTables, { component, size, members }: Group): string | null => {
  const verdict = tables['matching-verdicts'].get(component, 'graph')
  if (!verdict || verdict.size !== size) return null
  const works = members.map(([id]) => tables['matching-works'].get(id))
  const isWhole = works.every((work) => work !== undefined)
  return isWhole && graphContent(works) === verdict.content ? verdict.at : null
}

/** A graph that changed since it was looked at has another version: the verdict is not about it. */
export const confirmGraph = (
  tables: MatchingTables,
  event: RecordedEvent,
  { content, size, versions, reason }: VerdictEventOf<'GraphConfirmed'>['data'],
): void => {
  const work = idOf(event.stream)
  putVerdict(tables, {
    ...verdictBy(event, reason),
    work,
    what: 'graph',
    content,
    size,
    corrections: null,
  })
  const seen = new Map(versions)
  for (const row of graphsNamed(tables, work))
    judge(tables, row, seen.get(row.generation) === row.version ? event.recordedAt : null)
}

export const unconfirmGraph = (tables: MatchingTables, event: RecordedEvent): void => {
  const work = idOf(event.stream)
  deleteVerdict(tables, work, 'graph')
  for (const row of graphsNamed(tables, work)) judge(tables, row, null)
}

const putVerdict = (tables: MatchingTables, verdict: VerdictRow): void => {
  const { work, what } = verdict
  if (!tables['matching-verdicts'].get(work, what)) addCount(tables, 0, 'verdicts', what, 1)
  tables['matching-verdicts'].put(verdict)
}

const deleteVerdict = (tables: MatchingTables, work: string, what: VerdictRow['what']): void => {
  if (!tables['matching-verdicts'].get(work, what)) return
  tables['matching-verdicts'].delete(work, what)
  addCount(tables, 0, 'verdicts', what, -1)
}

const verdictBy = (
  { metadata, recordedAt, position }: RecordedEvent,
  reason: string,
): Pick<VerdictRow, 'actor' | 'reason' | 'at' | 'position'> => ({
  actor: metadata.actor,
  reason,
  at: recordedAt,
  position: Number(position),
})

/** The graph of which this is the smallest work, in each generation. */
const graphsNamed = (tables: MatchingTables, work: string): readonly GraphRow[] => {
  const found: GraphRow[] = []
  for (let generation = 1; tables['matching-generations'].get(generation); generation++) {
    const graph = graphOfWork(tables['matching-members'].get(work, generation))
    const row = graph === null ? undefined : tables['matching-graphs'].get(graph, generation)
    if (row?.component === work) found.push(row)
  }
  return found
}

const judge = (tables: MatchingTables, row: GraphRow, confirmedAt: string | null): void => {
  if (row.confirmedAt !== confirmedAt)
    putGraph(tables, row, { ...row, ...verdictOn(row.bridge, confirmedAt) })
}

export const confirmRecord = (
  tables: MatchingTables,
  event: RecordedEvent,
  { corrections, reason }: VerdictEventOf<'RecordConfirmed'>['data'],
): void => {
  const work = idOf(event.stream)
  const row = tables['matching-works'].get(work)
  const held = row?.corrections ?? 0
  const seen = Math.min(corrections, held)
  // Somebody else confirmed the same before.
  if (!row || seen === 0) return
  const before = tables['matching-verdicts'].get(work, 'record')?.corrections ?? 0
  putVerdict(tables, {
    ...verdictBy(event, reason),
    work,
    what: 'record',
    content: null,
    size: null,
    corrections: before + seen,
  })
  recountCorrections(tables, work, held - seen)
}

export const unconfirmRecord = (tables: MatchingTables, event: RecordedEvent): void => {
  const work = idOf(event.stream)
  const verdict = tables['matching-verdicts'].get(work, 'record')
  if (!verdict) return
  deleteVerdict(tables, work, 'record')
  const held = tables['matching-works'].get(work)?.corrections ?? 0
  recountCorrections(tables, work, held + (verdict.corrections ?? 0))
}

const recountCorrections = (tables: MatchingTables, work: string, count: number): void => {
  const row = tables['matching-works'].get(work)
  if (!row) return
  recount(tables, 0, 'works', 'corrected', row.corrections !== null, count > 0)
  tables['matching-works'].put({ ...row, corrections: count || null })
}
