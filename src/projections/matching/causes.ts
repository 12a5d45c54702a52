import type { Group } from '../../domain/matching/graph/events.ts'
import type { WholeChange } from './part-rows.ts'
import type { MatchingTables } from './tables.ts'

const maxNamed = 5

export const firstFew = (...lists: readonly (readonly string[])[]): readonly string[] =>
  [...new Set(lists.flat())].slice(0, maxNamed)

/** A few works whose update led to a group. `graphs`: those that its members were in before. */
export type CausesOf = (group: Group, graphs: Iterable<number>) => readonly string[]

/** The graphs, before a change, of the works whose facts are in an event of it. */
export interface GraphsBefore {
  /** A few works of each graph. */
  readonly works: ReadonlyMap<number, readonly string[]>
  /** Graphs that an earlier event of the change may have changed. */
  readonly changed: ReadonlySet<number>
}

/** To be called before anything of the event is folded. */
export const graphsBefore = (
  tables: MatchingTables,
  generation: number,
  { version, causes }: WholeChange,
): GraphsBefore => {
  const works = new Map<number, string[]>()
  const changed = new Set<number>()
  for (const { work } of causes) {
    const now = tables['matching-members'].get(work, generation)?.graph ?? null
    if (now === null) continue
    const isChanged = tables['matching-graphs'].get(now, generation)?.version === version
    // An earlier event of the change may have moved the work already.
    const turn = isChanged ? tables['matching-turns'].get(generation, `work:${work}`, version) : undefined
    const graph = turn ? turn.was : now
    if (graph === null) continue
    if (isChanged) changed.add(graph)
    const others = works.get(graph)
    if (!others) works.set(graph, [work])
    else if (others.length < maxNamed) others.push(work)
  }
  return { works, changed }
}

/**
 * A change may cover many facts that are unrelated. A fact concerns a group when its work is a member, or was in one graph
 * with a member before. The fact is in the event that has the group of its work, perhaps another one of the same change: of
 * an earlier one the row of the graph that both were in names it, of a later one `addLateCauses` adds it there.
 */
export const causesOf = (
  tables: MatchingTables,
  generation: number,
  { version, causes, groups }: WholeChange,
  before: GraphsBefore,
): CausesOf => {
  const works = new Set(causes.map(({ work }) => work))
  const earlier = (graph: number): readonly string[] => {
    const row = tables['matching-graphs'].get(graph, generation)
    return row?.version === version ? row.causes : []
  }
  /** Facts in the event of a piece concern its component, except those of other groups; their works may be in other pieces. */
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
  return ({ component, pieces, members }, graphs) => {
    const own = pieces > 1 ? besidePiece(component) : besideMembers(members)
    const others = [...graphs].flatMap((graph) => [...(before.works.get(graph) ?? []), ...earlier(graph)])
    return firstFew(own, others)
  }
}
