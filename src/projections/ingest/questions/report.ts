import { messageOf } from '../../../domain/ingest/job/message.ts'
import { jobsIn, numbersIn, type Ranges } from '../../../domain/ingest/runs.ts'
import { jobs as jobsView, objects, reports } from '../../../domain/ingest/views.ts'
import { is, row, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow, JobRow, ReportRow } from '../tables.ts'
import type { DepositorReport } from './depositor-report.ts'
import { mailSentence } from './reports.ts'

type ReportedJob = DepositorReport['jobs'][number]

/**
 * The depositor's report: a saved one, else the present state. Lists at most `limit` jobs, failed ones first. Undefined
 * if the wanted report was not saved.
 */
export const depositorReport = (
  views: Views,
  batch: BatchRow,
  { report, limit }: { readonly report?: number; readonly limit: number },
): DepositorReport | undefined => {
  const number = report ?? batch.reports
  const saved = number === 0 ? undefined : row(views, reports, is('batch', batch.batch), is('report', number))
  if (report !== undefined && !saved) return undefined
  const isOpened = batch.firstJob !== null
  const reported = saved ? savedReport(views, saved, limit) : presentReport(views, batch, limit)
  const all =
    reported.counts.completed + reported.counts.failed + reported.counts.deleted + reported.counts.pending
  return {
    batch: batch.batch,
    number: batch.number,
    report: saved?.report ?? null,
    submitter: batch.submitter,
    profile: batch.profile,
    title: batch.title,
    payload: batch.submission.payload.name ?? batch.submission.payload.url,
    submittedAt: batch.submittedAt,
    finishedAt: saved?.at ?? (isOpened || batch.state !== 'failed' ? null : batch.lastModified),
    result: resultOf(batch, reported.counts.failed, saved),
    message: isOpened ? null : batch.message,
    mail: saved ? mailSentence(saved) : null,
    ...reported,
    counts: { jobs: all, ...reported.counts },
    leftOut: all - reported.jobs.length,
  }
}

/** A payload that cannot be read fails without a report. */
const resultOf = (
  { state, firstJob }: BatchRow,
  failed: number,
  saved: ReportRow | undefined,
): DepositorReport['result'] => {
  if (saved) return failed > 0 ? 'FAIL' : 'OK'
  return state === 'failed' && firstJob === null ? 'FAIL' : 'OPEN'
}

interface ReportedJobs {
  readonly counts: Omit<DepositorReport['counts'], 'jobs'>
  readonly jobs: ReportedJob[]
}

/** Built from the saved facts. Titles and identifiers are those of now. */
const savedReport = (views: Views, saved: ReportRow, limit: number): ReportedJobs => {
  const messages = new Map(saved.failures.map(({ job, message }) => [job, message]))
  const listed = firstListed(saved, limit)
  const known = jobRows(
    views,
    listed.map(({ job }) => job),
  )
  const counts = {
    pending: 0,
    completed: jobsIn(saved.completed),
    failed: jobsIn(saved.failed),
    deleted: jobsIn(saved.deleted),
    newlyCompleted: jobsIn(saved.newlyCompleted),
  }
  const jobs = listed.map(({ job, result, isNew }): ReportedJob => {
    const found = known.get(job)
    const message = result === 'failed' ? (messages.get(job) ?? failureOf(found)) : warningOf(found)
    return { ...(found ? factsOf(found) : objectFacts(views, job)), job, result, isNew, message }
  })
  return { counts, jobs }
}

type Listed = Pick<ReportedJob, 'job' | 'result' | 'isNew'>

/** Jobs in the order of the report: failed, newly completed, the rest. */
const firstListed = (
  { failed, newlyCompleted, completed, deleted }: ReportRow,
  limit: number,
): readonly Listed[] => {
  const listed: Listed[] = []
  const list = (ranges: Ranges, result: Listed['result'], isNew: boolean, but?: ReadonlySet<number>) => {
    for (const job of numbersIn(ranges)) {
      if (listed.length >= limit) return
      if (!but?.has(job)) listed.push({ job, result, isNew })
    }
  }
  list(failed, 'failed', false)
  list(newlyCompleted, 'completed', true)
  list(completed, 'completed', false, new Set(numbersIn(newlyCompleted)))
  list(deleted, 'deleted', false)
  return listed
}

const presentReport = (views: Views, batch: BatchRow, limit: number): ReportedJobs => {
  const listed: ReportedJob[] = []
  const states = {
    failed: ['failed'],
    pending: open,
    completed: ['completed'],
    deleted: ['deleted'],
  } as const
  for (const result of ['failed', 'pending', 'completed', 'deleted'] as const) {
    if (listed.length >= limit) break
    const found = rows(views, jobsView, {
      where: [is('batch', batch.batch), { column: 'state', is: 'in', value: states[result] }],
      orderBy: [{ column: 'job' }],
      limit: limit - listed.length,
    })
    for (const each of found)
      listed.push({
        ...factsOf(each),
        job: each.job,
        result,
        isNew: result === 'completed',
        message: result === 'failed' || each.state === 'held' ? each.message : warningOf(each),
      })
  }
  const { open: pending, completed, failed, deleted } = batch
  return { counts: { pending, completed, failed, deleted, newlyCompleted: completed }, jobs: listed }
}

const open = [
  'pending',
  'held',
  'estimating',
  'provisioning',
  'downloading',
  'processing',
  'storing',
  'recording',
  'notify',
] as const

const pageSize = 500

const jobRows = (views: Views, numbers: readonly number[]): ReadonlyMap<number, JobRow> => {
  const known = new Map<number, JobRow>()
  for (let i = 0; i < numbers.length; i += pageSize) {
    const where = [{ column: 'job', is: 'in', value: numbers.slice(i, i + pageSize) }] as const
    for (const each of rows(views, jobsView, { where })) known.set(each.job, each)
  }
  return known
}

const factsOf = ({ ark, version, localIds, title }: JobRow) => ({ ark, version, localIds, title })

/** Facts of a swept job, from its object, unless another job has stored a later version. */
const objectFacts = (views: Views, job: number) => {
  const found = row(views, objects, is('job', job))
  if (!found || found.version === 0) return { ark: null, version: null, localIds: [], title: null }
  const { object, version, localIds, title } = found
  return { ark: object, version, localIds, title }
}

/** Parts of its payload that are not in the version that it stored. */
const warningOf = (job: JobRow | undefined): string | null =>
  job?.state === 'completed' ? messageOf(job) : null

const failureOf = (job: JobRow | undefined): string | null => (job?.state === 'failed' ? job.message : null)
