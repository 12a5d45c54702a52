import { count, plural } from '../../../domain/kernel/amounts.ts'
import { visible } from '../../../domain/kernel/visible.ts'
import type { DepositorReport } from './depositor-report.ts'

/** The report as lines of plain text. No text of a depositor ends a line. */
export const reportLinesOf = (report: DepositorReport): readonly string[] => [
  `Submission  ${report.batch}${report.number === null ? '' : ` (batch ${report.number})`}`,
  `Submitter   ${visible(report.submitter)}`,
  `Payload     ${visible(report.payload)}`,
  ...(report.title === null ? [] : [`Title       ${visible(report.title)}`]),
  `Submitted   ${report.submittedAt}`,
  `Finished    ${report.finishedAt ?? 'not yet'}`,
  `Result      ${report.result}${report.message === null ? '' : `: ${visible(report.message)}`}`,
  `Objects     ${countsOf(report)}`,
  ...(report.mail === null ? [] : [`Mail        ${report.mail}`]),
  ...report.jobs.map((job) => jobLineOf(job, isUpdate(report))),
  ...(report.leftOut > 0 ? [`and ${plural(report.leftOut, 'more job')}`] : []),
]

export const countsOf = (report: DepositorReport): string => {
  const { counts } = report
  return [
    `${count(counts.completed)} completed${isUpdate(report) ? ` (${count(counts.newlyCompleted)} since the last report)` : ''}`,
    `${count(counts.failed)} failed`,
    ...(counts.pending > 0 ? [`${count(counts.pending)} pending`] : []),
    ...(counts.deleted > 0 ? [`${count(counts.deleted)} deleted`] : []),
  ].join(', ')
}

/** True if the report follows another one: it shows what changed since. */
export const isUpdate = ({ report }: DepositorReport): boolean => report !== null && report > 1

const jobLineOf = (job: DepositorReport['jobs'][number], isAfterOthers: boolean): string => {
  const names = [job.ark ?? '', ...job.localIds].filter((name) => name !== '').map(visible)
  const stored = job.version !== null && job.version > 1 ? ` version ${job.version}` : ''
  const title = job.title === null ? '' : `: ${visible(job.title)}`
  const message = job.message === null ? '' : ` (${visible(job.message)})`
  const news = isAfterOthers && job.isNew ? ' now' : ''
  return `  job ${job.job} ${job.result}${news}${stored}${names.length > 0 ? ` ${names.join('; ')}` : ''}${title}${message}`
}
