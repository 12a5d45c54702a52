import { type JobState, JobState as JobStates, workStates } from '../../../domain/ingest/transitions.ts'
import { claims, jobs, orderOf, versions } from '../../../domain/ingest/views.ts'
import {
  type ConditionOn,
  countRows,
  is,
  isSet,
  row,
  rows,
  tally,
} from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { before, type Found, maxFoundByRule, ofJob, type Rule } from './audited.ts'

/* Rules that find inconsistent jobs: their place in the queue, their claim, their stored versions. */

/** A job that can be worked on has one place in one queue; any other has none. */
export const queuesDiffer: Rule = ({ views }) => [
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
export const placeDiffers: Rule = ({ views }) =>
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

/** A claim is released soon after its deadline. */
export const claimOverdue: Rule = ({ views, now }) =>
  rows(views, claims, { where: [before('deadline', now)], limit: maxFoundByRule }).map(
    ({ kind, id, holder, deadline }) => ({
      subject: `${kind} ${id}`,
      says: `the claim of ${holder} ran out on ${deadline} and was not given back`,
      since: deadline,
    }),
  )

/** A job's row and its claim name the same holder and fence. */
export const claimDiffers: Rule = ({ views }) => {
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
export const storedTwice: Rule = ({ views }) =>
  tally(views, versions, { by: ['job'] })
    .filter(({ job, count }) => job !== null && count > 1)
    .map(({ job, count }) => ({
      subject: `job ${job}`,
      says: `it stored ${count} versions`,
      since: rows(views, versions, { where: [is('job', job)], limit: 1 })[0]?.storedAt ?? '',
    }))

const jobsThat = (
  views: Views,
  where: readonly ConditionOn<typeof jobs>[],
  sentence: string,
): readonly Found[] => rows(views, jobs, { where, limit: maxFoundByRule }).map((job) => ofJob(job, sentence))
