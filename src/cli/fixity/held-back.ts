import type { System } from '../../app/system.ts'
import { budgetStanding } from '../../domain/fixity/due/budgets.ts'
import { addMillis, SECOND } from '../../domain/kernel/time.ts'
import { bytes, plural } from '../output/text.ts'
import { dueAndFree, type Scopes } from './pending.ts'

/** A store whose checks wait for the next day of its byte budget. */
export interface HeldBack {
  readonly store: string
  /** Items in scope that wait. */
  readonly items: number
  readonly bytesPerDay: number
  /** Today. */
  readonly bytesRead: number
  readonly goesOnAt: string
}

/** Returns the stores of which nothing more is begun today, and nothing is under way. */
export const heldBackStores = (
  { viewStore, clock }: Pick<System, 'viewStore' | 'clock'>,
  stores: readonly string[],
): readonly Omit<HeldBack, 'items'>[] =>
  stores.flatMap((store) => {
    const standing = budgetStanding(viewStore, store, clock.now())
    if (!standing || standing.goesOnAt === null || standing.inHand > 0) return []
    const { bytesPerDay, read: bytesRead, goesOnAt } = standing
    return [{ store, bytesPerDay, bytesRead, goesOnAt }]
  })

/** Counts the items in scope that wait for the next day; leaves out stores without any. */
export const heldBackIn = (system: System, scopes: Scopes): readonly HeldBack[] => {
  const soon = addMillis(system.clock.now(), SECOND)
  return scopes.flatMap((scope) =>
    heldBackStores(system, [scope.store])
      .map((store) => ({ ...store, items: dueAndFree(system, [scope], soon) }))
      .filter(({ items }) => items > 0),
  )
}

export const heldBackSentence = ({ store, items, bytesPerDay, bytesRead, goesOnAt }: HeldBack): string =>
  `${plural(items, 'item')} of store ${store} not checked yet: its byte budget is ${bytes(bytesPerDay)} a day of UTC, and ` +
  `${bytes(bytesRead)} of it ${bytesRead === 1 ? 'is' : 'are'} read today; the checks go on at ${goesOnAt}, by \`fonds start\`, or by \`fonds fixity check --wait\``
