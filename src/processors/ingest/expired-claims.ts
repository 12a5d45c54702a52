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
import { expiredClaimsOf } from '../runtime/expired-claims.ts'
import type { Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue } from '../runtime/ticker.ts'

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
    column: 'deadline',
    claims: (query) =>
      rowsIfFolded(viewStore, claims, query).map((row) => ({
        ...row,
        name: `${row.kind}/${row.id}`,
        route: (command) => routeOf(row, { ...command, maxDeaths }),
      })),
  })

const routeOf = ({ kind, id }: RowOf<typeof claims>, command: ExpireClaim & MaxDeaths): Route => {
  switch (kind) {
    case 'batch':
      return routeTo(batchDecider, batchStream(id), command)
    case 'job':
      return routeTo(jobDecider, jobStream(Number(id)), command)
    case 'volume':
      return routeTo(volumeDecider, volumeStream(id), command)
  }
}
