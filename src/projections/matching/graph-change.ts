import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { GraphChanged, Group, Member } from '../../domain/matching/graph/events.ts'
import { type CausesOf, causesOf, graphsBefore } from './causes.ts'
import { moveDocuments } from './document-counts.ts'
import { isListed, nextGraph } from './generation-rows.ts'
import { changedGraph, graphOfWork, graphToKeep, leaveGraph, putGraph } from './graph-rows.ts'
import { addLateCauses } from './late-causes.ts'
import { wholeChange } from './part-rows.ts'
import type { MatchingTables, MemberRow } from './tables.ts'
import { type GraphChange, turnGraph, turnWork } from './turn-rows.ts'
import { matchWork } from './work-rows.ts'

/** Components as they are now, once all events of the change are there. */
export const changeGraphs = (tables: MatchingTables, event: RecordedEvent, part: GraphChanged): void => {
  const data = wholeChange(tables, event, part)
  if (!data) return
  const generation = Number(idOf(event.stream))
  const { version } = data
  const isListing = data.causes.length === 0 && generation > 1 && !isListed(tables, generation)
  const change: GraphChange = { tables, generation, version, at: event.recordedAt, isTurn: !isListing }
  const before = graphsBefore(tables, generation, data)
  const causes = causesOf(tables, generation, data, before)
  for (const id of data.dropped) dropPlaceholder(tables, generation, id)
  for (const group of data.groups) foldGroup(change, group, causes)
  addLateCauses(change, before)
}

/** Members that a stored change names: each may change a few rows. With the last piece of a component all of it is folded. */
export const membersOf = (stored: unknown): number => {
  const groups = (stored as Partial<GraphChanged> | null)?.groups
  return Array.isArray(groups)
    ? groups.reduce(
        (sum, { members, size, pieces }: Partial<Group>) =>
          sum + ((pieces ?? 1) > 1 ? (size ?? 0) : (members?.length ?? 0)),
        0,
      )
    : 0
}

const dropPlaceholder = (tables: MatchingTables, generation: number, id: string): void => {
  if (tables['matching-members'].get(id, generation)?.placeholder === 1)
    tables['matching-members'].delete(id, generation)
}

const foldGroup = (change: GraphChange, group: Group, causesOf: CausesOf): void => {
  const { tables, generation, at } = change
  const known = group.members.map(([id]) => tables['matching-members'].get(id, generation))
  const kept = graphToKeep(change, known)
  const isNew = !kept
  const graph = kept?.graph ?? nextGraph(tables, generation, at)

  const { joined, left, before } = sortOut(group.members, known, graph)
  const causes = causesOf(group, before)
  const held = (kept?.held ?? 0) + joined.size
  putGraph(tables, kept, changedGraph(change, kept, graph, group, held, causes))
  for (const [i, member] of group.members.entries()) placeMember(change, member, graph, known[i])
  for (const id of group.placeholders) placePlaceholder(tables, generation, id, graph)
  // A work that was in no graph has no document.
  for (const works of left.values()) moveDocuments(tables, generation, works, graph)
  for (const [other, works] of left) leaveGraph(change, other, works, causes)
  const { size } = group
  for (const [work, was] of joined) turnWork(change, work, { graph, was, size }, causes)
  turnGraph(change, { graph, isNew, size, joined: [...joined.keys()], left: [] }, causes)
}

/** Works that join the graph, the graphs that they leave, and all graphs that the members were in. */
const sortOut = (members: readonly Member[], known: readonly (MemberRow | undefined)[], graph: number) => {
  const joined = new Map<string, number | null>()
  const left = new Map<number, string[]>()
  const before = new Set<number>()
  for (const [i, [id]] of members.entries()) {
    const row = known[i]
    // The graph of a placeholder counts, too: the works that name it led to this.
    if (typeof row?.graph === 'number') before.add(row.graph)
    const was = graphOfWork(row)
    if (was === graph) continue
    joined.set(id, was)
    if (was === null) continue
    const leaving = left.get(was)
    if (leaving) leaving.push(id)
    else left.set(was, [id])
  }
  return { joined, left, before }
}

/** Rows are written only where they change: most changes concern few works of a large component. */
const placeMember = (
  { tables, generation, isTurn }: GraphChange,
  [id, revision]: Member,
  graph: number,
  row: MemberRow | undefined,
): void => {
  if (row && row.graph === graph && row.revision === revision && row.placeholder === 0) return
  tables['matching-members'].put({ generation, id, graph, placeholder: 0, revision })
  // What a new generation gets first, other generations have already.
  if (row ? row.revision !== revision : isTurn) matchWork(tables, id, revision)
}

const placePlaceholder = (tables: MatchingTables, generation: number, id: string, graph: number): void => {
  const row = tables['matching-members'].get(id, generation)
  if (row?.graph === graph && row.placeholder === 1) return
  tables['matching-members'].put({ generation, id, graph, placeholder: 1, revision: null })
}
