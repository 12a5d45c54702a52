import * as E from 'fp-ts/lib/Either.js'
import { limit, whole } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { ingest } from '../projection.ts'
import { DepositorReport, ReportedJob } from './depositor-report.ts'
import { theBatch } from './fields.ts'
import { noSuchBatch, unknownBatch } from './known.ts'
import { batchNamed } from './reading.ts'
import { depositorReport } from './report.ts'
import { reportPage } from './report-page.ts'
import { reportLinesOf } from './report-text.ts'

export const reportQuestion = question({
  name: 'report',
  path: 'ingest/batches/{batch}/report',
  operationId: 'ingestReport',
  tag: 'reports',
  summary: 'What became of a submission, as its depositor is told: OK or FAIL, counts, and each job.',
  description:
    'By the report that was saved last, or by an earlier one; before the first is saved, as it stands now. As HTML it is ' +
    'one page that stands alone, to be mailed and kept.',
  projection: ingest,
  history: 'views',
  input: {
    batch: theBatch,
    report: { description: 'Which report: the last unless said.', ...whole(1, 1e9) },
    limit: { ...limit, description: 'Most jobs, failed ones first; 1000 unless said.' },
  },
  answer: DepositorReport,
  returns: 'The report.',
  schemaName: 'DepositorReport',
  rejections: {
    ...noSuchBatch,
    'no-such-report': { status: 404, description: 'There is no report of that number.' },
  },
  ask: (views, { batch: name, ...which }) => {
    const batch = batchNamed(views, name)
    if (!batch) return E.left(unknownBatch(name))
    const report = depositorReport(views, batch, which)
    return report
      ? E.right(report)
      : E.left({
          code: 'no-such-report',
          message: `there is no report ${which.report} of batch ${name}; the last is ${batch.reports}`,
          path: 'report',
        })
  },
  rows: { row: ReportedJob, of: ({ jobs }) => jobs },
  show: (answer) => reportLinesOf(answer),
  pictures: [
    {
      format: 'html',
      contentType: 'text/html',
      isReport: true,
      flag: 'write it as a page',
      draw: (answer) => E.right(reportPage(answer)),
    },
    {
      format: 'txt',
      contentType: 'text/plain',
      draw: (answer) =>
        E.right(
          reportLinesOf(answer)
            .map((line) => `${line}\n`)
            .join(''),
        ),
    },
  ],
  examples: [
    ['report 7', 'what its depositor is told'],
    ['report 7 --html report.html', 'a page to mail and keep'],
    ['report 7 --report 1 --format csv', 'the jobs of the first report, for a spreadsheet'],
  ],
})
