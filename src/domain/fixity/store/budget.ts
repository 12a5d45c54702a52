import { addMillis, DAY } from '../../kernel/time.ts'

/** Bytes that the checks of a store may read in a day of UTC, and have read of it. */
export interface DayBudget {
  readonly bytesPerDay: number
  /** By checks that ended today. */
  readonly read: number
  /** By checks under way, as much as is recorded of their items. */
  readonly inHand: number
}

export const dayOf = (instant: string): string => instant.slice(0, '2026-01-31'.length)

/** The beginning of the next day of UTC. */
export const nextDay = (now: string): string => addMillis(`${dayOf(now)}T00:00:00.000Z`, DAY)

export const leftOf = ({ bytesPerDay, read, inHand }: DayBudget): number =>
  Math.max(0, bytesPerDay - read - inHand)

interface Sized {
  /** Bytes as recorded; null if that is not known, which counts as nothing until it is read. */
  readonly size: number | null
  /** Its last check did not read it, for it was archived: whether this one does is not known before. */
  readonly mayBeUnread?: boolean
}

/**
 * Returns the first items that fit into what is left of the day. The first that does not fit holds back those behind
 * it, so that a large one has its turn on the next day. One that is larger than the whole budget is read on a day of
 * which nothing was read before. One that may be unread goes while anything is left, and counts for those behind it: if
 * it is read all the same, the budget is overrun by this one item.
 */
export const withinBudget = <Item extends Sized>(
  budget: DayBudget | undefined,
  inOrder: readonly Item[],
): readonly Item[] => {
  if (!budget) return inOrder
  let used = budget.read + budget.inHand
  const end = inOrder.findIndex(({ size, mayBeUnread }) => {
    const goes = used === 0 || (mayBeUnread === true && used < budget.bytesPerDay)
    used += size ?? 0
    return used > budget.bytesPerDay && !goes
  })
  return end < 0 ? inOrder : inOrder.slice(0, end)
}
