import { SECOND } from '../../domain/kernel/time.ts'
import type { Condition, Value, ViewQuery, ViewShape, ViewStore } from '../../ports/view-store.ts'
import type { RowOf } from '../runtime/projection.ts'
import type { EpisodeRow, LeaseRow } from './tables.ts'
import * as views from './views.ts'

/** What questions need of a view store; one of the past will do as well. */
export type Views = Pick<ViewStore, 'query' | 'tally'>

export const is = (column: string, value: Value): Condition => ({ column, is: '=', value })

/** Any text: unlike "not null", an index answers it. */
export const isSet = (column: string): Condition => ({ column, is: '>=', value: '' })

/** Rows as their shape says. */
export const rows = <Shape extends ViewShape>(
  store: Views,
  shape: Shape,
  query: ViewQuery = {},
): readonly RowOf<Shape>[] => store.query(shape.name, query) as unknown as readonly RowOf<Shape>[]

export const row = <Shape extends ViewShape>(
  store: Views,
  shape: Shape,
  ...where: readonly Condition[]
): RowOf<Shape> | undefined => rows(store, shape, { where, limit: 1 })[0]

/** The row of each id, or none; each is read once. */
export const reader = <Shape extends ViewShape>(store: Views, shape: Shape) => {
  const key = shape.key[0] as string
  const known = new Map<string, RowOf<Shape> | undefined>()
  return (id: string): RowOf<Shape> | undefined => {
    if (!known.has(id)) known.set(id, row(store, shape, is(key, id)))
    return known.get(id)
  }
}

/** Active means now < deadline, whatever the ticker has written down by now (L29); the first to end comes first. */
export const activeLeases = (store: Views, now: string): readonly LeaseRow[] =>
  ['waiting', 'taken', 'lapsed']
    .flatMap((state) =>
      rows(store, views.leases, { where: [is('state', state), { column: 'deadline', is: '>', value: now }] }),
    )
    .sort((one, other) => compare(one.deadline, other.deadline) || compare(one.lease, other.lease))

export interface HeldLease extends LeaseRow {
  readonly clips: readonly string[]
}

/** Active leases with their clips. */
export const heldLeases = (store: Views, now: string): readonly HeldLease[] => {
  const active = activeLeases(store, now)
  if (active.length === 0) return []
  const clipsOf = new Map(rows(store, views.leaseClips).map(({ lease, clips }) => [lease, clips]))
  return active.map((lease) => ({ ...lease, clips: (clipsOf.get(lease.lease) ?? []) as readonly string[] }))
}

export const compare = (one: string | null, other: string | null): number =>
  (one ?? '') < (other ?? '') ? -1 : (one ?? '') > (other ?? '') ? 1 : 0

type Rank = Pick<EpisodeRow, 'pinned' | 'curator' | 'priority' | 'firstCuratedAt'> | undefined

/**
 * Pinned ones, and those of pinned curators, go first, then higher ones, then what was first curated later: the order in which work is handed out (L15, L21).
 * With aging, age weighs against priority (X11), as it does where episodes are chosen.
 */
export const byPriority = (
  one: Rank,
  other: Rank,
  pinnedCurators: ReadonlySet<string>,
  agingSeconds?: number,
): number =>
  Number(isPinned(other, pinnedCurators)) - Number(isPinned(one, pinnedCurators)) ||
  (agingSeconds === undefined
    ? (other?.priority ?? 0) - (one?.priority ?? 0) ||
      compare(other?.firstCuratedAt ?? null, one?.firstCuratedAt ?? null)
    : agedWeight(other, agingSeconds) - agedWeight(one, agingSeconds))

const isPinned = (rank: Rank, pinnedCurators: ReadonlySet<string>): boolean =>
  rank?.pinned === 1 || pinnedCurators.has(rank?.curator ?? '')

/** What nobody curated comes last; finite, so that two of those can be compared. */
const agedWeight = (rank: Rank, agingSeconds: number): number =>
  rank?.firstCuratedAt
    ? (rank.priority ?? 0) * agingSeconds * SECOND - Date.parse(rank.firstCuratedAt)
    : -Number.MAX_VALUE
