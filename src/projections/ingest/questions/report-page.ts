import { count, plural } from '../../../domain/kernel/amounts.ts'
import { type Html, html } from '../../../domain/kernel/html.ts'
import { keptPage } from '../../../domain/kernel/kept-page.ts'
import type { DepositorReport } from './depositor-report.ts'
import { reportStyle } from './report-style.ts'
import { countsOf, isUpdate } from './report-text.ts'

/** The depositor's report as one HTML page that is complete in itself: it loads nothing, so it can be mailed and kept. */
export const reportPage = (report: DepositorReport): string =>
  keptPage({
    title: `Submission report, ${report.number ?? report.batch}`,
    style: reportStyle,
    header: html`<h1>Submission report</h1>
<p class="quiet">Submission ${report.batch}</p>
<p class="verdict ${report.result}">${verdict(report)}</p>`,
    main: html`<dl>
${fact('Batch', report.number === null ? 'not numbered yet' : String(report.number))}
${fact('Submitter', report.submitter)}
${fact('Profile', report.profile)}
${fact('Payload', report.payload)}
${report.title === null ? undefined : fact('Title', report.title)}
${fact('Submitted', instant(report.submittedAt))}
${fact('Finished', report.finishedAt === null ? 'not yet' : instant(report.finishedAt))}
${fact('Objects', countsOf(report))}
${report.mail === null ? undefined : fact('Mail', report.mail)}
</dl>
${jobsSection(report, isUpdate(report))}`,
  })

/** The sentence for somebody who reads no further. */
const verdict = ({ result, counts, message }: DepositorReport): string => {
  if (message !== null && counts.jobs === 0) return `${result}: ${message}`
  if (result === 'OPEN') return `OPEN: ${plural(counts.pending, 'object')} still to be taken in.`
  if (result === 'FAIL') return `FAIL: ${count(counts.failed)} of ${plural(counts.jobs, 'object')} failed.`
  return `OK: ${plural(counts.completed, 'object')} stored.`
}

const fact = (name: string, value: Html | string): Html => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`

const jobsSection = ({ jobs, leftOut }: DepositorReport, isAfterOthers: boolean): Html =>
  jobs.length === 0
    ? html`<p>No object was listed.</p>`
    : html`<section>
<h2>Objects</h2>
<div class="scroll"><table>
<caption>${leftOut > 0 ? `${count(jobs.length)} of ${count(jobs.length + leftOut)}, failed ones first` : 'Failed ones first'}</caption>
<thead><tr>${['Job', 'Result', 'Identifier', 'Version', 'Local ids', 'Title', 'Message'].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${jobs.map((job) => jobRow(job, isAfterOthers))}</tbody>
</table></div>
</section>
`

const jobRow = (
  job: DepositorReport['jobs'][number],
  isAfterOthers: boolean,
): Html => html`<tr><th scope="row">${job.job}</th>${[
  isAfterOthers && job.isNew ? `${job.result} now` : job.result,
  job.ark ?? '',
  job.version === null ? '' : String(job.version),
  job.localIds.join('; '),
  job.title ?? '',
  job.message ?? '',
].map((cell) => html`<td><bdi>${cell}</bdi></td>`)}</tr>
`

const instant = (at: string): Html =>
  html`<time datetime="${at}"><span>${at.slice(0, 10)}</span> <span>${at.slice(11, 19)} UTC</span></time>`
