import type { System } from '../../app/system.ts'
import { budgetOf } from '../../domain/fixity/due/budgets.ts'
import { leftOf } from '../../domain/fixity/store/budget.ts'
import { hasUnread, items, stores } from '../../domain/fixity/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { type ConditionOn, countRows, is, row, tally } from '../../domain/kernel/read-views.ts'
import { bytes, count, plural, visible } from '../output/text.ts'
import { type EstimatedRequests, requestsText } from './bucket-costs.ts'
import { type CheckScope, scopeIn, storesIn } from './check.ts'

interface BudgetEstimate {
  readonly bytesPerDay: number
  /** Today, by UTC. */
  readonly bytesLeft: number
  /** Days of UTC on which the check reads, today included where anything is left of it; other checks may take more. */
  readonly days: number
}

interface StoreEstimate {
  readonly store: string
  readonly root: string
  readonly items: number
  /** Bytes of those items whose size is recorded. */
  readonly bytes: number
  /** Items that nobody recorded the size of. */
  readonly unknownSize: number
  /** For buckets alone. */
  readonly requests?: EstimatedRequests
  /** For stores with a byte budget. */
  readonly budget?: BudgetEstimate
}

/** Items, bytes and requests of a check, before it is made: from the views, without asking any storage. */
export const estimateCheck = (
  system: System,
  scope: CheckScope,
  /** Address or path of the manifest of an inventory, which lists the bucket in the place of requests. */
  inventory?: string,
): readonly StoreEstimate[] =>
  storesIn(system, scope).map((store) => {
    const { viewStore } = system
    const root = row(viewStore, stores, is('store', store))?.root ?? ''
    const { where } = scopeIn(store, scope)
    const found = tally(viewStore, items, { by: [], sum: ['size'], where })[0]
    const total = found?.count ?? 0
    const unread = hasUnread(viewStore.shape(items.name))
      ? countRows(viewStore, items, ...where, is('unread', 1))
      : 0
    return {
      store,
      root,
      items: total,
      bytes: found?.size ?? 0,
      unknownSize: countRows(viewStore, items, ...where, is('size', null)),
      ...(isBucketAddress(root) && {
        requests: {
          // The manifest; the files that it names come besides.
          get: total - unread + (inventory !== undefined && isBucketAddress(inventory) ? 1 : 0),
          list:
            scope.item || inventory !== undefined
              ? 0
              : pagesOf(countRows(viewStore, items, ...listed(store, scope))),
          head: 1 + unread,
        },
      }),
      ...budgetFor(system, store, found?.size ?? 0),
    }
  })

/** Requests of a check to all buckets in scope; undefined if there are none. */
export const estimateRequests = (
  system: System,
  scope: CheckScope,
  inventory?: string,
): EstimatedRequests | undefined => {
  const inBucket = (store: string) =>
    isBucketAddress(row(system.viewStore, stores, is('store', store))?.root ?? '')
  const buckets = storesIn(system, scope).filter(inBucket)
  return buckets
    .flatMap((store) => estimateCheck(system, { ...scope, store }, inventory))
    .flatMap(({ requests }) => requests ?? [])
    .reduce<EstimatedRequests | undefined>(
      (sum, { get, list, head }) => ({
        get: (sum?.get ?? 0) + get,
        list: (sum?.list ?? 0) + list,
        head: (sum?.head ?? 0) + head,
      }),
      undefined,
    )
}

const budgetFor = (
  { viewStore, clock }: System,
  store: string,
  size: number,
): Pick<StoreEstimate, 'budget'> => {
  const budget = budgetOf(viewStore, store, { now: clock.now() })
  if (!budget) return {}
  const { bytesPerDay } = budget
  const bytesLeft = leftOf(budget)
  const today = bytesLeft > 0 ? 1 : 0
  const days = today + Math.ceil(Math.max(0, size - bytesLeft) / bytesPerDay)
  return { budget: { bytesPerDay, bytesLeft, days } }
}

const namesOfPage = 1000

/** An empty place is a page, too. */
const pagesOf = (names: number): number => Math.max(1, Math.ceil(names / namesOfPage))

/** A listing is of a folder: all that is below the last slash of the prefix. */
const listed = (store: string, { prefix = '' }: CheckScope): readonly ConditionOn<typeof items>[] => {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const inStore = [is('store', store), is('removed', 0)]
  return folder === '' ? inStore : [...inStore, { column: 'path', is: 'prefix', value: folder }]
}

/** For people. */
export const estimateLines = (estimates: readonly StoreEstimate[]): readonly string[] =>
  estimates.map(({ store, root, items: some, bytes: size, unknownSize, requests, budget }) => {
    const unknown = unknownSize > 0 ? `, and ${count(unknownSize)} of unknown size` : ''
    const asked = requests ? `; at least ${requestsText(requests)}` : ''
    const limited = budget
      ? `; by its budget of ${bytes(budget.bytesPerDay)} a day of UTC at least ${plural(budget.days, 'day')}, ${bytes(budget.bytesLeft)} of it today`
      : ''
    return `${store} (${visible(root)}): ${plural(some, 'item')}, ${bytes(size)}${unknown}${asked}${limited}`
  })
