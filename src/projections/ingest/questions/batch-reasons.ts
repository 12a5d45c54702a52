import { jobs } from '../../../domain/ingest/views.ts'
import { is, narrowRows, row } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow } from '../tables.ts'
import type { BatchReason } from './batch-reason.ts'
import { type OpenWork, openWork } from './open-work.ts'
import { payloadReasons } from './payload-reasons.ts'
import { waits } from './waits.ts'
import { type WhyAsking, whyReasons } from './why.ts'

/** Most failed jobs of a batch that are read, and different failures that are listed. */
const maxExamined = 100
const maxFailures = 3
const maxAhead = 1000

/** Reasons of batches, one after the other. What all of them share is read once. */
export const batchReasoner = (
  views: Views,
  asking: WhyAsking,
): ((batch: BatchRow) => Promise<readonly BatchReason[]>) => {
  const bounded = { ...asking, maxAhead }
  let begun: Promise<OpenWork> | undefined
  // Nothing is asked that nobody waits for: the views close behind the answer.
  const shared = (): Promise<OpenWork> => {
    begun ??= openWork(views, asking)
    return begun
  }
  return async (batch) => {
    if (batch.state === 'completed' || batch.state === 'deleted') return []
    if (batch.state !== 'processing' && (batch.state !== 'failed' || batch.jobs === 0))
      return payloadReasons(views, batch, asking)
    return [
      ...failures(views, batch),
      ...(await heldJobs(views, batch, bounded)),
      ...(batch.open > batch.held ? await waits(views, batch, await shared(), bounded) : []),
    ]
  }
}

/** Failed jobs by what they failed of, the most frequent first. */
const failures = (views: Views, { batch, failed }: BatchRow): readonly BatchReason[] => {
  if (failed === 0) return []
  const rows = narrowRows(views, jobs, ['job', 'failedIn', 'message', 'permanent', 'lastModified'], {
    where: [is('batch', batch), is('state', 'failed')],
    orderBy: [{ column: 'job' }],
    limit: maxExamined,
  })
  const alike = Map.groupBy(rows, ({ failedIn, message }) => `${failedIn} ${message}`)
  return [...alike.values()]
    .toSorted((one, other) => other.length - one.length || one[0]!.job! - other[0]!.job!)
    .slice(0, maxFailures)
    .map((those) => {
      const { job, failedIn, message, permanent, lastModified: since } = those[0]!
      const step = failedIn ?? 'pending'
      const next =
        permanent === 1
          ? 'it cannot go on: submit it again'
          : `\`fonds do ingest.resume-job job=${job}\` lets it go on in ${step}`
      return {
        kind: permanent === 1 ? 'failed-for-good' : 'failed',
        says: `failed in ${step}: ${message ?? 'no reason is given'}; ${next}`,
        step,
        since,
        ...(message !== null && { because: message }),
        job,
        ofJobs: those.length,
      } as const
    })
}

const heldJobs = async (
  views: Views,
  { batch, held }: BatchRow,
  asking: WhyAsking,
): Promise<readonly BatchReason[]> => {
  if (held === 0) return []
  const first = row(views, jobs, is('batch', batch), is('state', 'held'))
  const [reason] = first ? await whyReasons(views, first, asking) : []
  return reason ? [{ ...reason, job: first!.job, ofJobs: held }] : []
}
