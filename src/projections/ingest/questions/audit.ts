import { type JobState, JobState as JobStates, workStates } from '../../../domain/ingest/transitions.ts'
import { batches, claims, jobs, orderOf, versions } from '../../../domain/ingest/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import {
  type ConditionOn,
  countRows,
  is,
  isSet,
  row,
  rows,
  tally,
} from '../../../domain/kernel/read-views.ts'
import { addMillis, HOUR, MINUTE } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow, JobRow } from '../tables.ts'
import type { Finding } from './finding.ts'

/*
 * What must not be. Queues and buckets are folded from the events of batches and jobs, each on its own: where they
 * disagree, an event is missing, or a fold is wrong.
 */

interface Found {
  readonly subject: string
  readonly says: string
  readonly since: string
}

/** What several rules go by, counted once. */
interface Audited {
  readonly views: Views
  readonly now: string
  readonly batchCounts: readonly BatchCounts[]
  readonly jobCounts: readonly JobCounts[]
}

type Rule = (audited: Audited) => readonly Found[]

type BatchCounts = ReturnType<typeof countBatches>[number]
type JobCounts = ReturnType<typeof countJobs>[number]

/** Without what was submitted, which is long. */
const countBatches = (views: Views) =>
  tally(views, batches, {
    by: ['batch', 'number', 'lastModified', 'jobs', 'open', 'held', 'completed', 'failed', 'deleted'],
  })

const countJobs = (views: Views) => tally(views, jobs, { by: ['batch', 'batchNumber', 'state'] })

/** Of each rule so many, so that a fold that is wrong throughout is not listed whole. */
export const maxFoundByRule = 100

/** How long what follows from an event may take. */
const allowed = 2 * MINUTE

/** Warnings for the first hour, then failures. */
export const findings = (views: Views, now: string): readonly Finding[] => {
  const audited = { views, now, batchCounts: countBatches(views), jobCounts: countJobs(views) }
  return Object.entries(rules).flatMap(([rule, find]) =>
    find(audited)
      .slice(0, maxFoundByRule)
      .map(({ subject, says, since }) => ({
        rule,
        subject,
        says,
        since,
        severity: since < addMillis(now, -HOUR) ? ('failure' as const) : ('warning' as const),
      })),
  )
}

/** UUID → number: every batch gets one. */
const batchWithoutNumber: Rule = ({ views, now }) =>
  rows(views, batches, {
    where: [is('number', null), before('submittedAt', now)],
    limit: maxFoundByRule,
  }).map((batch) => ofBatch(batch, 'it has no number: nobody gave it one when it was submitted'))

/** Number → UUID: no two batches have the same. */
const numberTwice: Rule = ({ batchCounts }) =>
  [...Map.groupBy(batchCounts, ({ number }) => number)].flatMap(([number, same]) =>
    number === null || same.length === 1
      ? []
      : same.map((batch) => ({
          ...ofBatch(batch, `another one has the number ${number}, too`),
          subject: `batch ${batch.batch}`,
        })),
  )

/** A job belongs to a batch that is there, by its id and its number. */
const jobWithoutBatch: Rule = ({ views, batchCounts, jobCounts }) => {
  const numbers = new Map(batchCounts.map(({ batch, number }) => [batch, number]))
  return jobCounts.flatMap(({ batch, batchNumber, state, count }) => {
    if (numbers.get(batch) === batchNumber) return []
    const [job] = rows(views, jobs, { where: [is('batch', batch), is('state', state)], limit: 1 })
    const says = numbers.has(batch)
      ? `${plural(count, 'job')} of it, ${state}, say that its number is ${batchNumber}; it is ${numbers.get(batch) ?? 'none'}`
      : `${plural(count, 'job')} of it, ${state}, and no such batch`
    return [{ subject: `batch ${batch}`, says, since: job?.lastModified ?? '' }]
  })
}

/** A batch counts its jobs as their own states say: each is in one bucket. */
const bucketsDiffer: Rule = ({ batchCounts, jobCounts }) => {
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
    const says = differing.map(
      (bucket) => `it counts ${batch[bucket]} ${bucket} jobs, and there are ${buckets[bucket]}`,
    )
    return says.length === 0 ? [] : [ofBatch(batch, says.join('; '))]
  })
}

const none = { open: 0, held: 0, completed: 0, failed: 0, deleted: 0 }
type Bucket = keyof typeof none
type Buckets = Record<Bucket, number>

const bucketOf = (state: JobState): Exclude<Bucket, 'held'> =>
  state === 'completed' || state === 'failed' || state === 'deleted' ? state : 'open'

/** An opened batch has all of the jobs that it was opened with, each in one bucket. */
const jobsMissing: Rule = ({ batchCounts }) =>
  batchCounts.flatMap((batch) => {
    const { jobs: all, open, completed, failed, deleted } = batch
    const known = open + completed + failed + deleted
    return all === 0 || all === known
      ? []
      : [ofBatch(batch, `it was opened with ${plural(all, 'job')}, and counts ${known}`)]
  })

