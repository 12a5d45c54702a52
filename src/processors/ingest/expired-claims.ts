import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import type { MaxDeaths } from '../../domain/ingest/claim.ts'
import { batchStream, jobStream, volumeStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { claims } from '../../domain/ingest/views.ts'
import { volumeDecider } from '../../domain/ingest/volume/decide.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ExpireClaim } from '../../domain/kernel/task.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { expiredClaimsOf, type HeldClaim } from '../runtime/expired-claims.ts'
import type { Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue } from '../runtime/ticker.ts'

const pageSize = 500

type ClaimRow = RowOf<typeof claims>

interface ExpiredClaimsDependencies extends MaxDeaths {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
  readonly claimMillis: number
  readonly processLock?: Pick<ProcessLock, 'hasEnded'> | undefined
}

/**
 * Expires claims of workers that fell silent: the claimed batch, job or volume stays in its state. A job that too many
 * workers died of is set aside.
 */
export const expiredClaims = ({ viewStore, maxDeaths, ...rest }: ExpiredClaimsDependencies): Overdue =>
  expiredClaimsOf({
    ...rest,
    name: 'ingest-claims',
    claimsWhose: (deadline) =>
      rowsIfFolded(viewStore, claims, {
        where: [deadline],
        orderBy: [{ column: 'deadline' }],
        limit: pageSize,
      }).map((row) => heldClaim(row, maxDeaths)),
  })

const heldClaim = (row: ClaimRow, maxDeaths: number | undefined): HeldClaim => {
  const { kind, id, fence, deadline, holder, lock } = row
  const name = `${kind}/${id}`
  return {
    name,
    fence,
    deadline,
    holder,
    lock,
    expiry: (ending) => ({
      route: routeOf(row, { type: 'ExpireClaim', actor: 'ticker', ...ending, maxDeaths }),
      causationId: `expiry/${name}/${fence}`,
    }),
  }
}

const routeOf = ({ kind, id }: ClaimRow, command: ExpireClaim & MaxDeaths): Route => {
  switch (kind) {
    case 'batch':
      return routeTo(batchDecider, batchStream(id), command)
    case 'job':
      return routeTo(jobDecider, jobStream(Number(id)), command)
    case 'volume':
      return routeTo(volumeDecider, volumeStream(id), command)
  }
}
