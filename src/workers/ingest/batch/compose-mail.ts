import type { DueMail } from '../../../domain/ingest/batch/state.ts'
import type { BatchWork } from '../../../domain/ingest/tasks.ts'
import { batches, jobs, reports } from '../../../domain/ingest/views.ts'
import { cellText } from '../../../domain/kernel/formulas.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'
import type { Mail } from '../../../ports/mailer.ts'
import type { ViewStore } from '../../../ports/view-store.ts'

type Views = Pick<ViewStore, 'query'>
type BatchRow = RowOf<typeof batches>
type Letter = Pick<Mail, 'subject' | 'text' | 'attachments'>

/** What a depositor is told: that a batch was opened, that it cannot be, what became of its objects. */
export const composeMail = (work: BatchWork, due: DueMail, views: Views): Omit<Mail, 'to'> => {
  const { id } = work
  const [row] = rowsIfFolded(views, batches, { where: [is('batch', id)], limit: 1 })
  const messageId = `<${id}.${due.mail}${due.report ?? ''}@fonds.invalid>`
  const letter = letterOf(work, due, row, views)
  return { ...letter, messageId }
}

const letterOf = (work: BatchWork, due: DueMail, row: BatchRow | undefined, views: Views): Letter => {
  const { submission } = work.batch
  const name = submission.description?.what ?? submission.payload.name ?? submission.payload.url
  const head = [
    `Submission: ${work.id}`,
    `Of: ${name}`,
    `By: ${submission.submitter}`,
    ...(row ? [`At: ${row.submittedAt}`] : []),
  ]
  if (due.mail === 'report') return reportLetter(work, due.report ?? 1, name, head, row, views)
  const isQueued = due.mail === 'queued'
  const says = isQueued
    ? `It was received: ${row?.jobs ?? 'its'} objects are being taken in.`
    : `It cannot be taken in: ${row?.message ?? 'its payload cannot be read'}`
  return {
    subject: `${isQueued ? 'Received' : 'FAIL'}: ${name}`,
    text: `${[...head, '', says].join('\n')}\n`,
    attachments: [],
  }
}

const reportLetter = (
  { id }: BatchWork,
  report: number,
  name: string,
  head: readonly string[],
  row: BatchRow | undefined,
  views: Views,
): Letter => {
  const [saved] = rowsIfFolded(views, reports, { where: [is('batch', id), is('report', report)], limit: 1 })
  const failures = saved?.failures ?? []
  const isWell = (row?.failed ?? 0) === 0
  return {
    subject: `${isWell ? 'OK' : 'FAIL'}: ${name}`,
    text: `${[
      ...head,
      `Report: ${report}${saved ? `, ${saved.at}` : ''}`,
      '',
      `completed: ${row?.completed ?? 0}`,
      `failed: ${row?.failed ?? 0}`,
      ...((row?.deleted ?? 0) > 0 ? [`deleted: ${row?.deleted}`] : []),
      ...(failures.length > 0 ? ['', 'Why the first of them failed:'] : []),
      ...failures.map(({ job, message }) => `job ${job}: ${message}`),
    ].join('\n')}\n`,
    attachments: (['completed', 'failed'] as const).flatMap((state) => {
      const text = jobList(id, state, views)
      return text === undefined ? [] : [{ name: `${state}.csv`, text }]
    }),
  }
}

/** Longer ones are asked for: mail servers take no large mails. */
const maxListed = 10_000

const jobList = (batch: string, state: 'completed' | 'failed', views: Views): string | undefined => {
  const found = rowsIfFolded(views, jobs, {
    where: [is('batch', batch), is('state', state)],
    orderBy: [{ column: 'job' }],
    limit: maxListed,
  })
  if (found.length === 0) return undefined
  const lines = found.map(({ job, ark, version, localIds, title, message }) =>
    [job, ark, version, localIds.join('; '), title, message].map(csvField).join(','),
  )
  return `job,object,version,localIds,title,message\r\n${lines.map((line) => `${line}\r\n`).join('')}`
}

const csvField = (value: string | number | null): string =>
  `"${cellText(String(value ?? '')).replaceAll('"', '""')}"`
