import { type ConditionOn, is, row, rows, tally } from '../../../domain/kernel/read-views.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { ColumnOf, RowOf, ViewShape, Views } from '../../../domain/kernel/view.ts'
import * as views from '../../../domain/research/views.ts'
import type { EpisodeRow, LeaseRow } from '../tables.ts'

const keyOf = <Shape extends ViewShape>({ key }: Shape) => key[0] as ColumnOf<Shape>

/** The row of each id, or none; each is read once. */
export const reader = <Shape extends ViewShape>(store: Views, shape: Shape) => {
  const key = keyOf(shape)
  const known = new Map<string, RowOf<Shape> | undefined>()
  return (id: string): RowOf<Shape> | undefined => {
    if (!known.has(id)) known.set(id, row(store, shape, is(key, id)))
    return known.get(id)
  }
}

/** The ids alone: far less to read than whole rows. */
export const idsOf = <Shape extends ViewShape>(
  store: Views,
  shape: Shape,
  ...where: readonly ConditionOn<Shape>[]
): readonly unknown[] => {
  const id = keyOf(shape)
  return tally(store, shape, { by: [id], where }).map((row) => row[id])
}

/** Thousands of pairs may have failed: live ids are read once, when they are needed, and without bitmaps. */
export const liveness = (store: Views, shape: typeof views.episodeResults | typeof views.clipResults) => {
  let live: ReadonlySet<unknown> | undefined
  return (one: string): boolean => {
    live ??= new Set(idsOf(store, shape, is('state', 'live')))
    return live.has(one)
  }
}

/**
 * Leases whose deadline is later than now, whatever the ticker has recorded by now (L29); the first to end comes first.
 */
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
  return active.map((lease) => ({ ...lease, clips: clipsOf.get(lease.lease) ?? [] }))
}

export const compare = (one: string | null, other: string | null): number =>
  (one ?? '') < (other ?? '') ? -1 : (one ?? '') > (other ?? '') ? 1 : 0

type Rank = Pick<EpisodeRow, 'pinned' | 'curator' | 'priority' | 'firstCuratedAt'> | undefined

/**
 * The order of selection: pinned first, by themselves or with their curator, then priority, then the first date, newest
 * first (L15, L21). With aging, age weighs against priority (X11).
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

/**
 * Sort weight with aging. Episodes that nobody curated come last; their weight is finite, so that two of them can be
 * compared.
 */
const agedWeight = (rank: Rank, agingSeconds: number): number =>
  rank?.firstCuratedAt
    ? (rank.priority ?? 0) * agingSeconds * SECOND - Date.parse(rank.firstCuratedAt)
    : -Number.MAX_VALUE
