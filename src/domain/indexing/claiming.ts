import * as E from 'fp-ts/lib/Either.js'
import { claimTask, type Task } from '../kernel/task.ts'
import type { Claim } from './commands.ts'
import type { IndexingEvent } from './events.ts'
import { failedJob } from './failing.ts'
import { fileId } from './file.ts'
import type { Job } from './outcome.ts'
import { type Decision, reject, unknownFile } from './rejections.ts'
import { evolve, type FileState } from './state.ts'

/* Decisions about claims: one claim per file is granted at a time (W21). */

/** A file that kills workers is parked in the end. */
export const jobs: Task<FileState, IndexingEvent, Pick<Claim, 'policy'>> = {
  claims: (state) => state,
  evolve,
  extended: (data) => ({ type: 'ClaimExtended', data }),
  released: ({ fence, reason, until }) => [
    { type: 'ClaimReleased', data: { fence, reason, ...(until !== undefined && { until }) } },
  ],
  expired: ({ lease: { fence }, why: reason, policy, at }, state) => [
    { type: 'ClaimExpired', data: { fence, at } },
    ...failedJob(state, { code: 'silent', reason }, policy, at),
  ],
}

export const claim = (command: Claim, state: FileState): Decision => {
  const { file, holder, deadline, millis, at } = command
  if (!state.known) return unknownFile(file)
  return claimTask(jobs, command, state, (left, lease) => {
    const job = jobOf(left, at)
    if (!job) return reject('not-due', `${fileId(file)} is ${left.status}, and no job is due for it now`)
    const copy = job.kind === 'compare' && { copy: job.copy.location }
    const data = { holder, fence: lease.fence, deadline, millis, ...copy }
    return E.right({ event: { type: 'FileClaimed', data }, result: { ...lease, job } })
  })
}

/** Returns the due job: indexing the file precedes comparing it with its copies. */
const jobOf = ({ kind, place, copies, dueAt, salvages }: FileState, at: string): Job | undefined => {
  if (!place || kind === 'unknown') return undefined
  if (isDue(dueAt, at)) return { kind: 'index', place, fileKind: kind, ...(salvages && { salvages }) }
  const copy = copies.find((one) => isDue(one.dueAt, at))
  return copy && { kind: 'compare', place, copy: copy.place }
}

const isDue = (dueAt: string | null, at: string): boolean => dueAt !== null && dueAt <= at
