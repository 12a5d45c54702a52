import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { MergedEvent } from '../../domain/matching/merged/events.ts'
import { graphOfWork } from './graph-rows.ts'
import type { GraphRow, MatchingTables, MergedRow } from './tables.ts'

/** A document counts for its graph where it is of the graph's version. */
export const indexDocument = (
  tables: MatchingTables,
  event: RecordedEvent,
  { generation, version, document, at }: MergedEvent['data'],
): void => {
  const work = idOf(event.stream)
  const before = event.revision === 0n ? undefined : tables['matching-merged'].get(work, generation)
  const row: MergedRow = {
    generation,
    work,
    version,
    kind: document.kind,
    to: document.kind === 'redirect' ? document.to : null,
    title: document.kind === 'merged' ? (document.title ?? null) : null,
    component: document.component,
    document,
    at,
  }
  tables['matching-merged'].put(row)

  const number = graphOfWork(tables['matching-members'].get(work, generation))
  const graph = number === null ? undefined : tables['matching-graphs'].get(number, generation)
  if (graph?.version !== version) return
  // The same version may come again with another document, made from newer facts: it is counted once.
  const without = before?.version === version ? count(tables, graph, before, -1) : graph
  tables['matching-graphs'].put(judged(count(tables, without, row, 1)))
}

const count = (tables: MatchingTables, graph: GraphRow, row: MergedRow, by: 1 | -1): GraphRow => {
  const indexed = (graph.indexed ?? 0) + by
  if (row.kind === 'merged') {
    const left = graph.target === row.work ? null : graph.target
    return { ...graph, indexed, merged: (graph.merged ?? 0) + by, target: by === 1 ? row.work : left }
  }
  if (row.kind !== 'redirect') return { ...graph, indexed }
  return {
    ...graph,
    indexed,
    redirects: (graph.redirects ?? 0) + by,
    astray: (graph.astray ?? 0) + (isAstray(tables, graph, row) ? by : 0),
    target: graph.target ?? targetNamed(tables, graph, row),
  }
}

/** The target of a redirect, where that is a merged work of this version. */
const targetNamed = (tables: MatchingTables, graph: GraphRow, { generation, to }: MergedRow) => {
  if (graph.merged === 0 || to === null) return null
  const named = tables['matching-merged'].get(to, generation)
  return named?.kind === 'merged' && named.version === graph.version ? to : null
}

const isAstray = (tables: MatchingTables, { generation, graph }: GraphRow, { to }: MergedRow): boolean =>
  to === null || graphOfWork(tables['matching-members'].get(to, generation)) !== graph

/** What is wrong is judged once all documents are there: before, they may contradict one another. */
const judged = (graph: GraphRow): GraphRow =>
  (graph.indexed ?? 0) < (graph.size ?? 0)
    ? { ...graph, fault: null }
    : { ...graph, waitingSince: null, fault: faultOf(graph) }

const faultOf = ({ redirects, merged, astray }: GraphRow): 'no-target' | 'two-targets' | 'astray' | null => {
  if ((redirects ?? 0) > 0 && merged === 0) return 'no-target'
  if ((redirects ?? 0) > 0 && (merged ?? 0) > 1) return 'two-targets'
  return (astray ?? 0) > 0 ? 'astray' : null
}
