import { jobsIn } from '../../../domain/ingest/runs.ts'
import { reports } from '../../../domain/ingest/views.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { visible } from '../../../domain/kernel/visible.ts'
import type { ReportRow } from '../tables.ts'
import type { ReportLine } from './answers.ts'
import { batchReader } from './reading.ts'

/** The latest first. */
export const reportLines = (
  views: Views,
  { batch, limit }: { readonly batch?: string; readonly limit: number },
): readonly ReportLine[] => {
  const batchOf = batchReader(views)
  return rows(views, reports, {
    where: batch === undefined ? [] : [is('batch', batch)],
    orderBy: [{ column: 'at', descending: true }],
    limit,
  }).map((row) => reportLine(row, batchOf(row.batch)?.number ?? null))
}

export const reportLine = (row: ReportRow, batchNumber: number | null): ReportLine => ({
  batchNumber,
  report: row.report,
  kind: row.kind,
  at: row.at,
  completed: jobsIn(row.completed),
  failed: jobsIn(row.failed),
  deleted: jobsIn(row.deleted),
  newlyCompleted: jobsIn(row.newlyCompleted),
  mail: row.mail,
  mailedAt: row.mailedAt,
  error: row.error,
  batch: row.batch,
})

/** Outcome of the mail about a report, in a sentence. */
export const mailSentence = ({
  mail,
  mailedAt,
  error,
}: Pick<ReportLine, 'mail' | 'mailedAt' | 'error'>): string => {
  const why = error === null ? '' : visible(error)
  const sentences: Readonly<Record<string, string>> = {
    none: 'no mail tells of it',
    due: 'its mail is to be sent',
    sent: `its mail was sent on ${mailedAt}`,
    failed: 'its mail was not sent',
    uncertain: 'its mail may have been sent',
  }
  const sentence = sentences[mail] ?? mail
  if (why === '') return sentence
  return mail === 'sent' ? `${sentence}, but ${why}` : `${sentence}: ${why}`
}
