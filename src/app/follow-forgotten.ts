import { orThrow, UnavailableError } from '../async/unavailable.ts'
import { idOf } from '../domain/kernel/event.ts'
import { SECOND } from '../domain/kernel/time.ts'
import type { System } from './system.ts'

const pollMillis = 30 * SECOND
const pageSize = 100

type Following = Pick<System, 'people' | 'eventStore' | 'clock' | 'log'>

/**
 * Deletes from this home whom a command at another node has forgotten, as far as the log goes now. Nothing is read where
 * nobody is kept. Throws `UnavailableError`.
 */
export const forgetByLog = async ({ people, eventStore }: Following, signal?: AbortSignal): Promise<void> => {
  const known = await orThrow(people.forgottenTo(), 'names and addresses')
  if (known === undefined) return
  const head = await orThrow(eventStore.head(), 'the end of the log')
  // The log was put back from an older copy: all of it is read again.
  let after = known > head ? -1n : known
  while (!signal?.aborted) {
    const read = await orThrow(eventStore.readAll(after, { types: ['PersonForgotten'] }, pageSize))
    const forgotten = read.events.map(({ stream, recordedAt }) => ({
      reference: idOf(stream),
      at: recordedAt,
    }))
    if (forgotten.length > 0 || (read.caughtUp && read.position !== known))
      await orThrow(people.forgetUpTo(read.position, forgotten), 'names and addresses')
    if (read.caughtUp) return
    after = read.position
  }
}

/** Goes on with it until it is stopped. */
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
