import { workStates } from '../../../domain/ingest/transitions.ts'
import { jobs } from '../../../domain/ingest/views.ts'
import { is, narrowRows, row } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow, JobRow } from '../tables.ts'
import type { BatchReason } from './batch-reason.ts'
import type { OpenWork } from './open-work.ts'
import { type WhyAsking, whyReasons } from './why.ts'
import type { WhyReason } from './why-answer.ts'

/** Most waiting jobs of a state that are counted. */
const maxCounted = 1000

/**
 * Reasons of open jobs that nobody works on: those that can never fit, those that were put off, and the first of each
 * state, for the others.
 */
export const waits = async (
  views: Views,
  batch: BatchRow,
  { running, putOff, tooLarge }: OpenWork,
  asking: WhyAsking,
): Promise<readonly BatchReason[]> => {
  const isOfBatch = (job: number) =>
    batch.firstJob !== null && job >= batch.firstJob && job < batch.firstJob + batch.jobs
  const stuck = [...new Set([...tooLarge, ...putOff])].filter(isOfBatch)
  const reasons: BatchReason[] = []
  const add = async (job: JobRow, ofJobs: number) => {
    const [reason] = await whyReasons(views, job, asking)
    if (!reason || reason.kind === 'claimed') return
    const same = reasons.findIndex((one) => isSame(one, reason))
    // All ingest is paused, whatever job it is.
    if (reason.kind === 'paused') same < 0 && reasons.push({ ...reason, job: null, ofJobs: 0 })
    else if (same < 0) reasons.push({ ...reason, job: job.job, ofJobs })
    else reasons[same] = { ...reasons[same]!, ofJobs: reasons[same]!.ofJobs + ofJobs }
  }
  for (const job of stuck.slice(0, maxStuck)) {
    const found = row(views, jobs, is('job', job))
    if (found) await add(found, 1)
  }
  for (const { first, count } of othersByState(views, batch, new Set([...stuck, ...running])))
    await add(first, count)
  // Jobs in a queue are no news while others of the batch are worked on.
  const isTurn = ({ kind }: BatchReason) => kind === 'next' || kind === 'behind'
  const others = reasons.filter((one) => !isTurn(one))
  return others.length > 0 || running.some(isOfBatch) ? others : reasons.slice(0, 1)
}

/** Each costs some questions. */
const maxStuck = 20

const isSame = (one: WhyReason, other: WhyReason): boolean =>
  one.kind === other.kind && one.never === other.never && one.because === other.because

const othersByState = (views: Views, { batch }: BatchRow, besides: ReadonlySet<number>) =>
  workStates.flatMap((state) => {
    const waiting = narrowRows(views, jobs, ['job'], {
      where: [is('batch', batch), is('state', state)],
      orderBy: [{ column: 'job' }],
      limit: maxCounted + besides.size,
    }).filter(({ job }) => !besides.has(job!))
    const first = waiting[0] && row(views, jobs, is('job', waiting[0].job))
    return first ? [{ first, count: waiting.length }] : []
  })
