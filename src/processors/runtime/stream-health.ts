import type { Logger } from 'pino'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

/** How long a stream may be busy without finishing anything before it counts as stalled. */
export const stalledAfterMillis = 60 * SECOND

/**
 * The health of a processor's streams. Busy: being worked on. Failing: could not be finished last time. Stalled: busy
 * for a minute without finishing anything, so that something hangs.
 */
interface StreamHealth {
  /** Does `work`, which says so each time it has finished something. `signal` aborts when it is no longer ours. */
  watch<A>(name: string, signal: AbortSignal, work: (finished: () => void) => Promise<A>): Promise<A>
  /** Publishes the numbers. Stalled ones are looked for and published by themselves. */
  report(): void
}

interface Work {
  readonly name: string
  /** Things finished; counting is all that a healthy stream costs. */
  finished: number
  /** Both as of the last look. */
  seen: number
  since: number
  stalled: boolean
}

export const streamHealth = (
  processor: string,
  { clock, telemetry, log }: { readonly clock: Clock; readonly telemetry: Telemetry; readonly log: Logger },
): StreamHealth => {
  const labels = { processor }
  const busy = new Set<Work>()
  const failing = new Map<string, AbortSignal>()
  let idle = new AbortController()
  const now = () => Date.parse(clock.now())

  const report = () => {
    for (const [name, signal] of failing) if (signal.aborted) failing.delete(name)
    telemetry.gauge('streams_busy', labels, busy.size)
    telemetry.gauge('streams_failing', labels, failing.size)
    telemetry.gauge('streams_stalled', labels, [...busy].filter(({ stalled }) => stalled).length)
  }

  const look = (work: Work) => {
    if (work.finished !== work.seen)
      Object.assign(work, { seen: work.finished, since: now(), stalled: false })
    else if (!work.stalled && now() - work.since >= stalledAfterMillis) {
      work.stalled = true
      log.warn(
        { processor, stream: work.name },
        'nothing was finished here for a minute; does something hang?',
      )
    }
  }

  const keepLooking = async ({ signal }: AbortController) => {
    for (;;) {
      await clock.sleep(stalledAfterMillis / 4, signal)
      if (signal.aborted) return
      for (const work of busy) look(work)
      report()
    }
  }

  return {
    report,
    watch: async (name, signal, work) => {
      const mine: Work = { name, finished: 0, seen: 0, since: now(), stalled: false }
      if (busy.size === 0) {
        idle = new AbortController()
        void keepLooking(idle)
      }
      busy.add(mine)
      try {
        const result = await work(() => mine.finished++)
        failing.delete(name)
        return result
      } catch (error) {
        failing.set(name, signal)
        throw error
      } finally {
        busy.delete(mine)
        if (busy.size === 0) idle.abort()
      }
    },
  }
}
