import { byId } from '../../domain/matching/work.ts'
import type { Condition, Value, ViewQuery, ViewShape, ViewStore } from '../../ports/view-store.ts'
import type { RowOf } from '../runtime/projection.ts'
import type { GraphRow, LinkRow, MemberRow, MergedRow, TurnRow, WorkRow } from './tables.ts'
import * as views from './views.ts'

/** What questions need of a view store; one of the past will do as well. */
export type Views = Pick<ViewStore, 'query' | 'tally'>

export interface OfGeneration {
  /** The live one where it is not said. */
  readonly generation?: number
}

/** Of questions that look at every work of a graph. */
export interface Bounded extends OfGeneration {
  /** Of more works than that the question throws `TooLarge`; it takes all it gets unless told. */
  readonly most?: number
}

export const is = (column: string, value: Value): Condition => ({ column, is: '=', value })

/** Any text: unlike "not null", an index answers it. */
export const isSet = (column: string): Condition => ({ column, is: '>=', value: '' })

/** Rows as their shape says. */
export const rows = <Shape extends ViewShape>(
  store: Views,
  shape: Shape,
  query: ViewQuery,
): readonly RowOf<Shape>[] => store.query(shape.name, query) as unknown as readonly RowOf<Shape>[]

const row = <Shape extends ViewShape>(
  store: Views,
  shape: Shape,
  ...where: readonly Condition[]
): RowOf<Shape> | undefined => rows(store, shape, { where, limit: 1 })[0]

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

export const linkRow = (store: Views, from: string, to: string): LinkRow | undefined =>
  row(store, views.links, is('from', from), is('to', to))

export const linksFrom = (store: Views, from: string): readonly LinkRow[] =>
  rows(store, views.links, { where: [is('from', from)] })

/** Of those that name one id so many are looked at; more meet at a hub that is no use to anybody. */
export const mostNaming = 10_000

export const linksTo = (store: Views, to: string, most = mostNaming): readonly LinkRow[] =>
  rows(store, views.links, {
    where: [is('to', to)],
    orderBy: [{ column: 'to' }],
    limit: most,
  })

/** Ids that it names or that name it, active or not, sorted. */
export const stated = (store: Views, id: string): readonly string[] => {
  const ids = new Set(linksFrom(store, id).map(({ to }) => to))
  for (const { from } of linksTo(store, id)) ids.add(from)
  return [...ids].sort(byId)
}

export const membersOf = (store: Views, generation: number, graph: number): readonly MemberRow[] =>
  rows(store, views.members, {
    where: [is('generation', generation), is('graph', graph)],
    orderBy: [{ column: 'generation' }, { column: 'graph' }],
  })

/** The turns of a work or a graph, oldest first: the latest `most` of them. */
export const turnsOf = (
  store: Views,
  generation: number,
  subject: string,
  more: readonly Condition[] = [],
  most = Number.MAX_SAFE_INTEGER,
): readonly TurnRow[] =>
  rows(store, views.turns, {
    where: [is('generation', generation), is('subject', subject), ...more],
    orderBy: [{ column: 'version', descending: true }],
    limit: most,
  }).toReversed()

/** `waiting`: accepted, and not in a graph yet. */
export type Standing = 'unknown' | 'waiting' | 'matched'

/** Why a question about an id has no answer: `unknown` to all, or still `waiting` for the matcher. */
export const standingOf = (store: Views, id: string, of: OfGeneration = {}): Standing => {
  if (memberRow(store, generationOf(store, of), id)) return 'matched'
  return workRow(store, id) ? 'waiting' : 'unknown'
}
