import { addMillis } from '../kernel/time.ts'
import type { DataOf, IndexingEvent } from './events.ts'
import type { Policy } from './policy.ts'
import { copyOf, type FileState, lossesAt } from './state.ts'

type Why = Pick<DataOf<'IndexingFailed'>, 'code' | 'reason' | 'offset'>

/** A job failed. A failed comparison is reported to a person as a conflict and is not tried again. */
export const failedJob = (
  state: FileState,
  why: Why,
  policy: Policy,
  at: string,
): readonly IndexingEvent[] => {
  if (state.comparing === undefined) return failedAttempt(state, why, policy, at)
  const copy = copyOf(state)
  const because = `they could not be compared: ${why.reason}`
  return copy ? [{ type: 'ConflictFound', data: { ...copy, because, at } }] : []
}

/**
 * The file is due again after a pause, and queued behind files with fewer failures (W11). After `maxAttempts` failures
 * it is parked. A missing file waits, after any number of failures, until a list contains it again (W4, W5).
 */
export const failedAttempt = (
  { failures: before }: FileState,
  { code, reason, offset }: Why,
  { retryMillis, maxAttempts }: Policy,
  at: string,
): readonly IndexingEvent[] => {
  const failures = before + 1
  const isMissing = code === 'not-found'
  const parks = !isMissing && failures >= maxAttempts
  const dueAt = isMissing || parks ? null : addMillis(at, retryMillis)
  const failed: IndexingEvent = {
    type: 'IndexingFailed',
    data: { failures, code, reason, dueAt, at, ...(offset !== undefined && { offset }) },
  }
  return parks ? [failed, { type: 'FileParked', data: { by: 'failures', reason, at } }] : [failed]
}

/**
 * The file was read successfully, and the index could not accept its lines. A success resets the count of failures, so
 * losses have a count of their own: a file whose lines are lost again within a day each time is parked like any other
 * that fails.
 */
export const lostLines = (
  state: FileState,
  reason: string,
  policy: Policy,
  at: string,
): readonly IndexingEvent[] => {
  const losses = lossesAt(state, at)
  const why =
    losses > 1
      ? `the index could not take its lines ${losses} times in a row: look at the disk of FONDS_INDEXING_FOLDER. The last time: ${reason}`
      : reason
  return failedAttempt({ ...state, failures: losses - 1 }, { code: 'lost', reason: why }, policy, at)
}
