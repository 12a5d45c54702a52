import type { Logger } from 'pino'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Checkpoints } from '../../domain/kernel/leader-lease.ts'
import { addMillis, millisBetween } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LeaderStream } from './leader-stream.ts'

/**
 * When the right to work ends: whichever comes first. The monotonic clock is right when the time of day is set; the
 * time of day is right when the machine was suspended, which may stop the other.
 */
export interface Until {
  /** Milliseconds, as the clock's `monotonic`. */
  readonly monotonic: number
  readonly time: string
}

/** The deadline that the holder writes with each event, counted from before the event is sent. */
export const wordNow = (clock: Clock, millis: number) => {
  const at = clock.now()
  // A tenth before the deadline: a piece of work takes its time, and clocks differ.
  const right = millis - millis / 10
  const until: Until = { monotonic: clock.monotonic() + right, time: addMillis(at, right) }
  return { at, deadline: addMillis(at, millis), millis, until }
}

/** Milliseconds; zero or less once it is over. */
export const timeLeft = ({ monotonic, time }: Until, clock: Clock): number =>
  Math.min(monotonic - clock.monotonic(), millisBetween(clock.now(), time))

export interface HeldLease {
  readonly name: string
  readonly holder: string
  readonly fence: number
  /** Milliseconds that the holder may be silent. */
  readonly millis: number
  readonly until: Until
}

/** A lease that is extended until it is stopped or lost. */
export interface Keeping {
  until(): Until
  /** Aborts when an extension was rejected. */
  readonly rejected: AbortSignal
  /** Resolves when no extension is under way any more. */
  stop(): Promise<void>
}

/**
 * Keeps a lease on another thread than the work's, which may be too busy to be in time. `reached`: progress of the
 * work. `here` keeps it on this thread, if no other is available.
 */
export type KeepApart = (
  lease: HeldLease,
  reached: () => Checkpoints,
  here: (lease: HeldLease) => Keeping,
) => Keeping

interface KeepLeaseDependencies {
  readonly stream: LeaderStream
  readonly clock: Clock
  readonly log: Logger
  /** False while nothing shows progress: the lease is then not extended. Absent: always true. */
  readonly isAtWork?: () => boolean
  /** Called after each extension. */
  readonly extended?: (until: Until) => void
}

/** Extends a lease after a third of its time, and retries soon after a failure. */
export const keepLease = (
  { name, holder, fence, millis, until: first }: HeldLease,
  reached: () => Checkpoints,
  { stream, clock, log, isAtWork = () => true, extended = () => {} }: KeepLeaseDependencies,
): Keeping => {
  const stopping = new AbortController()
  const rejected = new AbortController()
  let until = first
  const running = extending()

  async function extending(): Promise<void> {
    for (let wait = millis / 3; ; ) {
      await clock.sleep(wait, stopping.signal)
      if (stopping.signal.aborted) return
      wait = (millis / 15) * (0.5 + Math.random())
      if (!isAtWork()) continue
      try {
        const { until: later, ...word } = wordNow(clock, millis)
        const written = await stream.execute({
          type: 'Extend',
          actor: holder,
          fence,
          ...reached(),
          ...word,
        })
        if (!written) return rejected.abort()
        until = later
        extended(later)
        wait = millis / 3
      } catch (error) {
        log[error instanceof UnavailableError ? 'debug' : 'error'](
          { err: error, duty: name },
          'cannot extend the leader lease; retrying until it ends',
        )
      }
    }
  }

  return {
    until: () => until,
    rejected: rejected.signal,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
