import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { checkFence, grant, isActive, type LeaseRejection, restate } from '../kernel/lease.ts'
import { type Ending, hasRunOut, whyRunOut } from '../kernel/task.ts'
import type { Claim, EndClaim, ExpireClaim, ExtendClaim, ReleaseClaim, RequestCheck } from './commands.ts'
import type { FixityEvent } from './events.ts'
import { itemId } from './item.ts'
import { type Decision, reject, unknownItem } from './rejections.ts'
import { attemptAfter, attemptsInRun } from './schedule.ts'
import { evolve, type ItemState, isTakenBack } from './state.ts'

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

/**
 * A claim may follow one whose deadline has passed, which then counts as a failed attempt. After the third failed
 * attempt the events park the item and grant no claim.
 */
export const claim = (command: Claim, state: ItemState): Decision => {
  const { item, holder, deadline, millis, at } = command
  if (!state.known) return unknownItem(item)
  if (state.parked) return parked(command)
  const expiry = expired(state, { at })
  const now = expiry.reduce(evolve, state)
  if (now.parked) return E.right(expiry)
  const granted = grant(now.lease, now.lastFence, holder, at, deadline)
  if (E.isLeft(granted)) return granted
  if (!isDue(now, at))
    return reject('not-due', `${itemId(item)} is ${dueText(now)}; request a check to have one earlier`)
  const { fence } = granted.right
  const attempt = attemptAfter(now.failures)
  const claimed: FixityEvent = {
    type: 'CheckClaimed',
    data: { holder, fence, deadline, millis, attempt, run: now.run },
  }
  return E.right({ events: [...expiry, claimed], result: granted.right })
}

export const extendClaim = ({ fence, deadline, at }: ExtendClaim, { lease }: ItemState): Decision =>
  pipe(
    restate(lease, fence, at, deadline),
    E.map((extended) => [{ type: 'ClaimExtended', data: { fence, deadline: extended.deadline } }]),
  )

/**
 * Works after its expiry, too: a holder that is alive, and had only lost its connection to the log, has used up no
 * attempt.
 */
export const releaseClaim = ({ fence, reason }: ReleaseClaim, state: ItemState): Decision =>
  pipe(
    isTakenBack(state, fence) ? E.right<LeaseRejection, unknown>(undefined) : checkFence(state.lease, fence),
    E.map(() => [{ type: 'ClaimReleased', data: { fence, reason } }]),
  )

export const expireClaim = (command: ExpireClaim, state: ItemState): Decision =>
  E.right(expired(state, command))

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

/** An expired claim counts as a failed attempt: an item that kills workers is parked in the end. */
const expired = (state: ItemState, ending: Ending): readonly FixityEvent[] => {
  const { lease } = state
  if (!lease || !hasRunOut(lease, ending)) return []
  const { at } = ending
  return [
    { type: 'ClaimExpired', data: { fence: lease.fence, at } },
    ...failedAttempt(state, whyRunOut(lease, ending), at, at),
  ]
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
