import type { BatchEvent } from '../../domain/ingest/batch/events.ts'
import { rangesOf } from '../../domain/ingest/runs.ts'
import type { RefusedRecipient } from '../../domain/ingest/submission.ts'
import type { IngestTables, ReportRow } from './tables.ts'

type ReportSaved = Extract<BatchEvent, { type: 'ReportSaved' }>['data']

export const saveReport = (tables: IngestTables, batch: string, saved: ReportSaved): void => {
  const { report, kind, at, firstJob, completed, failed, deleted, newlyCompleted, failures, mail } = saved
  tables['ingest-reports'].put({
    batch,
    report,
    kind,
    at,
    completed: rangesOf(completed, firstJob),
    failed: rangesOf(failed, firstJob),
    deleted: rangesOf(deleted, firstJob),
    newlyCompleted: rangesOf(newlyCompleted, firstJob),
    failures,
    mail: mail ? 'due' : 'none',
    mailedAt: null,
    error: null,
  })
}

/** Recipients that refused a mail, in a sentence; null if it went to all. */
export const refusalOf = (refused: readonly RefusedRecipient[] = []): string | null =>
  refused.length === 0
    ? null
    : `not to ${refused.map(({ to, reason }) => `${to}: ${reason}`).join('; not to ')}`

/** Records the outcome of the mail about a report; does nothing for other mails. */
export const noteMail = (
  tables: IngestTables,
  batch: string,
  report: number | undefined,
  change: Partial<Pick<ReportRow, 'mail' | 'mailedAt' | 'error'>>,
): void => {
  const row = report === undefined ? undefined : tables['ingest-reports'].get(batch, report)
  if (row) tables['ingest-reports'].put({ ...row, ...change })
}
