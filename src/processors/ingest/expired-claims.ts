import type { MaxDeaths } from '../../domain/ingest/claim.ts'
import { claims } from '../../domain/ingest/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import {
  type ExpiryDependencies,
  expiredClaimsOf,
  type HeldClaim,
  heldClaim,
} from '../runtime/expired-claims.ts'
import type { Overdue } from '../runtime/ticker.ts'
import { batchTask, jobTask, volumeTask } from './claims.ts'

type ExpiredClaimsDependencies = ExpiryDependencies & MaxDeaths

/**
 * Expires claims of workers that fell silent: the claimed batch, job or volume stays in its state. A job that too many
 * workers died of is set aside.
 */
export const expiredClaims = (deps: ExpiredClaimsDependencies): Overdue =>
  expiredClaimsOf(deps, {
    name: 'ingest-claims',
    column: 'deadline',
    claims: (query) => rowsIfFolded(deps.viewStore, claims, query).map((row) => heldStep(row, deps)),
  })

const heldStep = (row: RowOf<typeof claims>, deaths: MaxDeaths): HeldClaim => {
  const { kind, id } = row
  const name = `${kind}/${id}`
  switch (kind) {
    case 'batch':
      return heldClaim(name, batchTask(id, deaths), row)
    case 'job':
      return heldClaim(name, jobTask(Number(id), deaths), row)
    case 'volume':
      return heldClaim(name, volumeTask(id), row)
  }
}
