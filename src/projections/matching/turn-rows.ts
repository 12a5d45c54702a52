import type { TurnCause } from '../../domain/matching/turn-cause.ts'
import type { MatchingTables } from './tables.ts'

const maxNamed = 10
const maxCauses = 5

/** Fields that all turns of one change share. */
export interface GraphChange {
  readonly tables: MatchingTables
  readonly generation: number
  readonly version: number
  readonly at: string
  /** False while a new generation is listed: no work has a turn then. */
  readonly isTurn: boolean
}

/** A work came into a graph; `was`: the one that it left, null if it is new. */
export interface Move {
  readonly work: string
  readonly was: number | null
  readonly joinedBy: TurnCause | null
  readonly leftBy: TurnCause | null
}

export const turnWork = (
  { tables, generation, version, at, isTurn }: GraphChange,
  { work, was, joinedBy, leftBy }: Move,
  to: { readonly graph: number; readonly size: number },
): void => {
  if (!isTurn) return
  tables['matching-turns'].put({ generation, work, version, ...to, was, at, joinedBy, leftBy })
}

interface GraphTurn {
  readonly graph: number
  readonly isNew: boolean
  readonly size: number
  readonly joined: readonly Move[]
  readonly left: readonly Move[]
}

/** Records works that joined a graph or left it. Adds up what the groups of one change record. */
export const turnGraph = (
  { tables, generation, version, at, isTurn }: GraphChange,
  { graph, isNew, size, joined, left }: GraphTurn,
): void => {
  // The turn of a work that is alone in a new graph records it already.
  if (!isTurn || (isNew && size === 1)) return
  const before = isNew ? undefined : tables['matching-graph-turns'].get(graph, generation, version)
  if (!before && joined.length === 0 && left.length === 0) return
  const [joinedBy, joinedCauses] = fewOf(joined.map((move) => move.joinedBy))
  const [leftBy, leftCauses] = fewOf(left.map((move) => move.leftBy))
  tables['matching-graph-turns'].put({
    generation,
    graph,
    version,
    isNew: isNew ? 1 : (before?.isNew ?? 0),
    joined: (before?.joined ?? 0) + joined.length,
    left: (before?.left ?? 0) + left.length,
    some: firstOf(before?.some, joined),
    gone: firstOf(before?.gone, left),
    size,
    at,
    joinedBy: addCauses(before?.joinedBy, joinedBy),
    joinedCauses: (before?.joinedCauses ?? 0) + joinedCauses,
    leftBy: addCauses(before?.leftBy, leftBy),
    leftCauses: (before?.leftCauses ?? 0) + leftCauses,
  })
}

const firstOf = (named: readonly string[] | undefined, more: readonly Move[]): readonly string[] =>
  [...(named ?? []), ...more.slice(0, maxNamed).map(({ work }) => work)].slice(0, maxNamed)

/** The first few causes, and how many there are; null if none is known. */
const fewOf = (causes: readonly (TurnCause | null)[]): readonly [readonly TurnCause[] | null, number] => {
  const known = new Map(causes.flatMap((cause) => (cause ? [[nameOf(cause), cause] as const] : [])))
  return [known.size === 0 ? null : [...known.values()].slice(0, maxCauses), known.size]
}

const nameOf = ({ work, revision, from, to }: TurnCause): string => JSON.stringify([work, revision, from, to])

const addCauses = (
  before: readonly TurnCause[] | null | undefined,
  more: readonly TurnCause[] | null,
): readonly TurnCause[] | null =>
  before && more ? [...before, ...more].slice(0, maxCauses) : (more ?? before ?? null)

/** Deletes the turn of a deleted graph: the turns of its works record where they went. */
export const forgetTurn = ({ tables, generation, version }: GraphChange, graph: number): void => {
  if (tables['matching-graph-turns'].get(graph, generation, version))
    tables['matching-graph-turns'].delete(graph, generation, version)
}
