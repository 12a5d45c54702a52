import { batches, jobs, orderOf } from '../../../domain/ingest/views.ts'
import { is, narrowRows, row, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow } from '../tables.ts'
import type { BatchReason } from './batch-reason.ts'
import { batchReasoner } from './batch-reasons.ts'
import { openWork } from './open-work.ts'
import { type ReasonedBatch, reasonedBatch } from './reasoned-batch.ts'
import type { WhyAsking } from './why.ts'

/** A batch that does not go on, whole or in part. */
export type WaitingBatch = ReasonedBatch & { readonly needsPerson: boolean }

interface Waiting {
  readonly batches: readonly WaitingBatch[]
  /** There are more of them. */
  readonly more: boolean
}

/**
 * Batches that failed, are held or were put off, or of which jobs did, are or were, and those with jobs that can never
 * fit: the oldest first. What merely waits for its turn, or for room that others give back, is not among them.
 */
export const waitingBatches = async (views: Views, asking: WhyAsking, limit: number): Promise<Waiting> => {
  const { putOff, tooLarge } = await openWork(views, asking)
  const ofJobs = [
    ...batchesWith(views, 'failed', limit),
    ...batchesWith(views, 'held', limit),
    ...[...tooLarge, ...putOff].flatMap((job) => row(views, jobs, is('job', job))?.batch ?? []),
  ]
  const found = new Map<string, BatchRow>()
  for (const state of ['failed', 'held'] as const)
    for (const one of rows(views, batches, {
      where: [is('state', state)],
      orderBy: [{ column: 'number' }],
      limit: limit + 1,
    }))
      found.set(one.batch!, one)
  for (const batch of new Set(ofJobs)) {
    const one = found.get(batch) ?? row(views, batches, is('batch', batch))
    if (one) found.set(batch, one)
  }
  for (const one of putOffBatches(views, limit + 1)) found.set(one.batch!, one)

  const oldestFirst = [...found.values()].toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0))
  const reasonsOf = batchReasoner(views, asking)
  const waiting: WaitingBatch[] = []
  for (const one of oldestFirst) {
    const batch = await reasonedBatch(one, asking.now, reasonsOf)
    const reasons = batch.reasons.filter(isStill)
    if (reasons.length > 0) waiting.push({ ...batch, reasons, needsPerson: reasons.some(needsPerson) })
    if (waiting.length > limit) break
  }
  return { batches: waiting.slice(0, limit), more: waiting.length > limit }
}

const isStill = ({ kind, never }: BatchReason): boolean =>
  kind !== 'next' && kind !== 'behind' && kind !== 'paused' && (kind !== 'waits-for-room' || never === true)

const needsPerson = ({ kind, never }: BatchReason): boolean =>
  never === true || kind === 'failed' || kind === 'failed-for-good' || kind === 'held'

/** Batches with jobs in the state. Jobs of a batch follow one another: those behind its first one are stepped over. */
export const batchesWith = (
  views: Pick<Views, 'query'>,
  state: 'failed' | 'held',
  limit: number,
): readonly string[] => {
  const found = new Set<string>()
  for (let after = ''; found.size <= limit; ) {
    const [next] = narrowRows(views, jobs, ['batch', 'order'], {
      where: [is('state', state), is('available', null), { column: 'order', is: '>', value: after }],
      orderBy: [{ column: 'order' }],
      limit: 1,
    })
    if (!next) break
    found.add(next.batch!)
    const batch = row(views, batches, is('batch', next.batch))
    const last = batch?.firstJob == null ? undefined : batch.firstJob + batch.jobs - 1
    const behind = last === undefined ? next.order! : orderOf(Number(next.order!.slice(0, 2)), last)
    after = behind > next.order! ? behind : next.order!
  }
  return [...found]
}

const putOffBatches = (views: Views, limit: number): readonly BatchRow[] =>
  (['open', 'report'] as const).flatMap((task) =>
    rows(views, batches, {
      where: [
        is('task', task),
        { column: 'available', is: '>', value: '' },
        is('holder', null),
        { column: 'putOffFor', is: '>=', value: '' },
      ],
      limit,
    }),
  )
