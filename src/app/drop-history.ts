import { GenerationMissing } from '../async/errors.ts'
import { UnavailableError } from '../async/unavailable.ts'
import { addMillis, DAY, SECOND } from '../domain/kernel/time.ts'
import type { Clock } from '../ports/clock.ts'
import type { ViewStore } from '../ports/view-store.ts'
import { everyHour, type Hourly } from './every-hour.ts'
import type { System } from './system.ts'

/** Rest between two transactions, in which others fold. */
const restMillis = SECOND / 10

/** Drops the history of live views before a time, some of it in each transaction. */
export const dropHistory = async (
  { viewStore, clock }: { readonly viewStore: ViewStore; readonly clock: Clock },
  time: string,
  signal: AbortSignal,
): Promise<void> => {
  for (const generation of viewStore.generations().filter(({ status }) => status === 'live'))
    while (!signal.aborted && viewStore.dropHistory(generation, time)) await clock.sleep(restMillis, signal)
}

/** Drops once an hour what the setting does not keep. If another process writes, or has replaced views, the next hour does it. */
export const startDroppingHistory = (
  system: Pick<System, 'viewStore' | 'clock' | 'config'>,
): Hourly | undefined => {
  const { pastDays } = system.config
  if (pastDays === undefined) return undefined
  return everyHour(system, async (signal) => {
    try {
      await dropHistory(system, addMillis(system.clock.now(), -pastDays * DAY), signal)
    } catch (error) {
      if (!(error instanceof UnavailableError || error instanceof GenerationMissing)) throw error
    }
  })
}
