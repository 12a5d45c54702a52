import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { checkFence } from '../../kernel/lease.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import { type Runs, without } from '../runs.ts'
import type { SaveReport } from './commands.ts'
import { type BatchEvent, maxFailures } from './events.ts'
import { jobsThat } from './jobs.ts'
import { isMailWanted } from './mail.ts'
import { type Decision, move, nameOf, notAllowed } from './moving.ts'
import type { Batch } from './state.ts'

/* Reports: the outcomes of the jobs, as noted in the batch's own stream. */

/**
 * I8 to I10, I12 to I14. A report is saved each time; a mail about an update is due only if something changed (C18).
 */
export const saveReport = ({ fence, failures, at }: SaveReport, batch: Batch): Decision =>
  pipe(
    checkFence(batch.claims.lease, fence),
    E.chain(() => mayReport(batch)),
    E.chain(() => {
      const report = reportOf(batch, failures.slice(0, maxFailures))
      const to = report.failed.length > 0 ? 'failed' : 'completed'
      const saved: BatchEvent = { type: 'ReportSaved', data: { ...report, fence, at } }
      return pipe(
        move(batch, to, 'worker', { at, fence }),
        E.map((moved) => [saved, ...moved]),
      )
    }),
  )

/** No report is made while a job is open: a held one blocks it (C14), and so does one that was resumed. */
export const mayReport = (batch: Batch): E.Either<IngestRejection, unknown> => {
  if (batch.state !== 'reporting' && batch.state !== 'update-reporting')
    return notAllowed(batch, 'completed', 'worker')
  const open = batch.jobs?.counts.open ?? 0
  return open === 0
    ? E.right(undefined)
    : reject('jobs-open', `${open} of the jobs of ${nameOf(batch)} are open; the report waits for them`)
}

const reportOf = (batch: Batch, failures: SaveReport['failures']) => {
  const { jobs, firstJob = 1, lastReport, state } = batch
  const those = (end: 'completed' | 'failed' | 'deleted'): Runs => (jobs ? jobsThat(jobs, end) : [])
  const [completed, failed, deleted] = [those('completed'), those('failed'), those('deleted')]
  const isChanged =
    !lastReport ||
    !isSame(lastReport.completed, completed) ||
    !isSame(lastReport.failed, failed) ||
    !isSame(lastReport.deleted, deleted)
  return {
    report: (lastReport?.report ?? 0) + 1,
    kind: state === 'reporting' ? ('first' as const) : ('update' as const),
    firstJob,
    completed,
    failed,
    deleted,
    newlyCompleted: without(completed, lastReport?.completed ?? []),
    failures: [...failures],
    mail: isChanged && isMailWanted(batch, 'report'),
  }
}

const isSame = (one: Runs, other: Runs): boolean => JSON.stringify(one) === JSON.stringify(other)
