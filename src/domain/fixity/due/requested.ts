import { is, narrowRows, rowsIfFolded, tally } from '../../kernel/read-views.ts'
import { type RowOf, ViewQueryError, type Views } from '../../kernel/view.ts'
import type { Queue } from '../events.ts'
import { atRest, type RecordedRow, recordColumns } from '../intact.ts'
import { spanOf } from '../requests/span.ts'
import { items, requestPlaces, requests } from '../views.ts'

/* Items that wait in requests, which their own rows do not show. Views folded by an older program have no requests. */

type Request = RowOf<typeof requests>

/** Requests read at a time: each has many items. */
const fewRequests = 2

/** Requests of a queue that are due, the oldest first. */
export function* dueRequests(
  viewStore: Pick<Views, 'query'>,
  store: string,
  queue: Queue,
  now: string,
): Generator<Request> {
  for (let offset = 0; ; offset += fewRequests) {
    const some = rowsIfFolded(viewStore, requests, {
      where: [is('store', store), is('queue', queue), { column: 'due', is: '<=', value: now }],
      orderBy: [{ column: 'due' }, { column: 'position' }],
      limit: fewRequests,
      offset,
    })
    yield* some
    if (some.length < fewRequests) return
  }
}

/** Columns of an item that a claim needs. */
export const claimColumns = [...recordColumns, 'lastChecked'] as const

/** `available`: since when its check waits. */
export interface DueRow extends RecordedRow {
  readonly lastChecked: string | null
  readonly available: string | null
  readonly isAtRest: boolean
}

/**
 * Items of a store that wait in requests, the oldest request first, without those that are held. Leaves out items not
 * at rest: their own rows say all.
 */
export const requestedItems = (
  viewStore: Pick<Views, 'query'>,
  store: string,
  queue: Queue,
  { now, held, limit }: { readonly now: string; readonly held: ReadonlySet<string>; readonly limit: number },
): readonly DueRow[] => {
  const found: DueRow[] = []
  for (const { due, paths } of dueRequests(viewStore, store, queue, now)) {
    const free = paths.filter((path) => !held.has(path))
    for (let i = 0; i < free.length; ) {
      const some = free.slice(i, i + limit - found.length)
      i += some.length
      const rows = narrowRows(viewStore, items, claimColumns, {
        where: [is('store', store), { column: 'path', is: 'in', value: some }, ...atRest],
        orderBy: [{ column: 'path' }],
      })
      for (const row of rows) found.push({ ...row, available: due, isAtRest: true })
      if (found.length === limit) return found
    }
  }
  return found
}

export const hasRequests = (viewStore: Pick<Views, 'query'>, store: string): boolean =>
  rowsIfFolded(viewStore, requestPlaces, { where: [is('store', store)] }).length > 0

/** Counts the items in requests that are due, without reading their paths. */
export const countRequested = (viewStore: Pick<Views, 'tally'>, store: string, now: string): number => {
  const where = [is('store', store), { column: 'due', is: '<=', value: now } as const]
  try {
    return tally(viewStore, requests, { by: [], sum: ['items'], where })[0]?.items ?? 0
  } catch (error) {
    if (error instanceof ViewQueryError) return 0
    throw error
  }
}

/** The earliest due time among a queue's requests that meet the condition `due`; empty if there are none. */
export const firstRequestDue = (
  viewStore: Pick<Views, 'query'>,
  store: string,
  queue: string,
  due: { readonly is: '<=' | '>'; readonly value: string },
): readonly string[] => {
  const where = [is('store', store), is('queue', queue), { column: 'due', ...due } as const]
  return rowsIfFolded(viewStore, requests, { where, orderBy: [{ column: 'due' }], limit: 1 }).map(
    (request) => request.due,
  )
}

/** Queues in which these items of a store wait, and since when, by path. */
export const requestsOf = (
  viewStore: Pick<Views, 'query'>,
  store: string,
  paths: readonly string[],
): ReadonlyMap<string, readonly Pick<Request, 'queue' | 'due'>[]> => {
  if (paths.length === 0) return new Map()
  const wanted = new Set(paths)
  const { first, last } = spanOf(paths)
  const near = rowsIfFolded(viewStore, requestPlaces, { where: [is('store', store)] })
    .flatMap((row) => row.requests)
    .filter((place) => place.first <= last && first <= place.last)
  const waiting = new Map<string, Pick<Request, 'queue' | 'due'>[]>()
  for (const { request } of near)
    for (const { queue, due, paths: asked } of rowsIfFolded(viewStore, requests, {
      where: [is('request', request)],
    }))
      for (const path of asked)
        if (wanted.has(path)) waiting.set(path, [...(waiting.get(path) ?? []), { queue, due }])
  return waiting
}
