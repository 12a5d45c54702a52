import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import type { Execute } from './execute.ts'
import type { Plan } from './processor.ts'

/** Deadlines take effect by comparison; the ticker only writes down, for audits, that they passed. */
export interface Overdue {
  readonly name: string
  /** What has passed at `now`, with a cause that names the passing, so that it is written once. */
  readonly passed: (now: string) => Promise<readonly { readonly plan: Plan; readonly causationId: string }[]>
}

export interface RunningTicker {
  /** One look now. */
  tick(): Promise<void>
  stop(): Promise<void>
}

export const runTicker = (
  list: readonly Overdue[],
  deps: { readonly execute: Execute; readonly clock: Clock; readonly log: Logger },
  everyMillis = 5000,
): RunningTicker => {
  const abort = new AbortController()

  const tick = async () => {
    for (const overdue of list)
      try {
        for (const { plan, causationId } of await overdue.passed(deps.clock.now())) {
          const outcome = await deps.execute(plan.decider, {
            stream: plan.stream,
            command: plan.command as never,
            causationId,
            correlationId: causationId,
          })
          if (isLeft(outcome))
            deps.log.warn({ ticker: overdue.name, failure: outcome.left }, 'will be written at the next tick')
        }
      } catch (error) {
        deps.log.error({ err: error, ticker: overdue.name }, 'the ticker failed and will look again')
      }
  }

  const running = (async () => {
    while (!abort.signal.aborted) {
      await tick()
      await deps.clock.sleep(everyMillis, abort.signal)
    }
  })()

  return {
    tick,
    stop: async () => {
      abort.abort()
      await running
    },
  }
}
