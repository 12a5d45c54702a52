import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { GraphChanged, Group, Member } from '../../domain/matching/graph/events.ts'
import { type MoveCauses, type PlacedGroup, readCauses } from './causes.ts'
import { moveDocuments } from './document-counts.ts'
import { isListed, nextGraph } from './generation-rows.ts'
import { changedGraph, graphOfWork, graphToKeep, leaveGraph, putGraph } from './graph-rows.ts'
import { wholeChange } from './part-rows.ts'
import type { MatchingTables, MemberRow } from './tables.ts'
import { type GraphChange, type Move, turnGraph, turnWork } from './turn-rows.ts'
import { hasVerdicts, verdictOf } from './verdict-rows.ts'
import { matchWork } from './work-rows.ts'

/** Folds the components of a change, once all of its events are there. */
export const changeGraphs = (tables: MatchingTables, event: RecordedEvent, part: GraphChanged): void => {
  const data = wholeChange(tables, event, part)
  if (!data) return
  const generation = Number(idOf(event.stream))
  const { version } = data
  const isListing = data.causes.length === 0 && generation > 1 && !isListed(tables, generation)
  const change: GraphChange = { tables, generation, version, at: event.recordedAt, isTurn: !isListing }
  const placed = placeGroups(change, data.groups)
  const causes = readCauses(tables, generation, data, placed)
  for (const id of data.dropped) dropPlaceholder(tables, generation, id)
  const isJudged = hasVerdicts(tables)
  for (const one of placed) foldGroup(change, one, causes, isJudged ? verdictOf(tables, one.group) : null)
}

/**
 * To be called before anything is folded. Each graph is continued by one group: the first of those that most of its
 * works are in.
 */
const placeGroups = (change: GraphChange, groups: readonly Group[]): readonly PlacedGroup[] => {
  const { tables, generation } = change
  const taken = new Set<number>()
  return groups.map((group) => {
    const known = group.members.map(([id]) => tables['matching-members'].get(id, generation))
    const kept = graphToKeep(change, known, taken)
    if (kept !== undefined) taken.add(kept)
    return { group, known, kept }
  })
}

/**
 * Number of members that a stored change names: each may change a few rows. The last piece of a component folds all of
 * it.
 */
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

const foldGroup = (
  change: GraphChange,
  placed: PlacedGroup,
  causes: MoveCauses,
  confirmedAt: string | null,
): void => {
  const { tables, generation, at } = change
  const { group, known } = placed
  const { size } = group
  // Groups before this one may have taken works from it.
  const kept = placed.kept === undefined ? undefined : tables['matching-graphs'].get(placed.kept, generation)
  const isNew = !kept
  const graph = kept?.graph ?? nextGraph(tables, generation, at)

  const moves = movesOf(placed, graph, causes)
  const left = Map.groupBy(
    moves.filter(({ was }) => was !== null),
    ({ was }) => was as number,
  )
  const held = (kept?.held ?? 0) + moves.length
  const causers = causedBy(placed, moves, causes)
  putGraph(tables, kept, changedGraph(change, kept, graph, group, held, causers, confirmedAt))
  for (const [i, member] of group.members.entries()) placeMember(change, member, graph, known[i])
  for (const id of group.placeholders) placePlaceholder(tables, generation, id, graph)
  // A work that was in no graph has no document.
  for (const some of left.values())
    moveDocuments(
      tables,
      generation,
      some.map(({ work }) => work),
      graph,
    )
  for (const [other, some] of left) leaveGraph(change, other, some)
  for (const move of moves) turnWork(change, move, { graph, size })
  turnGraph(change, { graph, isNew, size, joined: moves, left: [] })
}

/** Works that come into the graph. */
const movesOf = (placed: PlacedGroup, graph: number, causes: MoveCauses): readonly Move[] => {
  const { group, known } = placed
  return group.members.flatMap(([work], i): Move[] => {
    const was = graphOfWork(known[i])
    if (was === graph) return []
    const leftBy = was === null ? null : causes.left(was, placed)
    return [{ work, was, joinedBy: causes.joined(placed, work, known[i]), leftBy }]
  })
}

/** The works whose updates led to a change of the graph. */
const causedBy = (placed: PlacedGroup, moves: readonly Move[], causes: MoveCauses): readonly string[] => {
  const moved = moves.flatMap(({ joinedBy, leftBy }) => [joinedBy, leftBy])
  return [...new Set([...causes.updated(placed), ...moved.flatMap((cause) => cause?.work ?? [])])]
}

/** Writes rows only if they change: most changes concern few works of a large component. */
const placeMember = (
  { tables, generation, isTurn }: GraphChange,
  [id, revision]: Member,
  graph: number,
  row: MemberRow | undefined,
): void => {
  if (row && row.graph === graph && row.revision === revision && row.placeholder === 0) return
  tables['matching-members'].put({ generation, id, graph, placeholder: 0, revision })
  // Members that a new generation gets first are in other generations already.
  if (row ? row.revision !== revision : isTurn) matchWork(tables, id, revision)
}

const placePlaceholder = (tables: MatchingTables, generation: number, id: string, graph: number): void => {
  const row = tables['matching-members'].get(id, generation)
  if (row?.graph === graph && row.placeholder === 1) return
  tables['matching-members'].put({ generation, id, graph, placeholder: 1, revision: null })
}
