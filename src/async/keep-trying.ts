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
  /** Ends it, also in the middle of a pause. */
  readonly signal: AbortSignal
  /** Looked at before each attempt; until `signal` aborts unless said. */
  readonly isOver?: () => boolean
  /** What is unlike the usual pauses. */
  readonly backoff?: Partial<Backoff>
  /** The same for what is away (`UnavailableError`). */
  readonly awayBackoff?: Partial<Backoff>
  readonly onFailure: (failed: Failed) => void
}

/**
 * Does the work again and again, where it fails after a growing pause. The pauses begin anew once the work says that it
 * `succeeded`, in the middle of an attempt or at its end. What `onFailure` throws ends it.
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

/** What is away is logged as a warning once, and again when it was back. */
export const levelOf = ({ error, before }: Failed): 'error' | 'warn' | 'debug' =>
  !(error instanceof UnavailableError) ? 'error' : before > 0 ? 'debug' : 'warn'
