import type { Logger } from 'pino'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Hold } from '../runtime/hold.ts'
import { retryMillis } from '../runtime/idle-backoff.ts'

/**
 * Retries the work while what it needs is unavailable, until the signal aborts: a result that took minutes to find is not
 * lost. Logs that once.
 */
export const retryWhileAway = async (
  work: () => Promise<void>,
  { signal, progress }: Hold,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<void> => {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    try {
      await work()
      return
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      if (tries === 1) log.warn({ err: error }, 'a report is sent again until it is taken')
    }
    progress()
    await clock.sleep(retryMillis, signal)
  }
}
