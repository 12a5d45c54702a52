import type { Cause, Group, LinkChange } from '../../domain/matching/graph/events.ts'
import type { TurnCause } from '../../domain/matching/turn-cause.ts'
import { graphOfWork } from './graph-rows.ts'
import type { WholeChange } from './part-rows.ts'
import type { MatchingTables, MemberRow } from './tables.ts'

/** A group of a change, the rows of its members before the change, and the graph that it continues. */
export interface PlacedGroup {
  readonly group: Group
  readonly known: readonly (MemberRow | undefined)[]
  readonly kept: number | undefined
}

/** Causes of works' moves. Null if the change does not record them, as older ones do not. */
export interface MoveCauses {
  /** Why a work is in this group, with works that it was not in one graph with before; `row`: its former row. */
  joined(placed: PlacedGroup, work: string, row: MemberRow | undefined): TurnCause | null
  /** Why the works that came into this group are no longer with the others of a graph. */
  left(graph: number, placed: PlacedGroup): TurnCause | null
  /** Works of the group whose updates the change was made from. */
  updated({ group }: PlacedGroup): readonly string[]
}

/** To be called before any part of the change is folded. */
export const readCauses = (
  tables: MatchingTables,
  generation: number,
  { causes, keepsCauses }: WholeChange,
  placed: readonly PlacedGroup[],
): MoveCauses => {
  const groupOf = groupsOf(endsOf(causes), placed)
  const was = (id: string) => partOf(id, tables['matching-members'].get(id, generation))
  const now = (id: string) => groupOf.get(id) ?? `nothing but ${id}`
  const made = edgesOf(causes, 'linked', was, (from) => now(from))
  const lost = edgesOf(causes, 'unlinked', now, (from) => was(from))
  const own = new Map(causes.map(({ work, revision }) => [work, revision]))

  const joins = new Map(
    placed.map((one) => [one, treeFrom(rootOf(one), made.get(one.group.component) ?? [])] as const),
  )
  const partings = new Map(
    [...firstHolders(placed)].map(([graph, holder]) => [
      graph,
      treeFrom(holder, lost.get(partIn(graph)) ?? []),
    ]),
  )
  return {
    joined: (one, work, row) => {
      const link = joins.get(one)?.get(partOf(work, row))
      const revision = own.get(work)
      if (link || !keepsCauses || graphOfWork(row) !== null || revision === undefined) return link ?? null
      return { work, revision, effect: 'described', from: null, to: null }
    },
    left: (graph, { group }) => partings.get(graph)?.get(group.component) ?? null,
    updated: ({ group: { members } }) =>
      own.size === 0 ? [] : members.map(([id]) => id).filter((id) => own.has(id)),
  }
}

const endsOf = (causes: readonly Cause[]): ReadonlySet<string> => {
  const ends = new Set<string>()
  for (const { made = [], lost = [] } of causes)
    for (const [from, to] of [...made, ...lost]) ends.add(from).add(to)
  return ends
}

/** Name of a part, which moves as one: the works of a graph, or an id that is in none. */
const partOf = (id: string, row: MemberRow | undefined): string =>
  typeof row?.graph === 'number' ? partIn(row.graph) : `nothing but ${id}`

const partIn = (graph: number): string => `graph ${graph}`

/** The part that the others joined. */
const rootOf = ({ group: { component }, known, kept }: PlacedGroup): string =>
  kept === undefined ? partOf(component, known[0]) : partIn(kept)

/** The component of each of these ids, if it is in one. */
const groupsOf = (ids: ReadonlySet<string>, placed: readonly PlacedGroup[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  if (ids.size === 0) return found
  for (const { group } of placed) {
    for (const [id] of group.members) if (ids.has(id)) found.set(id, group.component)
    for (const id of group.placeholders) if (ids.has(id)) found.set(id, group.component)
  }
  return found
}

/** The component that works of each former graph are said to have left: the one that continues it, else the first. */
const firstHolders = (placed: readonly PlacedGroup[]): ReadonlyMap<number, string> => {
  const holders = new Map<number, string>()
  for (const { group, kept } of placed) if (kept !== undefined) holders.set(kept, group.component)
  for (const { group, known } of placed)
    for (const row of known) {
      const graph = graphOfWork(row)
      if (graph !== null && !holders.has(graph)) holders.set(graph, group.component)
    }
  return holders
}

/** A link between two parts. */
interface Edge {
  readonly one: string
  readonly other: string
  readonly cause: TurnCause
}

/** Links of one effect between parts, grouped by the whole that they are a tree of. */
const edgesOf = (
  causes: readonly Cause[],
  effect: 'linked' | 'unlinked',
  partOf: (id: string) => string,
  wholeOf: (from: string) => string,
): ReadonlyMap<string, readonly Edge[]> => {
  const edges = causes.flatMap(({ work, made = [], lost = [] }) =>
    (effect === 'linked' ? made : lost).map(([from, to, revision]: LinkChange) => ({
      one: partOf(from),
      other: partOf(to),
      whole: wholeOf(from),
      cause: { work, revision, effect, from, to },
    })),
  )
  return Map.groupBy(edges, ({ whole }) => whole)
}

/** By part: the link that leads from it toward the root in a tree. */
const treeFrom = (root: string, edges: readonly Edge[]): ReadonlyMap<string, TurnCause> => {
  const causes = new Map<string, TurnCause>()
  const at = new Map<string, Edge[]>()
  for (const edge of edges)
    for (const part of [edge.one, edge.other]) {
      const others = at.get(part)
      if (others) others.push(edge)
      else at.set(part, [edge])
    }
  const reached = [root]
  for (const part of reached)
    for (const { one, other, cause } of at.get(part) ?? []) {
      const next = one === part ? other : one
      if (next === root || causes.has(next)) continue
      causes.set(next, cause)
      reached.push(next)
    }
  return causes
}
