import { orThrow } from '../../async/unavailable.ts'
import { itemId } from '../../domain/fixity/item.ts'
import { batches, claims } from '../../domain/fixity/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Holder } from '../runtime/claim.ts'
import { type ExpiryDependencies, expiredClaimsOf, expiryOf, heldClaim } from '../runtime/expired-claims.ts'
import type { Overdue } from '../runtime/ticker.ts'
import { batchTask, checkTask } from './claims.ts'

/** Expires claims on items and on batches of them, so that an item that kills workers gets parked. */
export const expiredClaims = (deps: Omit<ExpiryDependencies, 'processLock'>): Overdue =>
  expiredClaimsOf(deps, {
    name: 'fixity-claims',
    column: 'deadline',
    // Before the first fold nothing was claimed.
    claims: (query) => [
      ...rowsIfFolded(deps.viewStore, claims, query).map(({ store, path, fence, deadline }) => {
        const item = { store, path }
        return heldClaim(itemId(item), checkTask(item), { fence, deadline })
      }),
      ...rowsIfFolded(deps.viewStore, batches, query).map(({ batch, fence, deadline }) =>
        heldClaim(batch, batchTask(batch), { fence, deadline }),
      ),
    ],
  })

/** Expires a batch whose deadline has passed. Throws `UnavailableError`. */
export const expireBatch = (
  { batch, fence }: Pick<RowOf<typeof batches>, 'batch' | 'fence'>,
  { execute, clock, worker }: Omit<Holder, 'timeoutMillis'>,
): Promise<unknown> => {
  const { decider, stream } = batchTask(batch)
  const command = { type: 'ExpireClaim', actor: worker, at: clock.now() } as const
  return orThrow(() => execute(decider, { stream, command, causationId: expiryOf(batch, fence) }), stream)
}
