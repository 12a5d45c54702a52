import { UnavailableError } from '../async/unavailable.ts'
import { SECOND } from '../domain/kernel/time.ts'
import { eraseByLog } from '../workflows/people/erase-by-log.ts'
import { forgetByLog } from '../workflows/people/forget-by-log.ts'
import type { System } from './system.ts'

const pollMillis = 30 * SECOND
type Following = Pick<System, 'people' | 'personal' | 'eventStore' | 'broker' | 'workflows' | 'clock' | 'log'>

/** Deletes from this home whom other nodes forget, and erases what the log says is erased, until it is stopped. */
export const followForgotten = (system: Following): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping
  const following = async (): Promise<void> => {
    while (!signal.aborted) {
      for (const follow of [forgetByLog, eraseByLog])
        try {
          await follow(system, signal)
        } catch (error) {
          if (!(error instanceof UnavailableError)) throw error
          system.log.debug({ err: error }, 'cannot read who was forgotten; trying again')
        }
      await system.clock.sleep(pollMillis, signal)
    }
  }
  const running = following()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
