import { type ConditionOn, is, row, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import * as views from '../../../domain/matching/views.ts'
import { byId } from '../../../domain/matching/work.ts'
import type { GraphRow, LinkRow, MemberRow, MergedRow, TurnRow, WorkRow } from '../tables.ts'

export interface OfGeneration {
  /** Default: the live one. */
  readonly generation?: number
}

/** Of questions that read every work of a graph. */
export interface Bounded extends OfGeneration {
  /** The question throws `TooLarge` about more works; without it there is no bound. */
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

export const linkRow = (store: Views, from: string, to: string): LinkRow | undefined =>
  row(store, views.links, is('from', from), is('to', to))

export const linksFrom = (store: Views, from: string): readonly LinkRow[] =>
  rows(store, views.links, { where: [is('from', from)] })

/** Most links to one id that are read: an id with more is a hub that is of no use. */
const maxNaming = 10_000

export const linksTo = (store: Views, to: string, max = maxNaming): readonly LinkRow[] =>
  rows(store, views.links, {
    where: [is('to', to)],
    orderBy: [{ column: 'to' }],
    limit: max,
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

/** The turns of a work or a graph, oldest first: the latest `max` of them. */
export const turnsOf = (
  store: Views,
  generation: number,
  subject: string,
  more: readonly ConditionOn<typeof views.turns>[] = [],
  max = Number.MAX_SAFE_INTEGER,
): readonly TurnRow[] =>
  rows(store, views.turns, {
    where: [is('generation', generation), is('subject', subject), ...more],
    orderBy: [{ column: 'version', descending: true }],
    limit: max,
  }).toReversed()

/** `waiting`: accepted, and not in a graph yet. */
type MatchState = 'unknown' | 'waiting' | 'matched'

/** Why a question about an id has no answer: `unknown` to all, or still `waiting` for the matcher. */
export const matchStateOf = (store: Views, id: string, of: OfGeneration = {}): MatchState => {
  if (memberRow(store, generationOf(store, of), id)) return 'matched'
  return workRow(store, id) ? 'waiting' : 'unknown'
}
