import type { Logger } from 'pino'
import { addMillis, millisBetween } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed } from '../../ports/task-queue.ts'

export interface HeldClaim {
  /** Aborted when the claim is lost, the hand hangs or the worker stops. */
  readonly signal: AbortSignal
  readonly progress: () => void
  readonly lost: () => boolean
  /** The work, or a rejection as soon as the signal aborts: hung work cannot hold its hand. */
  guard<A>(work: Promise<A>): Promise<A>
  end(): void
}

/**
 * Keeps a claim while its work makes progress: extended at half its time-out, an extension that cannot be asked for
 * is asked again until the deadline has passed; no progress for `stallMillis` ends it.
 */
export const holdClaim = <Task>(
  claimed: Claimed<Task>,
  deps: {
    readonly clock: Clock
    readonly log: Logger
    readonly stallMillis: number
    readonly signal: AbortSignal
  },
): HeldClaim => {
  const { clock, log, stallMillis } = deps
  const over = new AbortController()
  const failed = new AbortController()
  let deadline = claimed.deadline
  let lastProgress = clock.now()
  let lost = false

  const fail = (reason: string) => {
    failed.abort(new Error(reason))
    over.abort()
  }
  const onStop = () => fail('the worker was stopped')
  deps.signal.addEventListener('abort', onStop)

  const extending = async () => {
    while (!over.signal.aborted) {
      const left = millisBetween(clock.now(), deadline)
      await clock.sleep(left / 2, over.signal)
      if (over.signal.aborted) return
      try {
        const extended = await claimed.extend()
        if (extended === undefined) {
          lost = true
          return fail('somebody else holds it now, or it was settled')
        }
        deadline = extended
      } catch (error) {
        log.warn({ err: error }, 'a claim could not be extended and will be asked for again')
        if (clock.now() >= deadline) {
          lost = true
          return fail('the claim ran out before it could be extended')
        }
        await clock.sleep(Math.max(50, millisBetween(clock.now(), deadline) / 4), over.signal)
      }
    }
  }

  const watching = async () => {
    while (!over.signal.aborted) {
      const stalledAt = addMillis(lastProgress, stallMillis)
      const left = millisBetween(clock.now(), stalledAt)
      if (left <= 0) return fail(`no progress for ${Math.round(stallMillis / 1000)} s`)
      await clock.sleep(left, over.signal)
    }
  }

  void extending()
  void watching()

  return {
    signal: failed.signal,
    progress: () => {
      lastProgress = clock.now()
    },
    lost: () => lost,
    guard: (work) =>
      new Promise((resolve, reject) => {
        failed.signal.addEventListener('abort', () => reject(failed.signal.reason), { once: true })
        work.then(resolve, reject)
      }),
    end: () => {
      over.abort()
      deps.signal.removeEventListener('abort', onStop)
    },
  }
}
