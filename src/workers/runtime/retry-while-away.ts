import type { Logger } from 'pino'
import { keepTrying, levelOf } from '../../async/keep-trying.ts'
import type { TaskContext } from '../../async/task-context.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Clock } from '../../ports/clock.ts'
import { retryMillis } from './idle-backoff.ts'

/** As often as a queue that cannot be read: the same broker is unavailable. */
const backoff = { minMillis: retryMillis, maxMillis: retryMillis, jitter: 0 }

/**
 * Retries the work while its dependencies are unavailable, until the signal aborts: a result that took minutes to find
 * is not lost. Logs that once.
 */
export const retryWhileAway = async (
  work: () => Promise<void>,
  { signal, progress }: TaskContext,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<void> => {
  let isDone = false
  const tryOnce = async () => {
    await work()
    isDone = true
  }
  await keepTrying(tryOnce, {
    clock,
    signal,
    backoff,
    isOver: () => isDone || signal.aborted,
    onFailure: (failed) => {
      if (!(failed.error instanceof UnavailableError)) throw failed.error
      log[levelOf(failed)]({ err: failed.error }, 'cannot send a report; retrying')
      progress()
    },
  })
  if (!isDone) signal.throwIfAborted()
}
