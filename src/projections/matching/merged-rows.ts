import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { MergedEventOf } from '../../domain/matching/merged/events.ts'
import { countKind } from './count-rows.ts'
import { countDocument, isAstray, judged } from './document-counts.ts'
import { graphOfWork, putGraph } from './graph-rows.ts'
import type { MatchingTables, MergedRow } from './tables.ts'

/** Records the new document of a work. It counts for the graph that the work is in. */
export const indexDocument = (
  tables: MatchingTables,
  event: RecordedEvent,
  { generation, version, document, at }: MergedEventOf<'WorkMerged'>['data'],
): void => {
  const work = idOf(event.stream)
  const before = event.revision === 0n ? undefined : tables['matching-merged'].get(work, generation)
  if (before) countDocument(tables, before, -1)
  const graph = graphOfWork(tables['matching-members'].get(work, generation))
  const to = document.kind === 'redirect' ? document.to : null
  const row: MergedRow = {
    generation,
    work,
    version,
    kind: document.kind,
    to,
    title: document.kind === 'merged' ? (document.title ?? null) : null,
    component: document.component,
    document,
    at,
    graph,
    astray: isAstray(tables, generation, graph, to) ? 1 : 0,
  }
  tables['matching-merged'].put(row)
  countDocument(tables, row, 1)
  countKind(tables, generation, before?.kind, row.kind)
  // The same version may come again with another document, made from newer facts: it is held once.
  const isNew = before?.version !== version || before.graph !== graph
  holdDocuments(tables, generation, graph, version, isNew ? 1 : 0)
}

/** Records that all documents of a component are of this version, except those that are written after this event. */
export const indexGraph = (
  tables: MatchingTables,
  event: RecordedEvent,
  { generation, version, size, written }: MergedEventOf<'GraphMerged'>['data'],
): void => {
  const graph = graphOfWork(tables['matching-members'].get(idOf(event.stream), generation))
  holdDocuments(tables, generation, graph, version, written ? size - written.length : 0)
}

const holdDocuments = (
  tables: MatchingTables,
  generation: number,
  number: number | null,
  version: number,
  by: number,
): void => {
  const graph = number === null ? undefined : tables['matching-graphs'].get(number, generation)
  if (graph?.version !== version) return
  putGraph(tables, graph, judged({ ...graph, indexed: (graph.indexed ?? 0) + by }))
}
