import { decider } from '../../domain/indexing/decide.ts'
import { type ArchiveFile, fileId, fileStream } from '../../domain/indexing/file.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import { files } from '../../domain/indexing/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { expiredClaimsOf, type HeldClaim } from '../runtime/expired-claims.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue } from '../runtime/ticker.ts'

const pageSize = 500

interface ExpiredClaimsDependencies {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
  readonly claimMillis: number
  readonly policy: Policy
}

/** Expires claims on files, so that a file that kills workers gets parked. */
export const expiredClaims = ({
  viewStore,
  clock,
  claimMillis,
  policy,
}: ExpiredClaimsDependencies): Overdue =>
  expiredClaimsOf({
    name: 'indexing-claims',
    clock,
    claimMillis,
    claimsWhose: (deadline) =>
      rowsIfFolded(viewStore, files, {
        where: [{ ...deadline, column: 'heldUntil' }],
        orderBy: [{ column: 'heldUntil' }],
        limit: pageSize,
      }).map(({ repository, name, fence, heldUntil }) =>
        heldFile({ repository, name }, fence, heldUntil ?? '', policy),
      ),
  })

const heldFile = (file: ArchiveFile, fence: number, deadline: string, policy: Policy): HeldClaim => ({
  name: fileId(file),
  fence,
  deadline,
  expiry: (ending) => ({
    route: routeTo(decider, fileStream(file), {
      type: 'ExpireClaim',
      file,
      actor: 'ticker',
      ...ending,
      policy,
    }),
    causationId: `expiry/${fileId(file)}/${fence}`,
  }),
})
