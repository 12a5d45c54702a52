import { graphOfWork } from './graph-rows.ts'
import type { GraphRow, MatchingTables, MergedRow } from './tables.ts'

/** Adds a document to its graph's counts, or removes it. */
export const countDocument = (tables: MatchingTables, row: MergedRow, by: 1 | -1): void => {
  const graph = row.graph === null ? undefined : tables['matching-graphs'].get(row.graph, row.generation)
  if (graph) tables['matching-graphs'].put(counted(tables, graph, row, by))
}

const counted = (tables: MatchingTables, graph: GraphRow, row: MergedRow, by: 1 | -1): GraphRow => {
  if (row.kind === 'merged') {
    const left = graph.target === row.work ? null : graph.target
    return { ...graph, merged: (graph.merged ?? 0) + by, target: by === 1 ? row.work : left }
  }
  if (row.kind !== 'redirect') return graph
  return {
    ...graph,
    redirects: (graph.redirects ?? 0) + by,
    astray: (graph.astray ?? 0) + (row.astray === 1 ? by : 0),
    target: graph.target ?? targetNamed(tables, graph, row),
  }
}

/** The target of a redirect, if it is a merged work of its graph. */
const targetNamed = (tables: MatchingTables, graph: GraphRow, { generation, to }: MergedRow) => {
  if (graph.merged === 0 || to === null) return null
  const named = tables['matching-merged'].get(to, generation)
  return named?.kind === 'merged' && named.graph === graph.graph ? to : null
}

/** True if a redirect leads out of its graph. */
export const isAstray = (
  tables: MatchingTables,
  generation: number,
  graph: number | null,
  to: string | null,
): boolean =>
  graph !== null && to !== null && graphOfWork(tables['matching-members'].get(to, generation)) !== graph

/**
 * Moves the documents of works that came from another graph to the counts of this one, until they are written again.
 */
export const moveDocuments = (
  tables: MatchingTables,
  generation: number,
  works: Iterable<string>,
  graph: number,
): void => {
  for (const work of works) {
    const row = tables['matching-merged'].get(work, generation)
    if (!row) continue
    countDocument(tables, row, -1)
    const moved = { ...row, graph, astray: isAstray(tables, generation, graph, row.to) ? 1 : 0 }
    tables['matching-merged'].put(moved)
    countDocument(tables, moved, 1)
  }
}

/** Sets a graph's fault once all documents are written: before, they may contradict one another. */
export const judged = (graph: GraphRow): GraphRow =>
  (graph.indexed ?? 0) < (graph.size ?? 0)
    ? { ...graph, fault: null }
    : { ...graph, waitingSince: null, fault: faultOf(graph) }

const faultOf = ({ redirects, merged, astray }: GraphRow): 'no-target' | 'two-targets' | 'astray' | null => {
  if ((redirects ?? 0) > 0 && merged === 0) return 'no-target'
  if ((redirects ?? 0) > 0 && (merged ?? 0) > 1) return 'two-targets'
  return (astray ?? 0) > 0 ? 'astray' : null
}
