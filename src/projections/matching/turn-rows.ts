import { firstFew } from './causes.ts'
import type { MatchingTables } from './tables.ts'

const maxNamed = 10

/** What all turns of one change share. */
export interface GraphChange {
  readonly tables: MatchingTables
  readonly generation: number
  readonly version: number
  readonly at: string
  /** False while a new generation is listed: no work has a turn then. */
  readonly isTurn: boolean
}

export const workSubject = (work: string): string => `work:${work}`
export const graphSubject = (graph: number): string => `graph:${graph}`

/** A work joined a graph; `was` is null where it is new. */
export const turnWork = (
  { tables, generation, version, at, isTurn }: GraphChange,
  work: string,
  to: { readonly graph: number; readonly was: number | null; readonly size: number },
  causes: readonly string[],
): void => {
  if (!isTurn) return
  tables['matching-turns'].put({
    generation,
    subject: workSubject(work),
    version,
    graph: to.graph,
    was: to.was,
    joined: null,
    left: null,
    some: null,
    gone: null,
    size: to.size,
    at,
    causes,
  })
}

interface GraphTurn {
  readonly graph: number
  readonly isNew: boolean
  readonly size: number
  readonly joined: readonly string[]
  readonly left: readonly string[]
}

/** Works joined a graph or left it. Pieces and groups of one change add up. */
export const turnGraph = (
  { tables, generation, version, at, isTurn }: GraphChange,
  { graph, isNew, size, joined, left }: GraphTurn,
  causes: readonly string[],
): void => {
  // The turn of a work that is alone in a new graph says it already.
  if (!isTurn || (isNew && size === 1)) return
  const subject = graphSubject(graph)
  const before = isNew ? undefined : tables['matching-turns'].get(generation, subject, version)
  if (!before && joined.length === 0 && left.length === 0) return
  tables['matching-turns'].put({
    generation,
    subject,
    version,
    graph,
    was: isNew ? null : before ? before.was : graph,
    joined: (before?.joined ?? 0) + joined.length,
    left: (before?.left ?? 0) + left.length,
    some: firstOf(before?.some, joined),
    gone: firstOf(before?.gone, left),
    size,
    at,
    causes: firstFew(before?.causes ?? [], causes),
  })
}

const firstOf = (named: readonly string[] | null | undefined, more: readonly string[]): readonly string[] =>
  [...(named ?? []), ...more].slice(0, maxNamed)

/** The graph is deleted: the turns of its works say what became of them. */
export const forgetTurn = ({ tables, generation, version }: GraphChange, graph: number): void => {
  const subject = graphSubject(graph)
  if (tables['matching-turns'].get(generation, subject, version))
    tables['matching-turns'].delete(generation, subject, version)
}
