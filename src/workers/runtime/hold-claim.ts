import type { Logger } from 'pino'
import { millisBetween } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed } from '../../ports/task-queue.ts'

export interface HeldClaim {
  /** Aborted when the claim is lost, the task hangs or the worker stops. */
  readonly signal: AbortSignal
  readonly progress: () => void
  readonly lost: () => boolean
  /** The work, or a rejection as soon as the signal aborts: hung work does not hold its worker. */
  guard<A>(work: Promise<A>): Promise<A>
  end(): void
}

/** Between two tries at an extension. */
const minWaitMillis = 50

/**
 * Keeps a claim while its work makes progress. It is extended at half its time-out; an extension that cannot be asked
 * for is asked for again until the deadline has passed. No progress for `stallMillis` ends it. Once it is known how long
 * the claim holds, the monotonic clock counts: the time of day is put back and forth.
 */
export const holdClaim = <Task>(
  claimed: Claimed<Task>,
  deps: {
    readonly clock: Clock
    readonly log: Logger
    readonly stallMillis: number
    /** The worker's: aborted when it stops. */
    readonly signal: AbortSignal
  },
): HeldClaim => {
  const { clock, log, stallMillis } = deps
  const over = new AbortController()
  const failed = new AbortController()
  const fromNow = (deadline: string) => clock.monotonic() + millisBetween(clock.now(), deadline)
  let until = fromNow(claimed.deadline)
  let lastProgress = clock.monotonic()
  let lost = false

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
  const timeLeft = () => until - clock.monotonic()

  const extending = async () => {
    let wait = timeLeft() / 2
    for (;;) {
      await clock.sleep(Math.max(wait, minWaitMillis), over.signal)
      if (over.signal.aborted) return
      try {
        const extended = await claimed.extend()
        if (over.signal.aborted) return
        if (extended === undefined) return lose('somebody else holds it now, or it was settled')
        until = fromNow(extended)
        wait = timeLeft() / 2
      } catch (error) {
        log.warn({ err: error }, 'a claim could not be extended and will be asked for again')
        wait = timeLeft() / 4
      }
    }
  }

  /** Apart from the extensions: one that hangs does not stop the clock. */
  const watching = async () => {
    while (!over.signal.aborted) {
      const untilStalled = lastProgress + stallMillis - clock.monotonic()
      if (timeLeft() <= 0) return lose('the claim ran out before it could be extended')
      if (untilStalled <= 0) return fail(`no progress for ${Math.round(stallMillis / 1000)} s`)
      await clock.sleep(Math.min(untilStalled, timeLeft()), over.signal)
    }
  }

  if (deps.signal.aborted) onStop()
  else deps.signal.addEventListener('abort', onStop)
  void extending()
  void watching()

  return {
    signal: failed.signal,
    progress: () => {
      lastProgress = clock.monotonic()
    },
    lost: () => lost,
    guard: (work) =>
      new Promise((resolve, reject) => {
        failed.signal.addEventListener('abort', () => reject(failed.signal.reason), { once: true })
        work.then(resolve, reject)
      }),
    end,
  }
}