/** Its payload was read: its jobs are made and it is opened. */
const notOpened: Rule = ({ views, now }) =>
  rows(views, batches, {
    where: [is('state', 'pending'), is('read', 1), before('lastModified', now)],
    limit: maxFoundByRule,
  }).map((batch) =>
    ofBatch(
      batch,
      `its payload was read, and it is not opened: ${batch.open} of ${batch.listed} jobs are there`,
    ),
  )

/** I7: its last open job has ended. */
const notReported: Rule = ({ views, now }) =>
  rows(views, batches, {
    where: [is('state', 'processing'), is('open', 0), before('lastModified', now)],
    limit: maxFoundByRule,
  }).map((batch) => ofBatch(batch, 'all of its jobs have ended, and it does not go on to its report'))

/** A job that can be worked on has one place in one queue; any other has none. */
const queuesDiffer: Rule = ({ views }) => [
  ...workStates.flatMap((state) =>
    jobsThat(views, [is('state', state), is('available', null)], 'it is in no queue'),
  ),
  ...restStates.flatMap((state) =>
    jobsThat(views, [is('state', state), isSet('available')], `it is ${state}, and in a queue`),
  ),
]

const restStates = (Object.keys(JobStates.keys) as JobState[]).filter(
  (state) => !(workStates as readonly JobState[]).includes(state),
)

/** Its place follows from its priority and its number. */
const placeDiffers: Rule = ({ views }) =>
  tally(views, jobs, { by: ['priority'] }).flatMap(({ priority, count }) => {
    const prefix = orderOf(priority, 0).slice(0, 3)
    const ofPriority = is('priority', priority)
    if (countRows(views, jobs, ofPriority, { column: 'order', is: 'prefix', value: prefix }) === count)
      return []
    return [
      ...jobsThat(views, [ofPriority, { column: 'order', is: '<', value: prefix }], wrongPlace(priority)),
      ...jobsThat(
        views,
        [ofPriority, { column: 'order', is: '>=', value: `${prefix}:` }],
        wrongPlace(priority),
      ),
    ]
  })

const wrongPlace = (priority: number): string => `its place in the queue is not that of priority ${priority}`

/** A claim is given back soon after its deadline. */
const claimOverdue: Rule = ({ views, now }) =>
  rows(views, claims, { where: [before('deadline', now)], limit: maxFoundByRule }).map(
    ({ kind, id, holder, deadline }) => ({
      subject: `${kind} ${id}`,
      says: `the claim of ${holder} ran out on ${deadline} and was not given back`,
      since: deadline,
    }),
  )

/** Who holds a job is one thing, wherever it is asked. */
const claimDiffers: Rule = ({ views }) => {
  const held = rows(views, claims, { where: [is('kind', 'job')] })
  const stray = held.flatMap((claim) => {
    const job = row(views, jobs, is('job', Number(claim.id)))
    return job?.holder === claim.holder && job.fence === claim.fence
      ? []
      : [
          {
            subject: `job ${claim.id}`,
            says: `${claim.holder} claims it, and it says otherwise`,
            since: claim.since,
          },
        ]
  })
  const claimed = new Set(held.map(({ id }) => id))
  const unclaimed = rows(views, jobs, {
    where: [
      { column: 'state', is: 'in', value: [...workStates] },
      { column: 'available', is: '>', value: '' },
      isSet('holder'),
    ],
  })
    .filter(({ job }) => !claimed.has(String(job)))
    .map((job) => ofJob(job, `it says that ${job.holder} holds it, and there is no claim`))
  return [...stray, ...unclaimed]
}

/** A job stores one version. */
const storedTwice: Rule = ({ views }) =>
  tally(views, versions, { by: ['job'] })
    .filter(({ count }) => count > 1)
    .map(({ job, count }) => ({
      subject: `job ${job}`,
      says: `it stored ${count} versions`,
      since: rows(views, versions, { where: [is('job', job)], limit: 1 })[0]?.storedAt ?? '',
    }))

const rules: Readonly<Record<string, Rule>> = {
  'batch-without-number': batchWithoutNumber,
  'number-twice': numberTwice,
  'job-without-batch': jobWithoutBatch,
  'buckets-differ': bucketsDiffer,
  'jobs-missing': jobsMissing,
  'not-opened': notOpened,
  'not-reported': notReported,
  'queues-differ': queuesDiffer,
  'place-differs': placeDiffers,
  'claim-overdue': claimOverdue,
  'claim-differs': claimDiffers,
  'stored-twice': storedTwice,
}

export const ruleNames: readonly string[] = Object.keys(rules)

const before = <const Column extends string>(column: Column, now: string) =>
  ({ column, is: '<', value: addMillis(now, -allowed) }) as const

const jobsThat = (views: Views, where: readonly ConditionOn<typeof jobs>[], says: string): readonly Found[] =>
  rows(views, jobs, { where, limit: maxFoundByRule }).map((job) => ofJob(job, says))

const ofBatch = (
  { number, batch, lastModified }: Pick<BatchRow, 'number' | 'batch' | 'lastModified'>,
  says: string,
): Found => ({
  subject: `batch ${number ?? batch}`,
  says,
  since: lastModified,
})

const ofJob = ({ job, lastModified }: JobRow, says: string): Found => ({
  subject: `job ${job}`,
  says,
  since: lastModified,
})
