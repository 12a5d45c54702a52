import { few } from './causes.ts'
import type { MatchingTables } from './tables.ts'

const mostNamed = 10

/** What all turns of one change share. */
export interface Turning {
  readonly tables: MatchingTables
  readonly generation: number
  readonly version: number
  readonly at: string
  /** False while a new generation is told what there is already: that is nobody's turn. */
  readonly isTurn: boolean
}

export const workSubject = (work: string): string => `work:${work}`
export const graphSubject = (graph: number): string => `graph:${graph}`

/** A work came into a graph; `was` is null at its first appearance. */
export const turnWork = (
  { tables, generation, version, at, isTurn }: Turning,
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

export interface GraphTurn {
  readonly graph: number
  readonly isNew: boolean
  readonly size: number
  readonly joined: readonly string[]
  readonly left: readonly string[]
}

/** Works came into a graph or went out of it. What several pieces and groups of one change do to it adds up. */
export const turnGraph = (
  { tables, generation, version, at, isTurn }: Turning,
  { graph, isNew, size, joined, left }: GraphTurn,
  causes: readonly string[],
): void => {
  // A work that is alone in a new graph has a turn of its own, which says it all.
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
    causes: few((before?.causes ?? []) as readonly string[], causes),
  })
}

const firstOf = (named: unknown, more: readonly string[]): readonly string[] =>
  [...((named ?? []) as readonly string[]), ...more].slice(0, mostNamed)

/** The graph is no more: what became of its works is told by each of them. */
export const forgetTurn = ({ tables, generation, version }: Turning, graph: number): void => {
  const subject = graphSubject(graph)
  if (tables['matching-turns'].get(generation, subject, version))
    tables['matching-turns'].delete(generation, subject, version)
}
