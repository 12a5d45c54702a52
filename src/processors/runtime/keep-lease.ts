import type { Logger } from 'pino'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Checkpoints } from '../../domain/kernel/leader-lease.ts'
import { addMillis, millisBetween } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LeaderStream } from './leader-stream.ts'

/**
 * When the right to work ends: what comes first. The monotonic clock bears that the time of day is set; the time of day
 * goes on while a machine is suspended, which stops the other one.
 */
export interface Until {
  /** Milliseconds, as the clock's `monotonic`. */
  readonly monotonic: number
  readonly time: string
}

/** A word of the holder: how long it counts, from before it is sent. */
export const wordNow = (clock: Clock, millis: number) => {
  const at = clock.now()
  /** The right ends that much before the deadline: a piece of work takes its time, and clocks differ. */
  const right = millis - millis / 10
  const until: Until = { monotonic: clock.monotonic() + right, time: addMillis(at, right) }
  return { at, deadline: addMillis(at, millis), millis, until }
}

/** Milliseconds; none or fewer where it is over. */
export const timeLeft = ({ monotonic, time }: Until, clock: Clock): number =>
  Math.min(monotonic - clock.monotonic(), millisBetween(clock.now(), time))

export interface HeldLease {
  readonly name: string
  readonly holder: string
  readonly fence: number
  /** How long the holder may be silent. */
  readonly millis: number
  readonly until: Until
}

/** A lease that is extended until it is stopped or lost. */
export interface Keeping {
  until(): Until
  /** Aborts when an extension was refused. */
  readonly refused: AbortSignal
  /** Resolves when no extension is under way any more. */
  stop(): Promise<void>
}

/**
 * Keeps a lease apart from the thread that does the work, which may be too busy to be in time. `reached`: how far the
 * work has come. `here` keeps it on this thread, where apart is not possible.
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
  /** False while nothing shows that the work goes on: the lease is then not extended. Always true unless said. */
  readonly isAtWork?: () => boolean
  /** Told after each extension. */
  readonly extended?: (until: Until) => void
}

/** Extends a lease at a third of its time; what fails is tried again soon. */
export const keepLease = (
  { name, holder, fence, millis, until: first }: HeldLease,
  reached: () => Checkpoints,
  { stream, clock, log, isAtWork: isLeader = () => true, extended = () => {} }: KeepLeaseDependencies,
): Keeping => {
  const stopping = new AbortController()
  const refused = new AbortController()
  let until = first
  const running = extending()

  async function extending(): Promise<void> {
    for (let wait = millis / 3; ; ) {
      await clock.sleep(wait, stopping.signal)
      if (stopping.signal.aborted) return
      wait = (millis / 15) * (0.5 + Math.random())
      if (!isLeader()) continue
      try {
        const { until: later, ...word } = wordNow(clock, millis)
        const told = await stream.execute({
          type: 'Extend',
          actor: holder,
          fence,
          ...reached(),
          ...word,
        })
        if (!told) return refused.abort()
        until = later
        extended(later)
        wait = millis / 3
      } catch (error) {
        log[error instanceof UnavailableError ? 'debug' : 'error'](
          { err: error, duty: name },
          'could not be extended',
        )
      }
    }
  }

  return {
    until: () => until,
    refused: refused.signal,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
