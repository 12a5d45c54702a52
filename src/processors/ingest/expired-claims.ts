import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { batchStream, jobStream, volumeStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { claims } from '../../domain/ingest/views.ts'
import { volumeDecider } from '../../domain/ingest/volume/decide.ts'
import type { Silence } from '../../domain/kernel/lease.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Condition, RowOf } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue, Passed } from '../runtime/ticker.ts'

const pageSize = 500

type ClaimRow = RowOf<typeof claims>

interface ExpiredClaimsDependencies {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
  /** How long a claim holds without a word. Only a clock that ran ahead sets a deadline further ahead. */
  readonly claimMillis: number
}

/**
 * Gives back what a worker was not heard of again with, in the state that it was in. A deadline further ahead than a claim
 * holds comes from a clock that ran ahead: such a claim expires when its holder is silent for as long as it holds.
 */
export const expiredClaims = ({ viewStore, clock, claimMillis }: ExpiredClaimsDependencies): Overdue => {
  let watched: ReadonlyMap<string, Silence & { readonly since: number }> = new Map()

  const claimsWhose = (deadline: Condition<'deadline'>): readonly ClaimRow[] =>
    rowsIfFolded(viewStore, claims, { where: [deadline], orderBy: [{ column: 'deadline' }], limit: pageSize })

  const silent = (ahead: readonly ClaimRow[]): readonly Passed[] => {
    const now = clock.monotonic()
    watched = new Map(ahead.map((row) => [nameOf(row), watch(row, now)]))
    return ahead.flatMap((row) => {
      const silence = watched.get(nameOf(row))!
      return silence.millis >= claimMillis ? [expiry(row, clock.now(), silence)] : []
    })
  }

  const watch = (row: ClaimRow, now: number): Silence & { readonly since: number } => {
    const { fence, deadline } = row
    const known = watched.get(nameOf(row))
    const since = known?.fence === fence && known.deadline === deadline ? known.since : now
    return { fence, deadline, since, millis: now - since }
  }

  return {
    name: 'ingest-claims',
    passed: async (now) => [
      ...claimsWhose({ column: 'deadline', is: '<=', value: now }).map((row) => expiry(row, now)),
      ...silent(claimsWhose({ column: 'deadline', is: '>', value: addMillis(now, claimMillis) })),
    ],
  }
}

const nameOf = ({ kind, id }: ClaimRow): string => `${kind}/${id}`

const expiry = (row: ClaimRow, at: string, silence?: Silence): Passed => ({
  route: routeOf(row, { type: 'ExpireClaim', actor: 'ticker', at, silence }),
  causationId: `expiry/${nameOf(row)}/${row.fence}`,
})

interface Expire {
  readonly type: 'ExpireClaim'
  readonly actor: string
  readonly at: string
  readonly silence: Silence | undefined
}

const routeOf = ({ kind, id }: ClaimRow, command: Expire): Route => {
  switch (kind) {
    case 'batch':
      return routeTo(batchDecider, batchStream(id), command)
    case 'job':
      return routeTo(jobDecider, jobStream(Number(id)), command)
    case 'volume':
      return routeTo(volumeDecider, volumeStream(id), command)
  }
}
