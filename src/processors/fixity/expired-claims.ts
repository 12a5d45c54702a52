import { decider } from '../../domain/fixity/decide.ts'
import { type Item, itemId, itemStream } from '../../domain/fixity/item.ts'
import type { Silence } from '../../domain/kernel/lease.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Condition, ViewStore } from '../../ports/view-store.ts'
import { planFor } from '../runtime/plan.ts'
import type { Overdue, Passed } from '../runtime/ticker.ts'

const pageSize = 500

interface ClaimRow extends Pick<Silence, 'fence' | 'deadline'> {
  readonly item: Item
}

export interface ExpiredClaimsDependencies {
  readonly viewStore: ViewStore
  readonly clock: Clock
  /** How long a claim holds without a word: no deadline is further ahead, but of a clock that is. */
  readonly claimMillis: number
}

/**
 * Claims whose deadline passed without a word: written down, so that an item that kills workers gets parked. A deadline
 * that is further ahead than it can be is of a clock that ran ahead: such a claim is watched, and has passed when no word
 * came for as long as it says.
 */
export const expiredClaims = (deps: ExpiredClaimsDependencies): Overdue => {
  const { viewStore, clock, claimMillis } = deps
  let watched: ReadonlyMap<string, Silence & { readonly since: number }> = new Map()

  const claims = (where: Condition): readonly ClaimRow[] =>
    viewStore
      .query('fixity-claims', { where: [where], orderBy: [{ column: 'deadline' }], limit: pageSize })
      .map(({ store, path, fence, deadline }) => ({
        item: { store: store as string, path: path as string },
        fence: fence as number,
        deadline: deadline as string,
      }))

  /** Those of which no word came for as long as claims here hold; the domain knows for how long each of them does. */
  const silent = (ahead: readonly ClaimRow[]): readonly (readonly [ClaimRow, Silence])[] => {
    const now = clock.monotonic()
    watched = new Map(
      ahead.map(({ item, fence, deadline }) => {
        const known = watched.get(itemId(item))
        const isSame = known?.fence === fence && known.deadline === deadline
        const since = isSame ? known.since : now
        return [itemId(item), { fence, deadline, since, millis: now - since }]
      }),
    )
    return ahead
      .map((row) => [row, watched.get(itemId(row.item))!] as const)
      .filter(([, { millis }]) => millis >= claimMillis)
  }

  return {
    name: 'fixity-claims',
    passed: async (now) => {
      // Before the first fold nothing was claimed.
      if (!viewStore.shape('fixity-claims')) return []
      const farthest = addMillis(now, claimMillis)
      return [
        ...claims({ column: 'deadline', is: '<=', value: now }).map((row) => expiry(row, now)),
        ...silent(claims({ column: 'deadline', is: '>', value: farthest })).map(([row, silence]) =>
          expiry(row, now, silence),
        ),
      ]
    },
  }
}

const expiry = ({ item, fence }: ClaimRow, at: string, silence?: Silence): Passed => ({
  plan: planFor(decider, itemStream(item), { type: 'ExpireClaim', item, actor: 'ticker', at, silence }),
  causationId: `expiry/${itemId(item)}/${fence}`,
})
