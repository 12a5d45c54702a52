import { UnavailableError } from '../async/unavailable.ts'
import { SECOND } from '../domain/kernel/time.ts'
import { forgetByLog } from '../workflows/people/forget-by-log.ts'
import type { System } from './system.ts'

const pollMillis = 30 * SECOND
type Following = Pick<System, 'people' | 'eventStore' | 'clock' | 'log'>

/** Deletes from this home whom other nodes forget, until it is stopped. */
export const followForgotten = (system: Following): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping
  const following = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await forgetByLog(system, signal)
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
