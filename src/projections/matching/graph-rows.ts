import type { Group } from '../../domain/matching/graph/events.ts'
import { recount } from './count-rows.ts'
import type { GraphRow, MatchingTables, MemberRow } from './tables.ts'
import { forgetTurn, type GraphChange, type Move, turnGraph } from './turn-rows.ts'

const maxCauses = 5

/** The row of a graph after a change: none of its documents is held at its version yet. `kept`: the row before. */
export const changedGraph = (
  { generation, version, at }: GraphChange,
  kept: GraphRow | undefined,
  graph: number,
  group: Group,
  held: number,
  causes: readonly string[],
  confirmedAt: string | null,
): GraphRow => ({
  generation,
  graph,
  component: group.component,
  size: group.size,
  held,
  placeholders: group.placeholders.length,
  version,
  changedAt: at,
  causes: causes.slice(0, maxCauses),
  caused: causes.length,
  indexed: 0,
  waitingSince: at,
  target: kept?.target ?? null,
  merged: kept?.merged ?? 0,
  redirects: kept?.redirects ?? 0,
  astray: kept?.astray ?? 0,
  fault: null,
  bridge: group.bridge ?? null,
  ...verdictOn(group.bridge ?? null, confirmedAt),
})

/** A graph that is confirmed stands out for nothing. */
export const verdictOn = (
  bridge: GraphRow['bridge'],
  confirmedAt: string | null,
): Pick<GraphRow, 'bridgeSide' | 'confirmedAt'> => ({
  bridgeSide: confirmedAt === null ? (bridge?.side ?? null) : null,
  confirmedAt,
})

/**
 * The graph that most of the works were in before, unless another group has taken it: one of this change, or of an event
 * of this version before, as older matchers wrote them.
 */
export const graphToKeep = (
  { tables, generation, version }: GraphChange,
  known: readonly (MemberRow | undefined)[],
  taken: ReadonlySet<number>,
): number | undefined => {
  const votes = new Map<number, number>()
  for (const row of known) {
    const graph = graphOfWork(row)
    if (graph !== null) votes.set(graph, (votes.get(graph) ?? 0) + 1)
  }
  const [first] = [...votes].sort(([one, many], [other, more]) => more - many || one - other)
  const row = first && tables['matching-graphs'].get(first[0], generation)
  return row && row.version !== version && !taken.has(row.graph) ? row.graph : undefined
}

/** Null for a placeholder: it is in a graph, but not as a work. */
export const graphOfWork = (row: MemberRow | undefined): number | null =>
  row && row.placeholder === 0 ? row.graph : null

export const putGraph = (
  tables: MatchingTables,
  before: GraphRow | undefined,
  after: GraphRow | undefined,
): void => {
  const { generation, graph } = (after ?? before)!
  if (after) tables['matching-graphs'].put(after)
  else tables['matching-graphs'].delete(graph, generation)
  const isWaiting = (row: GraphRow | undefined) => (row?.waitingSince ?? null) !== null
  const isFaulty = (row: GraphRow | undefined) => (row?.fault ?? null) !== null
  recount(tables, generation, 'graphs', 'unindexed', isWaiting(before), isWaiting(after))
  recount(tables, generation, 'graphs', 'faulty', isFaulty(before), isFaulty(after))
  if (before?.size === after?.size) return
  if (before) countSize(tables, generation, before.size ?? 0, -1)
  if (after) countSize(tables, generation, after.size ?? 0, 1)
}

const countSize = (tables: MatchingTables, generation: number, size: number, by: 1 | -1): void => {
  const components = (tables['matching-sizes'].get(generation, size)?.components ?? 0) + by
  if (components > 0) tables['matching-sizes'].put({ generation, size, components })
  else tables['matching-sizes'].delete(generation, size)
}

/** Removes works that left this graph for another; a graph without works is deleted. */
export const leaveGraph = (change: GraphChange, graph: number, moves: readonly Move[]): void => {
  const { tables, generation } = change
  const row = tables['matching-graphs'].get(graph, generation)
  if (!row) return
  const held = (row.held ?? 0) - moves.length
  if (held > 0) {
    // Its own group may come later in this change, or as another event: until then it is nothing that was looked at.
    const verdict = row.version === change.version ? {} : verdictOn(row.bridge, null)
    putGraph(tables, row, { ...row, held, ...verdict })
    turnGraph(change, { graph, isNew: false, size: row.size ?? 0, joined: [], left: moves })
  } else {
    putGraph(tables, row, undefined)
    forgetTurn(change, graph)
  }
}
