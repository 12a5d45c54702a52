import type { Logger } from 'pino'
import { orAborted } from '../../async/aborted.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed } from '../../ports/task-queue.ts'

export interface HeldClaim {
  /** Aborted when the claim is lost, the task hangs or the worker stops. */
  readonly signal: AbortSignal
  readonly progress: () => void
  /** True if the claim ran out without a response of the log: its holder is not dead. */
  readonly ranOut: () => boolean
  readonly lost: () => boolean
  /** Returns the work, or a rejection as soon as the signal aborts: hung work does not block its worker. */
  guard<A>(work: Promise<A>): Promise<A>
  end(): void
}

/**
 * Keeps a claim while its work makes progress. Extends it after half its time-out; a failed extension is retried until
 * the deadline has passed. Ends it after `stallMillis` without progress.
 */
export const holdClaim = <Task>(
  claimed: Claimed<Task>,
  deps: {
    readonly clock: Clock
    readonly log: Logger
    readonly stallMillis: number
    /** The worker's signal: aborts when it stops. */
    readonly signal: AbortSignal
  },
): HeldClaim => {
  const { clock, log, stallMillis } = deps
  const over = new AbortController()
  const failed = new AbortController()
  const deadline = createDeadline(clock, claimed.deadline)
  let lastProgress = clock.monotonic()
  let lost = false
  let ranOut = false

  const end = () => {
    over.abort()
    deps.signal.removeEventListener('abort', onStop)
  }
  const fail = (reason: string) => {
    end()
    failed.abort(new Error(reason))
  }
  const lose = (reason: string) => {
    lost = true
    fail(reason)
  }
  const onStop = () => fail('the worker was stopped')

  /** Separate from the extensions: one that hangs does not stop the clock. */
  const watch = async () => {
    while (!over.signal.aborted) {
      const untilStalled = lastProgress + stallMillis - clock.monotonic()
      if (deadline.millisLeft() <= 0) {
        ranOut = true
        return lose('the claim ran out before it could be extended')
      }
      if (untilStalled <= 0) return fail(`no progress for ${Math.round(stallMillis / 1000)} s`)
      await clock.sleep(Math.min(untilStalled, deadline.millisLeft()), over.signal)
    }
  }

  if (deps.signal.aborted) onStop()
  else deps.signal.addEventListener('abort', onStop)
  const onTaken = () => lose('another process holds it now, or it has ended')
  void keepExtending(claimed, deadline, { clock, log, signal: over.signal, onTaken })
  void watch()

  return {
    signal: failed.signal,
    progress: () => {
      lastProgress = clock.monotonic()
    },
    lost: () => lost,
    ranOut: () => ranOut,
    guard: (work) => orAborted(work, failed.signal),
    end,
  }
}

interface Deadline {
  millisLeft(): number
  moveTo(deadline: string): void
}

/** Counted by the monotonic clock once it is known: people put the time of day back and forth. */
const createDeadline = (clock: Clock, deadline: string): Deadline => {
  const fromNow = (time: string) => clock.monotonic() + millisBetween(clock.now(), time)
  let until = fromNow(deadline)
  return {
    millisLeft: () => until - clock.monotonic(),
    moveTo: (later) => {
      until = fromNow(later)
    },
  }
}

/** Between two attempts to extend. */
const minWaitMillis = 50

const keepExtending = async <Task>(
  claimed: Claimed<Task>,
  deadline: Deadline,
  deps: {
    readonly clock: Clock
    readonly log: Logger
    readonly signal: AbortSignal
    readonly onTaken: () => void
  },
): Promise<void> => {
  const { clock, log, signal, onTaken } = deps
  let wait = deadline.millisLeft() / 2
  for (;;) {
    await clock.sleep(Math.max(wait, minWaitMillis), signal)
    if (signal.aborted) return
    try {
      const extended = await claimed.extend()
      if (signal.aborted) return
      if (extended === undefined) return onTaken()
      deadline.moveTo(extended)
      wait = deadline.millisLeft() / 2
    } catch (error) {
      log.warn({ err: error }, 'cannot extend a claim; retrying')
      wait = deadline.millisLeft() / 4
    }
  }
}
