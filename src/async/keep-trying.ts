import type { Clock } from '../ports/clock.ts'
import { type Backoff, backoffMillis } from './backoff.ts'
import { UnavailableError } from './unavailable.ts'

export interface Failed {
  readonly error: unknown
  /** Failures in a row before this one. */
  readonly before: number
  readonly retryInMillis: number
}

export interface TryingOptions {
  readonly clock: Pick<Clock, 'sleep'>
  /** Ends it, even in the middle of a pause. */
  readonly signal: AbortSignal
  /** Checked before each attempt. Default: whether `signal` has aborted. */
  readonly isOver?: () => boolean
  /** Overrides of the default pauses. */
  readonly backoff?: Partial<Backoff>
  /** The same for unavailable dependencies (`UnavailableError`). */
  readonly awayBackoff?: Partial<Backoff>
  readonly onFailure: (failed: Failed) => void
}

/**
 * Repeats the work; after a failure, with a growing pause. Pauses begin again at the shortest once the work calls
 * `succeeded`, in the middle of an attempt or at its end. An error of `onFailure` ends it.
 */
export const keepTrying = async (
  work: (succeeded: () => void) => Promise<void>,
  { clock, signal, isOver = () => signal.aborted, backoff, awayBackoff, onFailure }: TryingOptions,
): Promise<void> => {
  let failures = 0
  const succeeded = () => {
    failures = 0
  }
  while (!isOver()) {
    try {
      await work(succeeded)
    } catch (error) {
      if (signal.aborted && error instanceof UnavailableError) return
      const unlike = error instanceof UnavailableError ? { ...backoff, ...awayBackoff } : backoff
      const retryInMillis = backoffMillis(failures, unlike)
      onFailure({ error, before: failures, retryInMillis })
      failures++
      await clock.sleep(retryInMillis, signal)
    }
  }
}

/** Level of a failure's log line: an unavailable dependency is a warning once, and again after it was available. */
export const levelOf = ({ error, before }: Failed): 'error' | 'warn' | 'debug' =>
  !(error instanceof UnavailableError) ? 'error' : before > 0 ? 'debug' : 'warn'
