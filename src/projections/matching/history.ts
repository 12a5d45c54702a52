import type { Condition } from '../../ports/view-store.ts'
import type { TurnLine } from './answers.ts'
import { generationOf, memberRow, type OfGeneration, turnsOf, type Views } from './reading.ts'
import type { TurnRow } from './tables.ts'
import { graphSubject, workSubject } from './turn-rows.ts'

/** A graph that grew a work at a time has as many turns as works. */
export const mostTurns = 1000

/**
 * What happened to a work and, while it was in them, to its graphs: the latest `mostTurns`, oldest first; undefined for an
 * id that is in none (see `standingOf`). A placeholder has no history of its own.
 */
export const history = (
  store: Views,
  work: string,
  of: OfGeneration = {},
): readonly TurnLine[] | undefined => {
  const generation = generationOf(store, of)
  const member = memberRow(store, generation, work)
  if (!member) return undefined
  if (member.placeholder === 1) return []

  const own = turnsOf(store, generation, workSubject(work))
  const graphTurns = (graph: number | null, ...between: readonly Condition[]) =>
    graph === null ? [] : turnsOf(store, generation, graphSubject(graph), between, mostTurns)
  const lines: TurnLine[] = []
  for (let i = own.length - 1; i >= 0 && lines.length < mostTurns; i--) {
    const [turn, next] = [own[i]!, own[i + 1]]
    const [same] = graphTurns(turn.graph, version('=', turn))
    const others = graphTurns(turn.graph, version('>', turn), ...(next ? [version('<', next)] : []))
    lines.unshift(ownTurn(work, turn, same), ...others.flatMap(othersTurn))
  }
  // A generation that was told what there is knows of no turn before: its works were where they are all along.
  const [first] = own
  const before = first ? graphTurns(first.was, version('<', first)) : graphTurns(member.graph)
  return [...before.flatMap(othersTurn), ...lines].slice(-mostTurns)
}

const version = (than: '<' | '=' | '>', turn: TurnRow): Condition => ({
  column: 'version',
  is: than,
  value: turn.version,
})

/** It moved: into a graph that was there before, or out of one with whoever came along. `same` is that graph's turn. */
const ownTurn = (work: string, turn: TurnRow, same: TurnRow | undefined): TurnLine => {
  const isNew = !same || same.was === null
  const what = turn.was === null ? 'first' : isNew ? 'left' : 'joined'
  // What led to a graph in pieces may be told behind the piece that the work is in.
  const causes = (turn.causes as readonly string[]).length > 0 ? turn.causes : (same?.causes ?? [])
  return line({ ...turn, causes }, what, same?.joined ?? 1, (same?.some ?? [work]) as readonly string[])
}

const othersTurn = (turn: TurnRow): readonly TurnLine[] => [
  ...((turn.joined ?? 0) > 0 ? [line(turn, 'gained', turn.joined ?? 0, turn.some as readonly string[])] : []),
  ...((turn.left ?? 0) > 0 ? [line(turn, 'lost', turn.left ?? 0, turn.gone as readonly string[])] : []),
]

const line = (
  { at, version, graph, size, causes }: TurnRow,
  what: TurnLine['what'],
  count: number,
  some: readonly string[],
): TurnLine => ({
  at: at ?? '',
  version,
  what,
  graph: graph ?? 0,
  size: size ?? 0,
  count,
  some,
  causes: causes as readonly string[],
})
