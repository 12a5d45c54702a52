import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { checkFence } from '../../kernel/lease.ts'
import { clampPriority } from '../profile/profile.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import {
  type JobRow,
  type JobState,
  jobMoves,
  type Mover,
  rowOf,
  type WorkState,
  whyNotAllowed,
  workStates,
} from '../transitions.ts'
import type { CompleteStep, CompleteSteps, FailStep } from './commands.ts'
import type { JobEvent } from './events.ts'
import type { JobChanges } from './facts.ts'
import { arkOf, evolve, type Job, type JobMoved, type JobOrNone } from './state.ts'

/* Decisions that move a job along: a move that is no row of the table is rejected with the names of both states. */

export type Decision = E.Either<IngestRejection, readonly JobEvent[]>

type More = Partial<Omit<JobMoved, 'from' | 'to' | 'cause' | 'at'>>

/** One move, by the row that allows it. */
export const move = (
  job: Job,
  to: JobState,
  by: Mover,
  { at, row, ...more }: { at: string; row?: JobRow | undefined } & More,
): Decision => {
  const from = job.state
  const cause = rowOf<JobRow>(jobMoves, { from, to, by, row })
  if (cause === undefined) return notAllowed(job, to, by)
  return E.right([{ type: 'JobMoved', data: { from, to, cause, at, ...more } }])
}

export const notAllowed = ({ facts, state: from }: Job, to: JobState, by: Mover) =>
  reject('not-allowed', whyNotAllowed(jobMoves, { what: `job ${facts.job}`, from, to, by }))

/** Returns the state that follows a finished step. */
export const after = (state: WorkState): JobState => workStates[workStates.indexOf(state) + 1] ?? 'completed'

export const completeStep = (command: CompleteStep, job: Job): Decision => {
  const { state, fence, changes, release, at } = command
  return pipe(
    mayReport(command, job, after(state)),
    E.chain(() => lacking(job, state, changes)),
    E.chain(() => changesOf(job, changes)),
    E.chain((changed) =>
      move(job, after(state), moverOf(command), {
        at,
        ...(fence !== undefined && { fence }),
        ...(release === true && { released: true }),
        ...(Object.keys(changed).length > 0 && { changed }),
      }),
    ),
  )
}

export const completeSteps = ({ steps, release, ...of }: CompleteSteps, job: Job): Decision => {
  const events: JobEvent[] = []
  let reached: JobOrNone = job
  for (const [i, { state, changes }] of steps.entries()) {
    const isLast = i === steps.length - 1
    const step = { ...of, type: 'CompleteStep', state, changes, release: isLast && release } as const
    const moved = completeStep(step, reached as Job)
    if (E.isLeft(moved)) return moved
    events.push(...moved.right)
    reached = moved.right.reduce(evolve, reached)
  }
  return E.right(events)
}

export const failStep = (command: FailStep, job: Job): Decision => {
  const { fence, message, permanent, ark, at } = command
  return pipe(
    mayReport(command, job, 'failed'),
    E.chain(() => changesOf(job, ark === undefined ? {} : { ark })),
    E.chain((changed) =>
      move(job, 'failed', moverOf(command), {
        at,
        message,
        ...(fence !== undefined && { fence }),
        ...(permanent === true && { permanent }),
        ...(Object.keys(changed).length > 0 && { changed }),
      }),
    ),
  )
}

type Report = CompleteStep | FailStep

/** Only another inventory reports without a claim. */
const moverOf = ({ fence }: Report): Mover => (fence === undefined ? 'inventory' : 'worker')

/** The report must be for the job's state, and from its holder. */
const mayReport = (
  { state, fence, version }: Report,
  job: Job,
  to: JobState,
): E.Either<IngestRejection, unknown> => {
  if (fence !== undefined) {
    const held = checkFence(job.claims.lease, fence)
    if (E.isLeft(held)) return held
  }
  if (job.state !== state) return notAllowed(job, to, fence === undefined ? 'inventory' : 'worker')
  if (version !== undefined && version !== job.found.version)
    return reject(
      'version-conflict',
      `job ${job.facts.job} stored version ${job.found.version ?? 'none'}, not ${version}; drop the result`,
    )
  return E.right(undefined)
}

/** A step without its required result is not done. */
const lacking = (job: Job, state: WorkState, changes: JobChanges): E.Either<IngestRejection, unknown> => {
  if (state === 'processing' && (changes.ark ?? arkOf(job)) === undefined)
    return reject('incomplete', `job ${job.facts.job} has no identifier yet; processing ends with one`)
  if (state === 'storing' && (changes.version === undefined || changes.inventoryDigest === undefined))
    return reject('incomplete', `the version that storage holds of job ${job.facts.job} was not reported`)
  return E.right(undefined)
}

/** Returns the fields that differ from the known ones. The identifier of an object never changes. */
const changesOf = (job: Job, changes: JobChanges): E.Either<IngestRejection, JobChanges> => {
  const known = arkOf(job)
  if (changes.ark !== undefined && known !== undefined && changes.ark !== known)
    return reject('other-ark', `job ${job.facts.job} is of ${known}, not of ${changes.ark}; drop the result`)
  const given = {
    ...changes,
    ...(changes.priority !== undefined && { priority: clampPriority(changes.priority) }),
  }
  const before: JobChanges = { priority: job.priority, localIds: job.facts.localIds, ...job.found }
  return E.right(
    Object.fromEntries(
      Object.entries(given).filter(
        ([name, value]) =>
          value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name as keyof JobChanges]),
      ),
    ),
  )
}
