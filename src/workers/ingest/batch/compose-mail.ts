import { withoutLogin } from '@fonds/download'
import type { DueMail } from '../../../domain/ingest/batch/state.ts'
import { messageOf } from '../../../domain/ingest/job/message.ts'
import { jobsIn, numbersIn, type Ranges } from '../../../domain/ingest/runs.ts'
import type { BatchWork } from '../../../domain/ingest/tasks.ts'
import { batches, jobs, reports } from '../../../domain/ingest/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { cellText } from '../../../domain/kernel/formulas.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'
import { visible } from '../../../domain/kernel/visible.ts'
import type { Mail } from '../../../ports/mailer.ts'
import type { ViewStore } from '../../../ports/view-store.ts'

type Views = Pick<ViewStore, 'query'>
type BatchRow = RowOf<typeof batches>
type JobRow = RowOf<typeof jobs>
type ReportRow = RowOf<typeof reports>
type Letter = Pick<Mail, 'subject' | 'text' | 'attachments'>

/**
 * Composes a mail to a depositor: that a batch was opened, that it cannot be, or what became of its objects.
 * Third-party text cannot break lines.
 */
export const composeMail = (work: BatchWork, due: DueMail, views: Views): Omit<Mail, 'to'> => {
  const { id } = work
  const [row] = rowsIfFolded(views, batches, { where: [is('batch', id)], limit: 1 })
  const messageId = `<${id}.${due.mail}${due.report ?? ''}@fonds.invalid>`
  const letter = letterOf(work, due, row, views)
  return { ...letter, messageId }
}

const letterOf = (work: BatchWork, due: DueMail, row: BatchRow | undefined, views: Views): Letter => {
  const { submission } = work.batch
  const { description, payload } = submission
  const name = visible(description?.what ?? payload.name ?? withoutLogin(payload.url))
  const head = [
    `Submission: ${work.id}`,
    `Of: ${name}`,
    `By: ${visible(submission.submitter)}`,
    ...(row ? [`At: ${row.submittedAt}`] : []),
  ]
  if (due.mail === 'report') return reportLetter(reportOf(work, due, views), name, head, views)
  const isQueued = due.mail === 'queued'
  const sentence = isQueued
    ? `It was received, and is being taken in${row ? `: ${plural(row.jobs, 'object')}` : ''}.`
    : `It cannot be taken in: ${visible(row?.message ?? 'its payload cannot be read')}`
  return {
    subject: `${isQueued ? 'Received' : 'FAIL'}: ${name}`,
    text: `${[...head, '', sentence].join('\n')}\n`,
    attachments: [],
  }
}

/** This row is as new as the one from which the mail was claimed. */
const reportOf = ({ id }: BatchWork, { report = 1 }: DueMail, views: Views): ReportRow => {
  const [saved] = rowsIfFolded(views, reports, { where: [is('batch', id), is('report', report)], limit: 1 })
  if (!saved) throw new Error(`report ${report} of batch ${id} is not in the views`)
  return saved
}

/** Composes a report as it was saved, whatever became of the jobs since. */
const reportLetter = (saved: ReportRow, name: string, head: readonly string[], views: Views): Letter => {
  const { report, at, kind, completed, failed, deleted, newlyCompleted, failures } = saved
  const isUpdate = kind === 'update'
  return {
    subject: `${jobsIn(failed) === 0 ? 'OK' : 'FAIL'}: ${name}`,
    text: `${[
      ...head,
      `Report: ${report}, ${at}`,
      '',
      `completed: ${jobsIn(completed)}`,
      ...(isUpdate ? [`since the last report: ${jobsIn(newlyCompleted)}`] : []),
      `failed: ${jobsIn(failed)}`,
      ...(jobsIn(deleted) > 0 ? [`deleted: ${jobsIn(deleted)}`] : []),
      ...(failures.length > 0 ? ['', 'Why the first of them failed:'] : []),
      ...failures.map(({ job, message }) => `job ${job}: ${visible(message)}`),
    ].join('\n')}\n`,
    attachments: [
      ...jobList(isUpdate ? 'newly-completed.csv' : 'completed.csv', newlyCompleted, saved, views),
      ...jobList('failed.csv', failed, saved, views),
    ],
  }
}

/** Longer lists are truncated, the rest must be queried: mail servers reject large mails. */
const maxListed = 10_000
const pageSize = 500

const jobList = (
  name: string,
  ranges: Ranges,
  { failed, failures }: ReportRow,
  views: Views,
): Letter['attachments'] => {
  const numbers = [...numbersIn(ranges).take(maxListed)]
  if (numbers.length === 0) return []
  const known = jobRows(numbers, views)
  const messages = new Map(failures.map(({ job, message }) => [job, message]))
  const lines = numbers.map((job) => {
    const row = known.get(job) ?? unknown
    const { ark, version, localIds, title, state } = row
    const result = ranges === failed ? 'failed' : 'completed'
    const why = (result === 'failed' && messages.get(job)) || (state === result ? messageOf(row) : null)
    return [job, ark, version, localIds.join('; '), title, why].map(csvField).join(',')
  })
  const text = `job,object,version,localIds,title,message\r\n${lines.map((line) => `${line}\r\n`).join('')}`
  return [{ name, text }]
}

/** Row of a job that was deleted meanwhile. */
const unknown: Pick<JobRow, 'ark' | 'version' | 'localIds' | 'title' | 'state' | 'message' | 'warnings'> = {
  ark: null,
  version: null,
  localIds: [],
  title: null,
  state: 'deleted',
  message: null,
  warnings: [],
}

const jobRows = (numbers: readonly number[], views: Views): ReadonlyMap<number, JobRow> => {
  const known = new Map<number, JobRow>()
  for (let i = 0; i < numbers.length; i += pageSize) {
    const where = [{ column: 'job', is: 'in', value: numbers.slice(i, i + pageSize) }] as const
    for (const row of rowsIfFolded(views, jobs, { where })) known.set(row.job, row)
  }
  return known
}

const csvField = (value: string | number | null): string =>
  `"${cellText(visible(String(value ?? ''))).replaceAll('"', '""')}"`
