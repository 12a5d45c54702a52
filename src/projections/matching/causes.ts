import type { GraphChanged, Group } from '../../domain/matching/graph/events.ts'
import type { MatchingTables } from './tables.ts'

const mostNamed = 5

/** The first few of all. */
export const few = (...lists: readonly (readonly string[])[]): readonly string[] =>
  [...new Set(lists.flat())].slice(0, mostNamed)

/** Names a few works whose update led to what became of a group, of whose members some were in other graphs. */
export type CausesOf = (group: Group, graphsBefore: Iterable<number>) => readonly string[]

/**
 * One change may cover many facts that have nothing to do with one another. A fact concerns a group when its work is a
 * member, or was in one graph with a member before. Each stands beside the group of its work, which may be in an earlier event
 * of the same change: then the graph that both were in knows. To be asked for before anything of the event is folded.
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
    else if (others.length < mostNamed) others.push(work)
  }
  const earlier = (graph: number): readonly string[] => {
    const row = tables['matching-graphs'].get(graph, generation)
    return row?.version === version ? (row.causes as readonly string[]) : []
  }
  /** What stands beside a piece is of its component, whose other pieces may have the works; but not of other groups'. */
  const besidePiece = (component: string): readonly string[] => {
    const own = new Set(works)
    for (const group of groups)
      if (group.component !== component) for (const [id] of group.members) own.delete(id)
    return [...own].slice(0, mostNamed)
  }
  const besideMembers = (members: Group['members']): readonly string[] => {
    const own: string[] = []
    if (works.size > 0) for (const [id] of members) if (own.length < mostNamed && works.has(id)) own.push(id)
    return own
  }
  return ({ component, pieces, members }, graphsBefore) => {
    const own = pieces > 1 ? besidePiece(component) : besideMembers(members)
    const others = [...graphsBefore].flatMap((graph) => [...(byGraph.get(graph) ?? []), ...earlier(graph)])
    return few(own, others)
  }
}

/** Where the work was before this version, an earlier event of which may have moved it already. */
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
