import { is, narrowRows } from '../../kernel/read-views.ts'
import type { Condition, Views } from '../../kernel/view.ts'
import type { Queue } from '../events.ts'
import { isAtRest, restColumns } from '../intact.ts'
import { items } from '../views.ts'
import { claimColumns, type DueRow, hasRequests, requestedItems } from './requested.ts'

interface DueNow {
  readonly now: string
  /** Paths that batches hold, which their rows do not show. */
  readonly held: ReadonlySet<string>
  readonly limit: number
}

/** Items of a store whose checks are due in a queue and free, the oldest first; at least `limit` of them, if there are as many. */
export const dueItems = (
  viewStore: Pick<Views, 'query'>,
  store: string,
  queue: Queue,
  due: DueNow,
): readonly DueRow[] => {
  const requested = requestedItems(viewStore, store, queue, due)
  const scheduled = scheduledItems(viewStore, store, queue, due)
  if (requested.length === 0) return scheduled
  const twice = new Set(scheduled.map(({ path }) => path))
  return oldest([...scheduled, ...requested.filter(({ path }) => !twice.has(path))])
}

const scheduledItems = (
  viewStore: Pick<Views, 'query'>,
  store: string,
  queue: Queue,
  { now, held, limit }: DueNow,
): readonly DueRow[] => {
  const due = { column: 'available', is: '<=', value: now } as const
  const read = (page: Page) =>
    waitingItems(viewStore, store, queue, due, page).filter(({ path }) => !held.has(path))
  // Held items were the oldest when they were claimed: most are skipped unread. Items of requests are stored
  // elsewhere.
  const mayPass = held.size > 0 && !hasRequests(viewStore, store)
  const behind = mayPass ? read({ offset: held.size, limit }) : []
  return behind.length > 0 ? behind : read({ limit: limit + held.size })
}

interface Page {
  readonly offset?: number
  readonly limit: number
}

/** Items of a queue by their own rows, the oldest first. */
export const waitingItems = (
  viewStore: Pick<Views, 'query'>,
  store: string,
  queue: Queue,
  available: Condition<'available'>,
  page: Page,
): readonly DueRow[] =>
  narrowRows(viewStore, items, [...claimColumns, ...restColumns, 'available'], {
    where: [is('store', store), is('queue', queue), available],
    orderBy: [{ column: 'available' }],
    ...page,
  }).map((row) => ({ ...row, isAtRest: isAtRest(row) }))

export const oldest = (some: readonly DueRow[]): readonly DueRow[] =>
  some.toSorted((a, b) => Date.parse(a.available ?? '') - Date.parse(b.available ?? ''))
