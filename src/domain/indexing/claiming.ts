import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { checkFence, grant, type LeaseRejection, restate } from '../kernel/lease.ts'
import { type Ending, hasRunOut, whyRunOut } from '../kernel/task.ts'
import type { Claim, ExpireClaim, ExtendClaim, ReleaseClaim } from './commands.ts'
import type { IndexingEvent } from './events.ts'
import { failedJob } from './failing.ts'
import { fileId } from './file.ts'
import type { Job } from './outcome.ts'
import type { Policy } from './policy.ts'
import { type Decision, reject, unknownFile } from './rejections.ts'
import { evolve, type FileState, isTakenBack } from './state.ts'

/* Decisions about claims: one claim per file is granted at a time (W21). */

/**
 * A claim may follow one whose deadline has passed, which then counts as a failure. If that was the last failure
 * allowed, the events park the file and grant no claim.
 */
export const claim = (command: Claim, state: FileState): Decision => {
  const { file, holder, deadline, millis, policy, at } = command
  if (!state.known) return unknownFile(file)
  const expiry = expired(state, policy, { at })
  const now = expiry.reduce(evolve, state)
  const granted = grant(now.lease, now.lastFence, holder, at, deadline)
  if (E.isLeft(granted)) return granted
  const job = jobOf(now, at)
  if (!job)
    return expiry.length > 0
      ? E.right(expiry)
      : reject('not-due', `${fileId(file)} is ${now.status}, and there is nothing to do with it now`)
  const { fence } = granted.right
  const claimed: IndexingEvent = {
    type: 'FileClaimed',
    data: {
      holder,
      fence,
      deadline,
      millis,
      ...(job.kind === 'compare' && { copy: job.copy.location }),
    },
  }
  return E.right({ events: [...expiry, claimed], result: { lease: granted.right, job } })
}

/** Returns the due job: indexing the file precedes comparing it with its copies. */
const jobOf = ({ kind, place, copies, dueAt, salvages }: FileState, at: string): Job | undefined => {
  if (!place || kind === 'unknown') return undefined
  if (isDue(dueAt, at)) return { kind: 'index', place, fileKind: kind, ...(salvages && { salvages }) }
  const copy = copies.find((one) => isDue(one.dueAt, at))
  return copy && { kind: 'compare', place, copy: copy.place }
}

const isDue = (dueAt: string | null, at: string): boolean => dueAt !== null && dueAt <= at

export const extendClaim = ({ fence, deadline, at }: ExtendClaim, { lease }: FileState): Decision =>
  pipe(
    restate(lease, fence, at, deadline),
    E.map((extended) => [{ type: 'ClaimExtended', data: { fence, deadline: extended.deadline } }]),
  )

/**
 * Works after its expiry, too: a holder that is alive, and had only lost its connection to the log, withdraws the
 * failure.
 */
export const releaseClaim = ({ fence, reason, until }: ReleaseClaim, state: FileState): Decision =>
  pipe(
    isTakenBack(state, fence) ? E.right<LeaseRejection, unknown>(undefined) : checkFence(state.lease, fence),
    E.map(() => [{ type: 'ClaimReleased', data: { fence, reason, ...(until !== undefined && { until }) } }]),
  )

export const expireClaim = (command: ExpireClaim, state: FileState): Decision =>
  E.right(expired(state, command.policy, command))

/** An expired claim counts as a failure: a file that kills workers is parked in the end. */
const expired = (state: FileState, policy: Policy, ending: Ending): readonly IndexingEvent[] => {
  const { lease } = state
  if (!lease || !hasRunOut(lease, ending)) return []
  const { at } = ending
  return [
    { type: 'ClaimExpired', data: { fence: lease.fence, at } },
    ...failedJob(state, { code: 'silent', reason: whyRunOut(lease, ending) }, policy, at),
  ]
}
