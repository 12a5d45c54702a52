import { type WorkState, workStates } from '../../../domain/ingest/transitions.ts'
import { jobs } from '../../../domain/ingest/views.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { JobRow } from '../tables.ts'
import type { QueueLine } from './answers.ts'
import { sizeOfJob } from './reading.ts'

interface QueueScope {
  readonly state?: WorkState
  readonly limit: number
}

/** Jobs that may be claimed now, in the exact order of their claims, state by state. */
export const queueLines = (views: Views, now: string, { state, limit }: QueueScope): readonly QueueLine[] => {
  const lines: QueueLine[] = []
  for (const each of state === undefined ? workStates : [state]) {
    if (lines.length >= limit) break
    const waiting = waitingIn(views, each, now, limit - lines.length)
    lines.push(...waiting.map((row, i) => queueLine(row, each, i + 1)))
  }
  return lines
}

/**
 * Waiting jobs of a state. A job whose claim ran out, or that was put off until now, is back in the queue at its place.
 */
const waitingIn = (views: Views, state: WorkState, now: string, limit: number): readonly JobRow[] => {
  const orderBy = [{ column: 'order' }] as const
  const atOnce = rows(views, jobs, { where: [is('state', state), is('available', '')], orderBy, limit })
  const returned = rows(views, jobs, { where: returnedBy(state, now), orderBy, limit })
  if (returned.length === 0) return atOnce
  return [...atOnce, ...returned].toSorted((one, other) => (one.order < other.order ? -1 : 1)).slice(0, limit)
}

/** Condition on jobs that are available again by now, after a claim or a delay. */
export const returnedBy = (state: WorkState, now: string) =>
  [
    is('state', state),
    { column: 'available', is: '>', value: '' },
    { column: 'available', is: '<=', value: now },
  ] as const

const queueLine = (row: JobRow, state: WorkState, place: number): QueueLine => {
  const { job, priority, batchNumber, collection, title } = row
  return { state, place, job, priority, batchNumber, collection, bytes: sizeOfJob(row), title }
}
