import * as E from 'fp-ts/lib/Either.js'
import { isActive } from '../kernel/lease.ts'
import { claimTask, type Task } from '../kernel/task.ts'
import type { Claim, EndClaim, RequestCheck } from './commands.ts'
import type { FixityEvent } from './events.ts'
import { itemId } from './item.ts'
import { type Decision, reject, unknownItem } from './rejections.ts'
import { attemptAfter, attemptsInRun } from './schedule.ts'
import { evolve, type ItemState } from './state.ts'

/* Decisions about the work: requests, claims, their end. */

export const requestCheck = (command: RequestCheck, state: ItemState): Decision => {
  const { item, queue, reason, at } = command
  if (!state.known) return unknownItem(item)
  // A check that a person requests is tried again: its cause may have been fixed.
  if (state.parked && queue === 'low') return parked(command)
  const waitsThere = isDue(state, at) && (state.queue === queue || state.queue === 'high')
  if (waitsThere || isActive(state.lease, at)) return E.right([])
  return E.right([{ type: 'CheckRequested', data: { queue, dueAt: at, reason } }])
}

/** An item that kills workers is parked in the end. */
export const checks: Task<ItemState, FixityEvent> = {
  claims: (state) => state,
  evolve,
  extended: (data) => ({ type: 'ClaimExtended', data }),
  released: ({ fence, reason }) => [{ type: 'ClaimReleased', data: { fence, reason } }],
  expired: ({ lease: { fence }, why, at }, state) => [
    { type: 'ClaimExpired', data: { fence, at } },
    ...failedAttempt(state, why, at, at),
  ],
}

export const claim = (command: Claim, state: ItemState): Decision => {
  const { item, holder, deadline, millis, at } = command
  if (!state.known) return unknownItem(item)
  if (state.parked) return parked(command)
  return claimTask(checks, command, state, (left, lease) => {
    if (!isDue(left, at))
      return reject('not-due', `${itemId(item)} is ${dueText(left)}; request a check to have one earlier`)
    const attempt = attemptAfter(left.failures)
    const data = { holder, fence: lease.fence, deadline, millis, attempt, run: left.run }
    return E.right({ event: { type: 'CheckClaimed', data }, result: lease })
  })
}

/**
 * A person ends the claim. The item is due as before, and no attempt is used up. A later report of the holder is
 * rejected.
 */
export const endClaim = ({ item, reason }: EndClaim, { known, lease }: ItemState): Decision => {
  if (!known) return unknownItem(item)
  return lease
    ? E.right([{ type: 'ClaimReleased', data: { fence: lease.fence, reason } }])
    : reject('not-held', `nobody holds ${itemId(item)}: there is no claim to end`)
}

/** The item is due again at once. After the last attempt it is parked, and waits for a person. */
export const failedAttempt = (
  { run, failures }: ItemState,
  error: string,
  failedAt: string,
  at: string,
): readonly FixityEvent[] => {
  const attempt = attemptAfter(failures)
  const parks = failures + 1 >= attemptsInRun
  const failed: FixityEvent = {
    type: 'AttemptFailed',
    data: { run, attempt, error, dueAt: parks ? null : at, at: failedAt },
  }
  return parks ? [failed, { type: 'CheckParked', data: { run, error, at } }] : [failed]
}

const isDue = ({ dueAt }: ItemState, at: string): boolean => dueAt !== null && dueAt <= at

const dueText = ({ dueAt }: ItemState): string =>
  dueAt === null ? 'not to be checked again' : `not due before ${dueAt}`

const parked = ({ item }: Claim | RequestCheck): Decision =>
  reject('parked', `${itemId(item)} is parked after ${attemptsInRun} failed attempts; revive it first`)
