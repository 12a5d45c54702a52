import * as E from 'fp-ts/lib/Either.js'
import { Text } from '../../../domain/kernel/codecs.ts'
import { question } from '../../runtime/question.ts'
import { fixity } from '../projection.ts'
import { FixityReport } from './answers.ts'
import { fixityReport } from './report.ts'
import { ReportRow, reportRows } from './report-rows.ts'
import { reportText } from './report-text.ts'

export const report = question({
  name: 'report',
  path: 'reports/fixity',
  operationId: 'fixityReport',
  tag: 'reports',
  summary: 'Is the content still what it was? Counts, findings and failures, by store and folder.',
  description: 'As HTML it is one page that stands alone, to be printed and kept.',
  projection: fixity,
  history: 'views',
  input: {
    store: { description: 'This store alone.', codec: Text, example: 'main', argument: 'store' },
    prefix: { description: 'Paths that start so.', codec: Text, example: 'letters/', value: 'path' },
  },
  answer: FixityReport,
  returns: 'The report.',
  schemaName: 'FixityReport',
  ask: (views, scope, { now }) => E.right(fixityReport(views, now, scope)),
  prints: 'rows',
  rows: { row: ReportRow, of: reportRows },
  show: reportText,
  remarks: ({ resolutions: { length } }) => [
    length === 0
      ? 'nothing is to be settled'
      : `${length} to be settled: \`fonds fixity findings\` lists them`,
  ],
  alarm: ({ stores }, { input: { store } }) =>
    store !== undefined && stores.length === 0
      ? {
          message: `there is no store ${store}`,
          hint: '`fonds query fixity-stores` lists them',
          unseen: true,
        }
      : undefined,
  pictures: [
    {
      format: 'html',
      contentType: 'text/html',
      isReport: true,
      flag: 'write it as a page to print',
      draw: async (answer) => E.right((await import('./report-page.ts')).reportPage(answer)),
    },
  ],
  examples: [
    ['report', 'a line a top folder'],
    ['report archive --prefix letters/ --format csv', 'for a spreadsheet'],
    ['report --html report.html', 'a page to print'],
  ],
})
