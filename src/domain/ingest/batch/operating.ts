import * as E from 'fp-ts/lib/Either.js'
import { reject, unconfirmed } from '../rejection.ts'
import type {
  DeleteBatch,
  FailJobs,
  HoldBatch,
  ReleaseBatch,
  ResumeBatch,
  SweepBatch,
  UpdateReport,
} from './commands.ts'
import { recipientsOf } from './mail.ts'
import { type Decision, move, nameOf, notAllowed } from './moving.ts'
import type { Batch } from './state.ts'

/* Decisions of a person. The reason becomes the message of the move. */

/** A batch can be held only until its payload is read. */
export const holdBatch = ({ reason, at }: HoldBatch, batch: Batch): Decision => {
  if (batch.state === 'pending' && batch.read)
    return reject('not-allowed', `${nameOf(batch)} goes from pending to processing now: it cannot go to held`)
  return move(batch, 'held', 'admin', { at, message: reason })
}

/** I5. If its collection is still on hold, its next claim holds it again (C9). */
export const releaseBatch = ({ reason, at }: ReleaseBatch, batch: Batch): Decision =>
  move(batch, 'pending', 'admin', { at, message: reason, row: 'I5' })

/** N20: the cause of its failure may have been fixed. A batch with jobs continues by resuming them. */
export const resumeBatch = ({ reason, at }: ResumeBatch, batch: Batch): Decision =>
  batch.state === 'failed' && batch.jobs
    ? reject(
        'not-allowed',
        `${nameOf(batch)} has jobs: it cannot go from failed to pending; resume those that failed (ingest.resume-job), then ingest.update-report`,
      )
    : move(batch, 'pending', 'admin', { at, message: reason, row: 'N20' })

/** I6 and I15. Deleting a failed batch deletes all of its jobs, in any state. */
export const deleteBatch = ({ reason, confirmed, at }: DeleteBatch, batch: Batch): Decision => {
  if (batch.state === 'completed')
    return reject(
      'not-allowed',
      `${nameOf(batch)} is completed: it cannot go from completed to deleted by this; ingest.sweep-batch clears it away, and its stored objects stay`,
    )
  const deleted = move(batch, 'deleted', 'admin', { at, message: reason })
  if (E.isLeft(deleted) || confirmed) return deleted
  const { submission, profile } = batch
  const recipients = recipientsOf(submission, profile).join(', ') || submission.submitter
  const open = batch.jobs?.counts.open ?? 0
  return unconfirmed(
    `${nameOf(batch)} will be gone, with ${batch.jobs?.words.length ?? 0} jobs, ${open} of them open`,
    `${recipients} will not be notified`,
  )
}

/**
 * N15, for all jobs that have not ended: each fails by itself, and the batch moves as usual once it has noted the last.
 */
export const failJobs = ({ reason, confirmed, at }: FailJobs, batch: Batch): Decision => {
  const { state, jobs, firstJob, submission } = batch
  const is = `${nameOf(batch)} is ${state}`
  if (!jobs || firstJob === undefined)
    return reject(
      'nothing-to-do',
      `${is}: it has no jobs${state === 'pending' ? ' yet; ingest.hold-batch, then ingest.delete-batch, gives it up' : ''}`,
    )
  // A deleted batch does not note the ends of its deleted jobs.
  const open = state === 'deleted' ? 0 : jobs.counts.open
  if (open === 0) return reject('nothing-to-do', `${is}: none of its jobs is open`)
  return confirmed
    ? E.right([{ type: 'JobsForceFailed', data: { reason, open, at } }])
    : unconfirmed(
        `${open} of the ${jobs.words.length} jobs of ${nameOf(batch)} will fail`,
        `their workers are not notified before they report, and their work is lost; ${submission.submitter} is not notified before the batch reports`,
      )
}

/** I11. A batch whose payload could not be read has nothing to report. */
export const updateReport = ({ reason, at }: UpdateReport, batch: Batch): Decision =>
  batch.state === 'failed' && !batch.jobs
    ? reject(
        'not-allowed',
        `${nameOf(batch)} failed before it had jobs: it cannot go from failed to update-reporting; ingest.resume-batch has its payload read again`,
      )
    : move(batch, 'update-reporting', 'admin', { at, message: reason })

/** I16. The depositor's report is sent first. */
export const sweepBatch = ({ reason, by, at }: SweepBatch, batch: Batch): Decision => {
  if (batch.state !== 'completed') return notAllowed(batch, 'deleted', 'system')
  return batch.mails.length > 0
    ? reject('mail-due', `the report of ${nameOf(batch)} is not sent yet; it is swept after that`)
    : move(batch, 'deleted', by, { at, message: reason })
}
