import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isActive } from '../../kernel/lease.ts'
import { reject, unconfirmed } from '../rejection.ts'
import type { DeleteJob, ForceFail, HoldJob, ReleaseJob, ResumeJob } from './commands.ts'
import { type Decision, move, notAllowed } from './moving.ts'
import { evolve, type Job, type JobOrNone } from './state.ts'

/* Decisions of a person. The reason becomes the message of the move. */

export const holdJob = ({ reason, at }: HoldJob, job: Job): Decision => {
  const { lease } = job.claims
  if (job.state === 'pending' && isActive(lease, at))
    return reject(
      'held',
      `job ${job.facts.job} is being worked on by ${lease.holder} until ${lease.deadline}`,
    )
  return move(job, 'held', 'admin', { at, message: reason })
}

export const releaseJob = ({ reason, ifHeld, at }: ReleaseJob, job: Job): Decision => {
  if (job.state !== 'held') return ifHeld ? E.right([]) : notAllowed(job, 'pending', 'admin')
  return move(job, 'pending', 'admin', { at, row: 'I22', message: reason })
}

/** It goes on in the state that it failed in (C6). */
export const resumeJob = ({ reason, to, at }: ResumeJob, job: Job): Decision => {
  const { state, failedIn, permanent, facts } = job
  if (state !== 'failed' || failedIn === undefined) return notAllowed(job, to ?? 'pending', 'admin')
  if (to !== undefined && to !== failedIn)
    return reject(
      'not-allowed',
      `job ${facts.job} failed in ${failedIn}: it cannot go from failed to ${to}; resume it at ${failedIn}`,
    )
  if (permanent)
    return reject(
      'permanent',
      `job ${facts.job} failed for good in ${failedIn}: it cannot go from failed to ${failedIn}; submit it again`,
    )
  return move(job, failedIn, 'admin', { at, message: reason })
}

export const deleteJob = ({ reason, confirmed, at }: DeleteJob, job: Job): Decision => {
  const deleted = move(job, 'deleted', 'admin', { at, message: reason })
  if (E.isLeft(deleted) || confirmed) return deleted
  return unconfirmed(
    `job ${job.facts.job} will be gone`,
    `no report will name it, so ${job.facts.submitter} will not be notified of its outcome`,
  )
}

export const forceFail = ({ reason, confirmed, ifOpen, at }: ForceFail, job: Job): Decision => {
  if (ifOpen && hasEnded(job)) return E.right([])
  const failed = released(job, { reason, at }, (free) =>
    move(free, 'failed', 'admin', { at, row: 'N15', message: reason }),
  )
  if (E.isLeft(failed) || confirmed) return failed
  const { lease } = job.claims
  return unconfirmed(
    `job ${job.facts.job} will fail in ${job.state}`,
    isActive(lease, at)
      ? `${lease.holder} works on it and is not notified before it reports, and its work is lost`
      : `nobody works on it, and ${job.facts.submitter} is not notified before the batch reports`,
  )
}

const hasEnded = ({ state }: Job): boolean =>
  state === 'completed' || state === 'failed' || state === 'deleted'

/** A held job is released first (I22): a failed one is resumed where it was, and nobody works on what is held. */
const released = (
  job: Job,
  { reason, at }: Pick<ForceFail, 'reason' | 'at'>,
  then: (free: Job) => Decision,
): Decision => {
  if (job.state !== 'held') return then(job)
  return pipe(
    move(job, 'pending', 'admin', { at, row: 'I22', message: reason }),
    E.chain((freed) =>
      pipe(
        then(freed.reduce<JobOrNone>(evolve, job) as Job),
        E.map((more) => [...freed, ...more]),
      ),
    ),
  )
}
