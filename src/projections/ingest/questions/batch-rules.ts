import type { JobState } from '../../../domain/ingest/transitions.ts'
import { batches, jobs } from '../../../domain/ingest/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import { before, maxFoundByRule, ofBatch, type Rule } from './audited.ts'

/*
 * Rules that find inconsistent batches. A batch records how many jobs it was opened with; the jobs record what became
 * of them.
 */

/** UUID → number: every batch gets one. */
export const batchWithoutNumber: Rule = ({ views, now }) =>
  rows(views, batches, {
    where: [is('number', null), before('submittedAt', now)],
    limit: maxFoundByRule,
  }).map((batch) => ofBatch(batch, 'it has no number: nobody gave it one when it was submitted'))

/** Number → UUID: no two batches have the same. */
export const numberTwice: Rule = ({ batchCounts }) =>
  [...Map.groupBy(batchCounts, ({ number }) => number)].flatMap(([number, same]) =>
    number === null || same.length === 1
      ? []
      : same.map((batch) => ({
          ...ofBatch(batch, `another one has the number ${number}, too`),
          subject: `batch ${batch.batch}`,
        })),
  )

/** A job belongs to an existing batch, by its id and its number. */
export const jobWithoutBatch: Rule = ({ views, batchCounts, jobCounts }) => {
  const numbers = new Map(batchCounts.map(({ batch, number }) => [batch, number]))
  return jobCounts.flatMap(({ batch, batchNumber, state, count }) => {
    if (numbers.get(batch) === batchNumber) return []
    const [job] = rows(views, jobs, { where: [is('batch', batch), is('state', state)], limit: 1 })
    const sentence = numbers.has(batch)
      ? `${plural(count, 'job')} of it, ${state}, say that its number is ${batchNumber}; it is ${numbers.get(batch) ?? 'none'}`
      : `${plural(count, 'job')} of it, ${state}, and no such batch`
    return [{ subject: `batch ${batch}`, says: sentence, since: job?.lastModified ?? '' }]
  })
}

/** A batch counts its jobs as their own states say: each is in one bucket. */
export const bucketsDiffer: Rule = ({ batchCounts, jobCounts }) => {
  const counted = new Map<string, Buckets>()
  for (const { batch, state, count } of jobCounts) {
    const buckets = counted.get(batch) ?? { ...none }
    counted.set(batch, buckets)
    buckets[bucketOf(state)] += count
    if (state === 'held') buckets.held += count
  }
  return batchCounts.flatMap((batch) => {
    const buckets = counted.get(batch.batch) ?? none
    const differing = (Object.keys(none) as Bucket[]).filter((bucket) =>
      // Rows of deleted jobs go with their work folders.
      bucket === 'deleted' ? batch.deleted < buckets.deleted : batch[bucket] !== buckets[bucket],
    )
    const sentence = differing.map(
      (bucket) => `it counts ${batch[bucket]} ${bucket} jobs, and there are ${buckets[bucket]}`,
    )
    return sentence.length === 0 ? [] : [ofBatch(batch, sentence.join('; '))]
  })
}

const none = { open: 0, held: 0, completed: 0, failed: 0, deleted: 0 }
type Bucket = keyof typeof none
type Buckets = Record<Bucket, number>

const bucketOf = (state: JobState): Exclude<Bucket, 'held'> =>
  state === 'completed' || state === 'failed' || state === 'deleted' ? state : 'open'

/** An opened batch has all of the jobs that it was opened with, each in one bucket. */
export const jobsMissing: Rule = ({ batchCounts }) =>
  batchCounts.flatMap((batch) => {
    const { jobs: all, open, completed, failed, deleted } = batch
    const known = open + completed + failed + deleted
    return all === 0 || all === known
      ? []
      : [ofBatch(batch, `it was opened with ${plural(all, 'job')}, and counts ${known}`)]
  })

/** A batch whose payload was read gets its jobs and is opened. */
export const notOpened: Rule = ({ views, now }) =>
  rows(views, batches, {
    where: [is('state', 'pending'), is('read', 1), before('lastModified', now)],
    limit: maxFoundByRule,
  }).map((batch) =>
    ofBatch(
      batch,
      `its payload was read, and it is not opened: ${batch.open} of ${batch.listed} jobs are there`,
    ),
  )

/** I7: a batch goes on to its report once its last open job has ended. */
export const notReported: Rule = ({ views, now }) =>
  rows(views, batches, {
    where: [is('state', 'processing'), is('open', 0), before('lastModified', now)],
    limit: maxFoundByRule,
  }).map((batch) => ofBatch(batch, 'all of its jobs have ended, and it does not go on to its report'))
