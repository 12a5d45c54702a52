import type { Condition, Views } from '../../../domain/kernel/view.ts'
import type { TurnCause } from '../../../domain/matching/turn-cause.ts'
import type { GraphTurnRow, TurnRow } from '../tables.ts'
import type { TurnLine } from './answers.ts'
import { idsOfCause } from './cause-words.ts'
import { generationOf, graphTurnsOf, memberRow, type OfGeneration, turnsOf } from './reading.ts'
import { type TitleOf, titleReader, titlesOf } from './titles.ts'

/** A graph that grew a work at a time has as many turns as works. */
export const maxTurns = 1000

/**
 * The turns of a work and, while it was in them, of its graphs: the latest `maxTurns`, oldest first; undefined for an
 * id that is in none (see `matchStateOf`). A placeholder has no history of its own.
 */
export const history = (
  store: Views,
  work: string,
  of: OfGeneration = {},
): readonly TurnLine[] | undefined => {
  const generation = generationOf(store, of)
  const line = lineWith(titleReader(store))
  const member = memberRow(store, generation, work)
  if (!member) return undefined
  if (member.placeholder === 1) return []

  const own = turnsOf(store, generation, work)
  const graphTurns = (graph: number | null, ...between: readonly Condition<'version'>[]) =>
    graph === null ? [] : graphTurnsOf(store, generation, graph, between, maxTurns)
  const lines: TurnLine[] = []
  for (let i = own.length - 1; i >= 0 && lines.length < maxTurns; i--) {
    const [turn, next] = [own[i]!, own[i + 1]]
    const [same] = graphTurns(turn.graph, version('=', turn))
    const others = graphTurns(turn.graph, version('>', turn), ...(next ? [version('<', next)] : []))
    lines.unshift(line(ownTurn(work, turn, same)), ...others.flatMap(othersTurn).map(line))
  }
  // A generation has no turns from before it was listed: its works count as having been there from the beginning.
  const [first] = own
  const before = first ? graphTurns(first.was, version('<', first)) : graphTurns(member.graph)
  return [...before.flatMap(othersTurn).map(line), ...lines].slice(-maxTurns)
}

const version = (than: '<' | '=' | '>', turn: TurnRow): Condition<'version'> => ({
  column: 'version',
  is: than,
  value: turn.version,
})

/** The work came, joined a graph, or left one. `same`: the turn of its new graph in the same change. */
const ownTurn = (work: string, turn: TurnRow, same: GraphTurnRow | undefined): Untitled => {
  const isNew = !same || same.isNew === 1
  const what = turn.was === null ? 'first' : isNew ? 'left' : 'joined'
  const both = what === 'left' ? [turn.leftBy, turn.joinedBy] : [turn.joinedBy, turn.leftBy]
  const causes = both.filter((cause) => cause !== null)
  return untitled(turn, what, same?.joined ?? 1, same?.some ?? [work], causes, causes.length)
}

const othersTurn = (turn: GraphTurnRow): readonly Untitled[] => [
  ...(turn.joined > 0
    ? [untitled(turn, 'gained', turn.joined, turn.some, turn.joinedBy, turn.joinedCauses)]
    : []),
  ...(turn.left > 0 ? [untitled(turn, 'lost', turn.left, turn.gone, turn.leftBy, turn.leftCauses)] : []),
]

type Untitled = Omit<TurnLine, 'titles'>

const lineWith =
  (titleOf: TitleOf) =>
  (turn: Untitled): TurnLine => ({
    ...turn,
    titles: titlesOf(titleOf, [...turn.some, ...turn.causes.flatMap(idsOfCause)]),
  })

const untitled = (
  { at, version, graph, size }: TurnRow | GraphTurnRow,
  what: TurnLine['what'],
  count: number,
  some: readonly string[],
  causes: readonly TurnCause[] | null,
  caused: number,
): Untitled => ({ at, version, what, graph, size, count, some, causes: causes ?? [], caused })
