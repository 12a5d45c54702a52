import * as E from 'fp-ts/lib/Either.js'
import type { Decided, Decider } from '../../kernel/decider.ts'
import { isActive, type Lease } from '../../kernel/lease.ts'
import { claimTask, keepClaim, type Task } from '../../kernel/task.ts'
import { type MaxDeaths, offerStep, stepEvents, whySetAside } from '../claim.ts'
import { categories } from '../ids.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import { isWorkState } from '../transitions.ts'
import type { ClaimJob, CreateJob, DeleteWithBatch, JobCommand } from './commands.ts'
import { type JobEvent, jobEvents } from './events.ts'
import { completeStep, completeSteps, failStep, move, notAllowed } from './moving.ts'
import { deleteJob, forceFail, holdJob, releaseJob, resumeJob } from './operating.ts'
import { evolve, type Job, type JobOrNone } from './state.ts'

type Decision = E.Either<IngestRejection, Decided<JobEvent, Lease>>

const decide = (command: JobCommand, job: JobOrNone): Decision => {
  if (command.type === 'CreateJob') return create(command, job)
  if (!job) return reject('unknown', 'there is no such job; check the number')
  switch (command.type) {
    case 'ClaimJob':
      return claim(command, job)
    case 'ExtendClaim':
    case 'ReleaseClaim':
    case 'ExpireClaim':
      return keepClaim(jobTask, command, job)
    case 'CompleteStep':
      return completeStep(command, job)
    case 'CompleteSteps':
      return completeSteps(command, job)
    case 'FailStep':
      return failStep(command, job)
    case 'HoldJob':
      return holdJob(command, job)
    case 'ReleaseJob':
      return releaseJob(command, job)
    case 'ResumeJob':
      return resumeJob(command, job)
    case 'DeleteJob':
      return deleteJob(command, job)
    case 'ForceFail':
      return forceFail(command, job)
    case 'DeleteWithBatch':
      return deleteWithBatch(command, job)
    case 'NoteFolderCleaned':
      return noteFolderCleaned(command.at, job)
  }
}

/** I18. Creating is idempotent: a job that exists is the same one. */
const create = ({ facts, at }: CreateJob, job: JobOrNone): Decision => {
  if (!job) return E.right([{ type: 'JobCreated', data: { ...facts, at } }])
  const isSame = job.facts.batch === facts.batch && job.facts.index === facts.index
  return isSame ? E.right([]) : reject('exists', `job ${facts.job} belongs to batch ${job.facts.batch}`)
}

/**
 * No step is begun while all ingest is paused. A collection's hold holds its pending jobs, and lets the others finish.
 */
const claim = (command: ClaimJob, job: Job): Decision => {
  const { state, holds, at } = command
  if (job.state !== state) return notAllowed(job, state, 'worker')
  if (!isWorkState(state))
    return reject('nothing-to-do', `job ${job.facts.job} is ${state}: no worker has anything to do with it`)
  if (isActive(job.claims.lease, at))
    return reject('held', `held by ${job.claims.lease.holder} until ${job.claims.lease.deadline}`)
  if (holds.all !== undefined) return reject('paused', `all ingest is paused: ${holds.all}`)
  if (state === 'pending' && holds.collection !== undefined)
    return move(job, 'held', 'worker', { at, message: onHold(job, holds.collection) })
  return claimTask(jobTask, command, job, (left, lease) =>
    left.state === state ? offerStep(left.claims, state, command, lease) : notAllowed(left, state, 'worker'),
  )
}

/** An expired claim leaves the job in its state. The job fails if `maxDeaths` of its holders died in this step. */
const jobTask: Task<Job, JobEvent, MaxDeaths> = {
  ...stepEvents,
  claims: ({ claims }) => claims,
  evolve: (job, event) => evolve(job, event) ?? job,
  expired: (claim, job) => {
    const expired = stepEvents.expired(claim, job.claims)
    const message = whySetAside(claim, job.claims)
    const failed =
      message === undefined
        ? []
        : E.getOrElse((): readonly JobEvent[] => [])(move(job, 'failed', 'worker', { at: claim.at, message }))
    return [...expired, ...failed]
  },
}

const onHold = ({ facts }: Job, reason: string): string =>
  `collection ${facts.collection} is on hold: ${reason}`

const deleteWithBatch = ({ row, at }: DeleteWithBatch, job: Job): Decision =>
  job.state === 'deleted' ? E.right([]) : move(job, 'deleted', 'system', { at, row })

/** I39: only a job that is over has no need of its folder. */
const noteFolderCleaned = (at: string, { facts, state, cleaned }: Job): Decision => {
  if (state !== 'completed' && state !== 'deleted')
    return reject('not-allowed', `job ${facts.job} is ${state}: it needs its work folder until it is over`)
  return E.right(cleaned ? [] : [{ type: 'WorkFolderCleaned', data: { at } }])
}

/** Decides about one job. */
export const jobDecider: Decider<JobOrNone, JobCommand, JobEvent, IngestRejection, Lease> = {
  category: categories.job,
  events: jobEvents,
  initial: undefined,
  evolve,
  decide,
}
