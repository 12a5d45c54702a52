import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import type { Execute } from './execute.ts'
import type { Route } from './processor.ts'

/** Deadlines take effect by comparison; the ticker only appends, for audits, that they passed. */
export interface Overdue {
  readonly name: string
  /** Returns the deadlines that have passed at `now`, each with a cause that names it, so that it is written once. */
  readonly passed: (now: string) => Promise<readonly Passed[]>
}

export interface Passed {
  readonly route: Route
  readonly causationId: string
}

interface RunningTicker {
  /** One pass now. */
  tick(): Promise<void>
  stop(): Promise<void>
}

export const runTicker = (
  list: readonly Overdue[],
  deps: { readonly execute: Execute; readonly clock: Clock; readonly log: Logger },
  everyMillis = 5000,
): RunningTicker => {
  const { execute, clock, log } = deps
  const stopping = new AbortController()

  /** A failure is found again by the next pass, and blocks nothing else. */
  const tick = async () => {
    for (const { name, passed } of list)
      try {
        const due = await passed(clock.now())
        await Promise.all(due.map((one) => write(name, one)))
      } catch (error) {
        log.error({ err: error, ticker: name }, 'the ticker failed; retrying at the next tick')
      }
  }

  const write = async (ticker: string, { route, causationId }: Passed) => {
    try {
      const outcome = await execute(route.decider, {
        stream: route.stream,
        command: route.command as never,
        causationId,
      })
      if (isLeft(outcome))
        log.warn({ ticker, failure: outcome.left }, 'cannot write a due event; retrying at the next tick')
    } catch (error) {
      log.error(
        { err: error, ticker, stream: route.stream },
        'cannot write a due event; retrying at the next tick',
      )
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await tick()
      await clock.sleep(everyMillis, stopping.signal)
    }
  })()

  return {
    tick,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
