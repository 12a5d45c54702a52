import { decider } from '../../domain/fixity/decide.ts'
import { type Item, itemId, itemStream } from '../../domain/fixity/item.ts'
import { claims } from '../../domain/fixity/views.ts'
import type { Silence } from '../../domain/kernel/lease.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Condition } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue, Passed } from '../runtime/ticker.ts'

const pageSize = 500

interface ClaimRow extends Pick<Silence, 'fence' | 'deadline'> {
  readonly item: Item
}

interface ExpiredClaimsDependencies {
  readonly viewStore: ViewStore
  readonly clock: Clock
  /** How long a claim holds unless it is extended. Only a clock that ran ahead sets a deadline further ahead. */
  readonly claimMillis: number
}

/**
 * Expires claims whose deadline has passed, so that an item that kills workers gets parked. A deadline further ahead
 * than a claim holds comes from a clock that ran ahead: such a claim is watched, and expires when its holder is silent
 * for as long as it holds.
 */
export const expiredClaims = (deps: ExpiredClaimsDependencies): Overdue => {
  const { viewStore, clock, claimMillis } = deps
  let watched: ReadonlyMap<string, Silence & { readonly since: number }> = new Map()

  const claimsWhose = (deadline: Condition<'deadline'>): readonly ClaimRow[] =>
    // Before the first fold nothing was claimed.
    rowsIfFolded(viewStore, claims, {
      where: [deadline],
      orderBy: [{ column: 'deadline' }],
      limit: pageSize,
    }).map(({ store, path, fence, deadline }) => ({ item: { store, path }, fence, deadline }))

  /** Claims whose holder was silent for as long as claims here hold. The domain knows how long each of them holds. */
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
      const farthest = addMillis(now, claimMillis)
      return [
        ...claimsWhose({ column: 'deadline', is: '<=', value: now }).map((row) => expiry(row, now)),
        ...silent(claimsWhose({ column: 'deadline', is: '>', value: farthest })).map(([row, silence]) =>
          expiry(row, now, silence),
        ),
      ]
    },
  }
}

const expiry = ({ item, fence }: ClaimRow, at: string, silence?: Silence): Passed => ({
  route: routeTo(decider, itemStream(item), { type: 'ExpireClaim', item, actor: 'ticker', at, silence }),
  causationId: `expiry/${itemId(item)}/${fence}`,
})
