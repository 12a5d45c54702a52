import type { WorkState } from '../../../domain/ingest/transitions.ts'
import { claims, jobs } from '../../../domain/ingest/views.ts'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { type ConditionOn, countRows, is, narrowRows, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { JobRow } from '../tables.ts'
import { returnedBy } from './queue.ts'
import type { WhyReason } from './why-answer.ts'

interface Turn {
  readonly now: string
  /** Jobs that a process works on at once. */
  readonly atOnce: number
  /** Counts no further than this; absent: counts all. */
  readonly maxAhead?: number
  /** False: no process runs that works on jobs. Absent: it is not known. */
  readonly hasWorker?: boolean | undefined
}

/** A job that may be claimed: how many go before it, and how many are worked on meanwhile. */
export const waitsItsTurn = (
  views: Views,
  row: JobRow,
  state: WorkState,
  { now, atOnce, maxAhead, hasWorker }: Turn,
): WhyReason => {
  const before = { column: 'order', is: '<', value: row.order } as const
  const queues = [[is('state', state), is('available', '')] as const, returnedBy(state, now)]
  const ahead = queues.reduce((sum, where) => sum + countOf(views, [...where, before], maxAhead), 0)
  const [first] = queues
    .flatMap((where) =>
      rows(views, jobs, { where: [...where, before], orderBy: [{ column: 'order' }], limit: 1 }),
    )
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  const running = runningJobs(views, now).length
  const numbers = { running, atOnce }
  const meanwhile = workMeanwhile(running, atOnce, hasWorker)
  if (!first)
    return {
      kind: 'next',
      says: `it is the next that a worker claims for ${state}; ${meanwhile}`,
      ahead: 0,
      ...numbers,
    }
  const isCut = maxAhead !== undefined && ahead >= maxAhead
  const those = `${isCut ? `${count(maxAhead)} jobs or more` : plural(ahead, 'job')} ${ahead === 1 ? 'goes' : 'go'}`
  return {
    kind: 'behind',
    says: `${those} before it in ${state}, job ${first.job} of batch ${first.batchNumber} first; ${meanwhile}`,
    ahead,
    first: first.job,
    ...numbers,
  }
}

/** Numbers of the jobs that are claimed now. */
export const runningJobs = (views: Pick<Views, 'query'>, now: string): readonly number[] =>
  narrowRows(views, claims, ['id'], {
    where: [is('kind', 'job'), { column: 'deadline', is: '>', value: now }],
  }).map(({ id }) => Number(id))

/** `hasWorker`: undefined where it is not known. */
export const workMeanwhile = (running: number, atOnce: number, hasWorker: boolean | undefined): string =>
  hasWorker === false && running === 0
    ? 'no process runs that works on jobs: `fonds start` starts one'
    : workUnderWay(running, atOnce)

export const workUnderWay = (running: number, atOnce: number): string =>
  running === 0
    ? `no job is worked on now (a process works on ${count(atOnce)} at once)`
    : `${plural(running, 'job is', 'jobs are')} worked on now (a process works on ${count(atOnce)} at once)`

const countOf = (views: Views, where: readonly ConditionOn<typeof jobs>[], most: number | undefined) =>
  most === undefined
    ? countRows(views, jobs, ...where)
    : narrowRows(views, jobs, ['order'], { where, limit: most }).length
