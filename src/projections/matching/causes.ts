import type { GraphChanged, Group } from '../../domain/matching/graph/events.ts'
import type { MatchingTables } from './tables.ts'

const maxNamed = 5

/** The first few of all. */
export const firstFew = (...lists: readonly (readonly string[])[]): readonly string[] =>
  [...new Set(lists.flat())].slice(0, maxNamed)

/** A few works whose update led to a group. `graphsBefore`: the graphs that its members were in. */
export type CausesOf = (group: Group, graphsBefore: Iterable<number>) => readonly string[]

/**
 * A change may cover many facts that have nothing to do with one another. A fact concerns a group when its work is a
 * member, or was in one graph with a member before. It stands beside the group of its work, perhaps in an earlier event of
 * the same change: then the row of the graph that both were in names it. Call this before anything of the event is folded.
 */
export const causesOf = (
  tables: MatchingTables,
  generation: number,
  { version, causes, groups }: GraphChanged,
): CausesOf => {
  const works = new Set<string>()
  const byGraph = new Map<number, string[]>()
  for (const { work } of causes) {
    works.add(work)
    const graph = graphBefore(tables, generation, version, work)
    if (graph === null) continue
    const others = byGraph.get(graph)
    if (!others) byGraph.set(graph, [work])
    else if (others.length < maxNamed) others.push(work)
  }
  const earlier = (graph: number): readonly string[] => {
    const row = tables['matching-graphs'].get(graph, generation)
    return row?.version === version ? row.causes : []
  }
  /** Facts beside a piece are of its component, though their works may be in other pieces; those of other groups are not. */
  const besidePiece = (component: string): readonly string[] => {
    const own = new Set(works)
    for (const group of groups)
      if (group.component !== component) for (const [id] of group.members) own.delete(id)
    return [...own].slice(0, maxNamed)
  }
  const besideMembers = (members: Group['members']): readonly string[] => {
    const own: string[] = []
    if (works.size > 0) for (const [id] of members) if (own.length < maxNamed && works.has(id)) own.push(id)
    return own
  }
  return ({ component, pieces, members }, graphsBefore) => {
    const own = pieces > 1 ? besidePiece(component) : besideMembers(members)
    const others = [...graphsBefore].flatMap((graph) => [...(byGraph.get(graph) ?? []), ...earlier(graph)])
    return firstFew(own, others)
  }
}

/** The graph of a work before this version; an earlier event of the version may have moved the work already. */
const graphBefore = (
  tables: MatchingTables,
  generation: number,
  version: number,
  work: string,
): number | null => {
  const graph = tables['matching-members'].get(work, generation)?.graph ?? null
  if (graph === null || tables['matching-graphs'].get(graph, generation)?.version !== version) return graph
  const turn = tables['matching-turns'].get(generation, `work:${work}`, version)
  return turn ? turn.was : graph
}
