import { batchDecider } from '../../domain/fixity/batch/decide.ts'
import { batchStream } from '../../domain/fixity/batch/events.ts'
import { decider } from '../../domain/fixity/decide.ts'
import { itemId, itemStream } from '../../domain/fixity/item.ts'
import { batches, claims } from '../../domain/fixity/views.ts'
import type { Silence } from '../../domain/kernel/lease.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Condition, RowOf } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue, Passed } from '../runtime/ticker.ts'

const pageSize = 500

/** A claim as a view shows it, and the command that expires it. */
interface Held extends Pick<Silence, 'fence' | 'deadline'> {
  readonly name: string
  readonly expiry: (at: string, silence?: Silence) => Passed
}

interface ExpiredClaimsDependencies {
  readonly viewStore: ViewStore
  readonly clock: Clock
  /** How long a claim holds unless it is extended. Only a clock that ran ahead sets a deadline further ahead. */
  readonly claimMillis: number
}

/**
 * Expires claims whose deadline has passed, on items and on batches of them, so that an item that kills workers gets parked. A
 * deadline further ahead than a claim holds comes from a clock that ran ahead: such a claim is watched, and expires when its holder is
 * silent for as long as it holds.
 */
export const expiredClaims = (deps: ExpiredClaimsDependencies): Overdue => {
  const { viewStore, clock, claimMillis } = deps
  let watched: ReadonlyMap<string, Silence & { readonly since: number }> = new Map()

  const claimsWhose = (deadline: Condition<'deadline'>): readonly Held[] => {
    const oldest = { where: [deadline], orderBy: [{ column: 'deadline' }], limit: pageSize } as const
    // Before the first fold nothing was claimed.
    return [
      ...rowsIfFolded(viewStore, claims, oldest).map(heldItem),
      ...rowsIfFolded(viewStore, batches, oldest).map(heldBatch),
    ]
  }

  /** Claims whose holder was silent for as long as claims here hold. The domain knows how long each of them holds. */
  const silent = (ahead: readonly Held[]): readonly (readonly [Held, Silence])[] => {
    const now = clock.monotonic()
    watched = new Map(
      ahead.map(({ name, fence, deadline }) => {
        const known = watched.get(name)
        const isSame = known?.fence === fence && known.deadline === deadline
        const since = isSame ? known.since : now
        return [name, { fence, deadline, since, millis: now - since }]
      }),
    )
    return ahead
      .map((held) => [held, watched.get(held.name)!] as const)
      .filter(([, { millis }]) => millis >= claimMillis)
  }

  return {
    name: 'fixity-claims',
    passed: async (now) => {
      const farthest = addMillis(now, claimMillis)
      return [
        ...claimsWhose({ column: 'deadline', is: '<=', value: now }).map(({ expiry }) => expiry(now)),
        ...silent(claimsWhose({ column: 'deadline', is: '>', value: farthest })).map(([held, silence]) =>
          held.expiry(now, silence),
        ),
      ]
    },
  }
}

const heldItem = ({ store, path, fence, deadline }: RowOf<typeof claims>): Held => {
  const item = { store, path }
  const name = itemId(item)
  const expiry = (at: string, silence?: Silence): Passed => ({
    route: routeTo(decider, itemStream(item), { type: 'ExpireClaim', item, actor: 'ticker', at, silence }),
    causationId: `expiry/${name}/${fence}`,
  })
  return { name, fence, deadline, expiry }
}

const heldBatch = ({ batch, fence, deadline }: RowOf<typeof batches>): Held => {
  const expiry = (at: string, silence?: Silence): Passed => ({
    route: routeTo(batchDecider, batchStream(batch), { type: 'ExpireBatch', actor: 'ticker', at, silence }),
    causationId: `expiry/${batch}/${fence}`,
  })
  return { name: batch, fence, deadline, expiry }
}
