import type { FixityTask } from '../../domain/fixity/check-task.ts'
import type { Queue } from '../../domain/fixity/events.ts'
import { isAtRest, restColumns } from '../../domain/fixity/intact.ts'
import { batches, items } from '../../domain/fixity/views.ts'
import { is, narrowRows, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { Condition } from '../../domain/kernel/view.ts'
import type { TaskQueue } from '../../ports/task-queue.ts'
import { claimAll } from '../runtime/claim-queue.ts'
import { claimBatch } from './batch-claims.ts'
import { inBatches, partOfSlot, type TakeLimits, unthrottled } from './batch-sizes.ts'
import { type ClaimDependencies, claimCheck } from './claims.ts'
import { expireBatch } from './expired-claims.ts'
import { claimColumns, type DueRow, firstRequestDue, hasRequests, requestedItems } from './requested.ts'

interface QueueDependencies extends ClaimDependencies {
  /** The stores whose bytes this worker can read; queried at each claim. */
  readonly stores: () => Promise<readonly string[]>
  /** Default: those of a worker without a throttle. */
  readonly limits?: TakeLimits
}

/** The queues of due checks, oldest first, `high` before `low`. */
export const checkQueues = (deps: QueueDependencies): readonly TaskQueue<FixityTask>[] =>
  (['high', 'low'] as const).map((queue) => checkQueue(queue, deps))

const checkQueue = (queue: Queue, deps: QueueDependencies): TaskQueue<FixityTask> => {
  const { viewStore, clock, limits = unthrottled } = deps

  /**
   * Items that batches hold, which their rows do not show. A batch whose deadline has passed expires now, and holds its
   * items until their failed attempts are written.
   */
  const heldIn = async (store: string): Promise<ReadonlySet<string>> => {
    const now = clock.now()
    const held = rowsIfFolded(viewStore, batches, { where: [is('store', store)] })
    const passed = held.filter(({ deadline }) => deadline <= now)
    await Promise.all(passed.map((batch) => expireBatch(batch, deps)))
    return new Set(held.flatMap(({ paths }) => paths))
  }

  const waitingIn = (
    store: string,
    available: Condition<'available'>,
    page: { readonly offset?: number; readonly limit: number },
  ): readonly DueRow[] =>
    narrowRows(viewStore, items, [...claimColumns, ...restColumns, 'available'], {
      where: [is('store', store), is('queue', queue), available],
      orderBy: [{ column: 'available' }],
      ...page,
    }).map((row) => ({ ...row, isAtRest: isAtRest(row) }))

  const dueIn = async (store: string, limit: number): Promise<readonly DueRow[]> => {
    const held = await heldIn(store)
    const now = clock.now()
    const requested = requestedItems(viewStore, store, queue, { now, held, limit })
    const scheduled = scheduledIn(store, held, now, limit)
    if (requested.length === 0) return scheduled
    const twice = new Set(scheduled.map(({ path }) => path))
    return [...scheduled, ...requested.filter(({ path }) => !twice.has(path))]
  }

  const scheduledIn = (
    store: string,
    held: ReadonlySet<string>,
    now: string,
    limit: number,
  ): readonly DueRow[] => {
    const due = { column: 'available', is: '<=', value: now } as const
    const read = (page: { readonly offset?: number; readonly limit: number }) =>
      waitingIn(store, due, page).filter(({ path }) => !held.has(path))
    // Held items were the oldest when they were claimed: most are skipped unread. Items of requests are stored
    // elsewhere.
    const mayPass = held.size > 0 && !hasRequests(viewStore, store)
    const behind = mayPass ? read({ offset: held.size, limit }) : []
    return behind.length > 0 ? behind : read({ limit: limit + held.size })
  }

  const oldest = (some: readonly DueRow[]): readonly DueRow[] =>
    some.toSorted((a, b) => Date.parse(a.available ?? '') - Date.parse(b.available ?? ''))

  return {
    name: queue,
    take: async (concurrency) => {
      const limit = Math.min(concurrency * limits.ofSlot, limits.ofTake)
      const stores = await deps.stores()
      const found = await Promise.all(stores.map((store) => dueIn(store, limit)))
      const due = oldest(found.flat()).slice(0, limit)
      const { single, together } = forConcurrency(due, concurrency, limits)
      const batches = inBatches(together, due.length === limit, limits)
      return claimAll<DueRow | readonly DueRow[], FixityTask>([...single, ...batches], (one) =>
        'path' in one ? claimCheck(one, deps) : claimBatch(one, limits, deps),
      )
    },
    // Tasks that are due already could be taken, and would hide the next one.
    nextDue: async () => {
      const later = { is: '>', value: clock.now() } as const
      const stores = await deps.stores()
      const available = { column: 'available', ...later } as const
      const [next] = oldest(stores.flatMap((store) => waitingIn(store, available, { limit: 1 })))
      const requested = stores.flatMap((store) => firstRequestDue(viewStore, store, queue, later))
      const held = rowsIfFolded(viewStore, batches, {
        where: [{ column: 'deadline', ...later }],
        orderBy: [{ column: 'deadline' }],
        limit: 1,
      })
      return [next?.available, ...requested, ...held.map(({ deadline }) => deadline)]
        .flatMap((due) => due ?? [])
        .sort()
        .at(0)
    },
  }
}

/** The oldest items, as many as the concurrent slots can take: those at rest together, each other by itself. */
const forConcurrency = (due: readonly DueRow[], concurrency: number, limits: TakeLimits) => {
  const single: DueRow[] = []
  const together: DueRow[] = []
  let taken = 0
  for (const row of due) {
    const own = row.isAtRest ? partOfSlot(row, limits) : limits.ofSlot
    if (taken > 0 && taken + own > concurrency * limits.ofSlot) break
    taken += own
    ;(row.isAtRest ? together : single).push(row)
  }
  return { single, together }
}
