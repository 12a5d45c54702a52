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
import { expiredClaimsOf, expiryOf, type HeldClaim } from '../runtime/expired-claims.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue } from '../runtime/ticker.ts'

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
    column: 'deadline',
    // Before the first fold nothing was claimed.
    claims: (query) => [
      ...rowsIfFolded(viewStore, claims, query).map(heldItem),
      ...rowsIfFolded(viewStore, batches, query).map(heldBatch),
    ],
  })

const heldItem = ({ store, path, fence, deadline }: RowOf<typeof claims>): HeldClaim => {
  const item = { store, path }
  return {
    name: itemId(item),
    fence,
    deadline,
    route: (command) => routeTo(decider, itemStream(item), { ...command, item }),
  }
}

const heldBatch = ({ batch, fence, deadline }: RowOf<typeof batches>): HeldClaim => ({
  name: batch,
  fence,
  deadline,
  route: (command) => routeTo(batchDecider, batchStream(batch), command),
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
