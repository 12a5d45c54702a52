import { decider } from '../../domain/indexing/decide.ts'
import { fileId, fileStream } from '../../domain/indexing/file.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import { files } from '../../domain/indexing/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { expiredClaimsOf } from '../runtime/expired-claims.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue } from '../runtime/ticker.ts'

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
    column: 'heldUntil',
    claims: (query) =>
      rowsIfFolded(viewStore, files, query).map(({ repository, name, fence, heldUntil }) => {
        const file = { repository, name }
        return {
          name: fileId(file),
          fence,
          deadline: heldUntil ?? '',
          route: (command) => routeTo(decider, fileStream(file), { ...command, file, policy }),
        }
      }),
  })
