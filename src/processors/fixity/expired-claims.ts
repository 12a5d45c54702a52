import { orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/fixity/batch/decide.ts'
import { batchStream } from '../../domain/fixity/batch/events.ts'
import { decider } from '../../domain/fixity/decide.ts'
import { itemId, itemStream } from '../../domain/fixity/item.ts'
import { batches, claims } from '../../domain/fixity/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Execute } from '../runtime/execute.ts'
import { expiredClaimsOf, type HeldClaim } from '../runtime/expired-claims.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue } from '../runtime/ticker.ts'

const pageSize = 500

interface ExpiredClaimsDependencies {
  readonly viewStore: ViewStore
  readonly clock: Clock
  readonly claimMillis: number
}

/** Expires claims on items and on batches of them, so that an item that kills workers gets parked. */
export const expiredClaims = ({ viewStore, clock, claimMillis }: ExpiredClaimsDependencies): Overdue =>
  expiredClaimsOf({
    name: 'fixity-claims',
    clock,
    claimMillis,
    claimsWhose: (deadline) => {
      const oldest = { where: [deadline], orderBy: [{ column: 'deadline' }], limit: pageSize } as const
      // Before the first fold nothing was claimed.
      return [
        ...rowsIfFolded(viewStore, claims, oldest).map(heldItem),
        ...rowsIfFolded(viewStore, batches, oldest).map(heldBatch),
      ]
    },
  })

const heldItem = ({ store, path, fence, deadline }: RowOf<typeof claims>): HeldClaim => {
  const item = { store, path }
  const name = itemId(item)
  return {
    name,
    fence,
    deadline,
    expiry: (ending) => ({
      route: routeTo(decider, itemStream(item), { type: 'ExpireClaim', item, actor: 'ticker', ...ending }),
      causationId: `expiry/${name}/${fence}`,
    }),
  }
}

const heldBatch = ({ batch, fence, deadline }: RowOf<typeof batches>): HeldClaim => ({
  name: batch,
  fence,
  deadline,
  expiry: (ending) => ({
    route: routeTo(batchDecider, batchStream(batch), { type: 'ExpireClaim', actor: 'ticker', ...ending }),
    causationId: expiryOf(batch, fence),
  }),
})

/** Expires a batch whose deadline has passed. Throws `UnavailableError`. */
export const expireBatch = (
  { batch, fence }: Pick<RowOf<typeof batches>, 'batch' | 'fence'>,
  { execute, clock, worker }: { readonly execute: Execute; readonly clock: Clock; readonly worker: string },
): Promise<unknown> => {
  const command = { type: 'ExpireClaim', actor: worker, at: clock.now() } as const
  const stream = batchStream(batch)
  return orThrow(
    () => execute(batchDecider, { stream, command, causationId: expiryOf(batch, fence) }),
    stream,
  )
}

/** Causation id of an expiry: the same in all processes, so that a claim expires once. */
const expiryOf = (batch: string, fence: number): string => `expiry/${batch}/${fence}`
