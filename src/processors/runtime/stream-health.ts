import type { Logger } from 'pino'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

/** How long a stream may be busy without finishing anything before it counts as stalled. */
export const stalledAfterMillis = 60 * SECOND

/**
 * The health of a processor's streams. Busy: being worked on. Failing: not finished at the last attempt. Stalled: busy
 * for a minute without finishing anything, so that something hangs.
 */
export interface StreamHealth {
  /**
   * Does `work`, which calls `finished` each time it has finished something. `signal` aborts when the partition is
   * revoked.
   */
  watch<A>(name: string, signal: AbortSignal, work: (finished: () => void) => Promise<A>): Promise<A>
  /** Marks a failing stream as done, together with others. */
  recovered(name: string): void
  /** Publishes the numbers. While streams are busy that is also done now and then. */
  report(): void
}

interface Work {
  readonly name: string
  /** Number of finished pieces; counting is all that a healthy stream costs. */
  finished: number
  /** Value of `finished` at the last check, and since when, by the monotonic clock. */
  seen: number
  since: number
  stalled: boolean
}

export const streamHealth = (
  processor: string,
  { clock, telemetry, log }: { readonly clock: Clock; readonly telemetry: Telemetry; readonly log: Logger },
): StreamHealth => {
  const labels = { processor }
  const failing = new Map<string, AbortSignal>()
  const busy = busyStreams(clock, (newlyStalled) => {
    for (const { name } of newlyStalled)
      log.warn({ processor, stream: name }, 'a stream is stalled: no message has finished for a minute')
    report()
  })

  const report = () => {
    for (const [name, signal] of failing) if (signal.aborted) failing.delete(name)
    telemetry.gauge('streams_busy', labels, busy.size())
    telemetry.gauge('streams_failing', labels, failing.size)
    telemetry.gauge('streams_stalled', labels, busy.stalled())
  }

  return {
    report,
    recovered: (name) => {
      failing.delete(name)
    },
    watch: (name, signal, work) => {
      const begun = busy.begin(name)
      return work(() => begun.finished++).then(
        (result) => {
          failing.delete(name)
          busy.end(begun)
          return result
        },
        (error: unknown) => {
          failing.set(name, signal)
          busy.end(begun)
          throw error
        },
      )
    },
  }
}

/** While there are busy streams, checks each every quarter of a minute: `onChecked` gets those that have stalled since. */
const busyStreams = (clock: Clock, onChecked: (newlyStalled: readonly Work[]) => void) => {
  const busy = new Set<Work>()
  let idle = new AbortController()
  const check = async ({ signal }: AbortController) => {
    for (;;) {
      await clock.sleep(stalledAfterMillis / 4, signal)
      if (signal.aborted) return
      onChecked([...busy].filter((work) => hasJustStalled(work, clock.monotonic())))
    }
  }

  return {
    size: () => busy.size,
    stalled: () => [...busy].filter(({ stalled }) => stalled).length,
    begin: (name: string): Work => {
      const work: Work = { name, finished: 0, seen: 0, since: clock.monotonic(), stalled: false }
      if (busy.size === 0) {
        idle = new AbortController()
        void check(idle)
      }
      busy.add(work)
      return work
    },
    end: (work: Work): void => {
      busy.delete(work)
      if (busy.size === 0) idle.abort()
    },
  }
}

const hasJustStalled = (work: Work, now: number): boolean => {
  if (work.finished !== work.seen) {
    Object.assign(work, { seen: work.finished, since: now, stalled: false })
    return false
  }
  if (work.stalled || now - work.since < stalledAfterMillis) return false
  work.stalled = true
  return true
}
