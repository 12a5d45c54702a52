import { fileId } from '../../domain/indexing/file.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import { files } from '../../domain/indexing/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { type ExpiryDependencies, expiredClaimsOf, heldClaim } from '../runtime/expired-claims.ts'
import type { Overdue } from '../runtime/ticker.ts'
import { fileTask } from './claims.ts'

interface ExpiredClaimsDependencies extends ExpiryDependencies {
  readonly policy: Policy
}

/** Expires claims on files, so that a file that kills workers gets parked. */
export const expiredClaims = (deps: ExpiredClaimsDependencies): Overdue =>
  expiredClaimsOf(deps, {
    name: 'indexing-claims',
    column: 'heldUntil',
    claims: (query) =>
      rowsIfFolded(deps.viewStore, files, query).map(({ repository, name, fence, heldUntil }) => {
        const file = { repository, name }
        return heldClaim(fileId(file), fileTask(file, deps.policy), { fence, deadline: heldUntil ?? '' })
      }),
  })
