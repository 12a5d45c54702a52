import type { Logger } from 'pino'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import { retryMillis } from '../runtime/idle-backoff.ts'
import type { Hold } from './recording.ts'

/**
 * Does it again while what it needs is away, until the signal aborts: what took minutes to find is not lost for that. Tells
 * the log once.
 */
export const insist = async (
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
      if (!(error instanceof Away)) throw error
      if (tries === 1) log.warn({ err: error }, 'a report is sent again until it is taken')
    }
    progress()
    await clock.sleep(retryMillis, signal)
  }
}
