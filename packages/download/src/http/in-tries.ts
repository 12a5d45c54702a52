import { setTimeout } from 'node:timers/promises'
import { DownloadFailure, PermanentFailure, TransientFailure } from '../failures.ts'
import { withoutLogin } from '../login.ts'
import type { Watch } from '../watch.ts'

export interface Tries {
  /** `sleep` resolves after the time, or at once when the signal aborts. Default: the timers of Node. */
  readonly clock?: { sleep(millis: number, signal: AbortSignal): Promise<void> }
  /** Attempts in a row without much progress. */
  readonly tries: number
}

/** Other people's servers are retried slowly, and can state when to retry. */
const backoff = { minMillis: 1000, maxMillis: 60_000 }

const timers: Required<Tries>['clock'] = {
  sleep: (millis, signal) => setTimeout(millis, undefined, { signal }).catch(() => {}),
}

/**
 * Repeats the attempt until it succeeds, or no try is left. If `hasAdvanced` returns true, the attempt does
 * not count. Throws `DownloadFailure`, errors that are neither transient nor permanent, and the reason of the
 * signal.
 */
export const inTries = async <A>(
  uri: string,
  attempt: () => Promise<A>,
  { clock = timers, tries, hasAdvanced = () => false }: Tries & { readonly hasAdvanced?: () => boolean },
  { signal, progress }: Watch,
): Promise<A> => {
  const shown = withoutLogin(uri)
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof PermanentFailure)
        throw new DownloadFailure(`${shown} ${error.message}`, { cause: error })
      if (!(error instanceof TransientFailure)) throw error
      if (hasAdvanced()) tried = 0
      if (tried >= tries)
        throw new DownloadFailure(`${shown} ${error.message}; tried ${tries} times, ${error.advice}`, {
          cause: error,
        })
      // Tries are limited, so a caller that waits does not hang.
      progress()
      const pause = Math.max(error.afterMillis, backoff.minMillis * 2 ** Math.max(0, tried - 1))
      await clock.sleep(Math.min(pause, backoff.maxMillis), signal)
      signal.throwIfAborted()
      progress()
    }
  }
}
