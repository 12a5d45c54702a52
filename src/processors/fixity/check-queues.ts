import type { FixityTask } from '../../domain/fixity/check-task.ts'
import { budgetOf, fitting, hasBudget, isHeldBack } from '../../domain/fixity/due/budgets.ts'
import { dueItems, oldest, waitingItems } from '../../domain/fixity/due/due-items.ts'
import { type DueRow, firstRequestDue } from '../../domain/fixity/due/requested.ts'
import type { Queue } from '../../domain/fixity/events.ts'
import { nextDay } from '../../domain/fixity/store/budget.ts'
import { batches } from '../../domain/fixity/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { TaskQueue } from '../../ports/task-queue.ts'
import { claimAll } from '../runtime/claim-queue.ts'
import { claimBatch } from './batch-claims.ts'
import { inBatches, partOfSlot, type TakeLimits, unthrottled } from './batch-sizes.ts'
import { type ClaimDependencies, claimCheck } from './claims.ts'
import { expireBatch } from './expired-claims.ts'

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

  const dueIn = async (store: string, limit: number): Promise<readonly DueRow[]> => {
    const held = await heldIn(store)
    const now = clock.now()
    const budget = budgetOf(viewStore, store, { now })
    // An urgent check that waits for the next day is not overtaken by others.
    if (budget && queue === 'low' && isHeldBack(viewStore, store, 'high', budget, now)) return []
    const ofClaims = budget && budgetOf(viewStore, store, { now, countsUnread: true })
    return fitting(viewStore, store, ofClaims, dueItems(viewStore, store, queue, { now, held, limit }))
  }

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
    // Tasks that were due before could be taken, and would hide the next one.
    nextDue: async (since = clock.now()) => {
      const later = { is: '>', value: since } as const
      const stores = await deps.stores()
      const available = { column: 'available', ...later } as const
      const [next] = oldest(
        stores.flatMap((store) => waitingItems(viewStore, store, queue, available, { limit: 1 })),
      )
      const requested = stores.flatMap((store) => firstRequestDue(viewStore, store, queue, later))
      const held = rowsIfFolded(viewStore, batches, {
        where: [{ column: 'deadline', ...later }],
        orderBy: [{ column: 'deadline' }],
        limit: 1,
      })
      const nextBudget = stores.some((store) => hasBudget(viewStore, store)) ? nextDay(since) : undefined
      return [next?.available, nextBudget, ...requested, ...held.map(({ deadline }) => deadline)]
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
