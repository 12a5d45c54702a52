import { type ConditionOn, is, row, rows } from '../../../domain/kernel/read-views.ts'
import type { RowOf, Views } from '../../../domain/kernel/view.ts'
import * as views from '../../../domain/matching/views.ts'
import { byId } from '../../../domain/matching/work.ts'
import type { GraphRow, GraphTurnRow, LinkRow, MemberRow, MergedRow, TurnRow, WorkRow } from '../tables.ts'

export interface OfGeneration {
  /** Default: the live one. */
  readonly generation?: number
}

/** Scope of questions that read every work of a graph. */
export interface Bounded extends OfGeneration {
  /** The question throws `TooLarge` if there are more works; without it there is no bound. */
  readonly maxWorks?: number
}

export const generationOf = (store: Views, { generation }: OfGeneration): number =>
  generation ?? row(store, views.generations, is('status', 'live'))?.generation ?? 1

export const workRow = (store: Views, work: string): WorkRow | undefined =>
  row(store, views.works, is('work', work))

export const memberRow = (store: Views, generation: number, id: string): MemberRow | undefined =>
  row(store, views.members, is('generation', generation), is('id', id))

export const graphRow = (store: Views, generation: number, graph: number): GraphRow | undefined =>
  row(store, views.graphs, is('generation', generation), is('graph', graph))

export const mergedRow = (store: Views, generation: number, work: string): MergedRow | undefined =>
  row(store, views.merged, is('generation', generation), is('work', work))

export const generationRow = (store: Views, generation: number) =>
  row(store, views.generations, is('generation', generation))

type Counted = RowOf<typeof views.counts>

/** `generation`: 0 for counts that belong to all generations. */
export const countOf = (store: Views, generation: number, of: Counted['of'], value: string): number =>
  row(store, views.counts, is('generation', generation), is('of', of), is('value', value))?.count ?? 0

export const linkRow = (store: Views, from: string, to: string): LinkRow | undefined =>
  row(store, views.links, is('from', from), is('to', to))

/** Sorted by the other end, as are links to a work: an index has them in the order in which they came. */
export const linksFrom = (store: Views, from: string): readonly LinkRow[] =>
  rows(store, views.links, {
    where: [is('from', from)],
    orderBy: [{ column: 'from' }],
  }).toSorted((one, other) => byId(one.to, other.to))

/** Most links to one id that are read: an id with more is a useless hub. */
const maxNaming = 10_000

export const linksTo = (store: Views, to: string, max = maxNaming): readonly LinkRow[] =>
  rows(store, views.links, {
    where: [is('to', to)],
    orderBy: [{ column: 'to' }],
    limit: max,
  }).toSorted((one, other) => byId(one.from, other.from))

/** Ids that the id names or that name it, active or not, sorted. */
export const stated = (store: Views, id: string): readonly string[] => {
  const ids = new Set(linksFrom(store, id).map(({ to }) => to))
  for (const { from } of linksTo(store, id)) ids.add(from)
  return [...ids].sort(byId)
}

/** In no order. */
export const membersOf = (store: Views, generation: number, graph: number): readonly MemberRow[] =>
  rows(store, views.members, {
    where: [is('generation', generation), is('graph', graph)],
    orderBy: [{ column: 'graph' }],
  })

/** Oldest first. */
export const turnsOf = (store: Views, generation: number, work: string): readonly TurnRow[] =>
  rows(store, views.turns, { where: [is('generation', generation), is('work', work)] })

/** Oldest first: the latest `max` of them. */
export const graphTurnsOf = (
  store: Views,
  generation: number,
  graph: number,
  between: readonly ConditionOn<typeof views.graphTurns>[],
  max: number,
): readonly GraphTurnRow[] =>
  rows(store, views.graphTurns, {
    where: [is('generation', generation), is('graph', graph), ...between],
    orderBy: [{ column: 'version', descending: true }],
    limit: max,
  }).toReversed()

/** `waiting`: accepted, and not in a graph yet. */
type MatchState = 'unknown' | 'waiting' | 'matched'

/** Why a question about an id has no answer: `unknown`, or still `waiting` for the matcher. */
export const matchStateOf = (store: Views, id: string, of: OfGeneration = {}): MatchState => {
  if (memberRow(store, generationOf(store, of), id)) return 'matched'
  return workRow(store, id) ? 'waiting' : 'unknown'
}
