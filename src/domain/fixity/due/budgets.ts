import { type ConditionOn, countRows, is, rowsIfFolded, tally } from '../../kernel/read-views.ts'
import type { Views } from '../../kernel/view.ts'
import type { Queue } from '../events.ts'
import { type DayBudget, dayOf, nextDay, withinBudget } from '../store/budget.ts'
import { batches, claims, items, reads, stores } from '../views.ts'
import { dueItems } from './due-items.ts'
import { countRequested } from './requested.ts'

/* Byte budgets of stores, as the views show what was read and what is being read. Any number of processes share them. */

type Viewing = Pick<Views, 'query' | 'tally'>

interface As {
  readonly now: string
  /** Counts batches that were claimed before this position of the log alone. */
  readonly before?: bigint
  /** Counts archived items in hand as if they were read: whether they are restored is known once they are opened. */
  readonly countsUnread?: boolean
}

export const hasBudget = (viewStore: Viewing, store: string): boolean =>
  bytesPerDayOf(viewStore, store) !== undefined

/** Undefined if the store has no budget. */
export const budgetOf = (
  viewStore: Viewing,
  store: string,
  { now, before, countsUnread = false }: As,
): DayBudget | undefined => {
  const bytesPerDay = bytesPerDayOf(viewStore, store)
  if (bytesPerDay === undefined) return undefined
  // In this order, what ends meanwhile is counted twice, and never not at all.
  const held = inHand(viewStore, store, before, countsUnread)
  return { bytesPerDay, read: readOn(viewStore, store, dayOf(now)), inHand: held }
}

/** Views that an older program folded have no such column. */
const bytesPerDayOf = (viewStore: Viewing, store: string): number | undefined =>
  rowsIfFolded(viewStore, stores, { where: [is('store', store)] })[0]?.bytesPerDay ?? undefined

const readOn = (viewStore: Viewing, store: string, day: string): number =>
  rowsIfFolded(viewStore, reads, { where: [is('store', store), is('day', day)] })[0]?.bytes ?? 0

const inHand = (
  viewStore: Viewing,
  store: string,
  before: bigint | undefined,
  countsUnread: boolean,
): number => {
  const mine = is('store', store)
  const earlier: readonly ConditionOn<typeof batches>[] =
    before === undefined ? [] : [{ column: 'position', is: '<', value: Number(before) }]
  const paths = new Set([
    ...rowsIfFolded(viewStore, claims, { where: [mine] }).map(({ path }) => path),
    ...rowsIfFolded(viewStore, batches, { where: [mine, ...earlier] }).flatMap((batch) => batch.paths),
  ])
  const unread = countsUnread ? new Set<string>() : unreadAmong(viewStore, store, [...paths])
  return recordedBytes(
    viewStore,
    store,
    [...paths].filter((path) => !unread.has(path)),
  )
}

/** Paths asked for in one query. */
const atOnce = 5000

const recordedBytes = (viewStore: Viewing, store: string, paths: readonly string[]): number => {
  let bytes = 0
  for (let i = 0; i < paths.length; i += atOnce) {
    const some = { column: 'path', is: 'in', value: paths.slice(i, i + atOnce) } as const
    bytes +=
      tally(viewStore, items, { by: [], sum: ['size'], where: [is('store', store), some] })[0]?.size ?? 0
  }
  return bytes
}

/** Items whose bytes the last check did not read, for they are archived: the next one mostly does not, either. */
const unreadAmong = (viewStore: Viewing, store: string, paths: readonly string[]): ReadonlySet<string> => {
  const unread = new Set<string>()
  for (let i = 0; i < paths.length; i += atOnce) {
    const some = { column: 'path', is: 'in', value: paths.slice(i, i + atOnce) } as const
    const where = [is('store', store), is('unread', 1), some]
    for (const { path } of rowsIfFolded(viewStore, items, { where })) unread.add(path)
  }
  return unread
}

/** Returns the first of these items of a store, due in this order, that fit into what is left of the day. */
export const fitting = <Item extends { readonly path: string; readonly size: number | null }>(
  viewStore: Viewing,
  store: string,
  budget: DayBudget | undefined,
  due: readonly Item[],
): readonly Item[] => {
  if (!budget) return due
  const unread = unreadAmong(
    viewStore,
    store,
    due.map(({ path }) => path),
  )
  const sized = due.map(({ path, size }) => ({ size, mayBeUnread: unread.has(path) }))
  return due.slice(0, withinBudget(budget, sized).length)
}

/** True if the first free check of a queue that is due does not fit into what is left of the day. */
export const isHeldBack = (
  viewStore: Viewing,
  store: string,
  queue: Queue,
  budget: DayBudget,
  now: string,
): boolean => {
  const held = new Set(heldByBatches(viewStore, store).flatMap(({ paths }) => paths))
  const [first] = dueItems(viewStore, store, queue, { now, held, limit: 1 })
  return first !== undefined && fitting(viewStore, store, budget, [first]).length === 0
}

/** A store's budget as a person is to see it. Times are ISO 8601 UTC. */
export interface BudgetStanding extends DayBudget {
  /** Checks that are due, and wait because the next one of them does not fit into the rest of the day. */
  readonly waiting: number
  /** When they go on; null if none waits. */
  readonly goesOnAt: string | null
}

/** Undefined if the store has no budget. */
export const budgetStanding = (
  viewStore: Viewing,
  store: string,
  now: string,
): BudgetStanding | undefined => {
  const budget = budgetOf(viewStore, store, { now })
  if (!budget) return undefined
  const isWaiting = queues.some((queue) => isHeldBack(viewStore, store, queue, budget, now))
  return isWaiting
    ? { ...budget, waiting: dueIn(viewStore, store, now), goesOnAt: nextDay(now) }
    : { ...budget, waiting: 0, goesOnAt: null }
}

const queues: readonly Queue[] = ['high', 'low']

/** Items that are due by the schedule mostly wait in a request, too, if there is one: they are counted once. */
const dueIn = (viewStore: Viewing, store: string, now: string): number => {
  const due = { column: 'available', is: '<=', value: now } as const
  const [high = 0, low = 0] = queues.map((queue) =>
    countRows(viewStore, items, is('store', store), is('queue', queue), due),
  )
  const held = heldByBatches(viewStore, store).reduce((sum, batch) => sum + batch.items, 0)
  return Math.max(1, high + Math.max(low, countRequested(viewStore, store, now)) - held)
}

const heldByBatches = (viewStore: Viewing, store: string) =>
  rowsIfFolded(viewStore, batches, { where: [is('store', store)] })
