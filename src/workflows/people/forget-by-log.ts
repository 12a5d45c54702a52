import { orThrow } from '../../async/unavailable.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { People } from '../../ports/people.ts'

const pageSize = 100

interface Following {
  readonly people: People
  readonly eventStore: Pick<EventStore, 'head' | 'readAll'>
}

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

/**
 * Deletes whom the log says is forgotten by now, so that whoever is entered next is not deleted for that. Throws
 * `UnavailableError`.
 */
export const forgetBefore = async (following: Following): Promise<void> => {
  const { people, eventStore } = following
  const known = await orThrow(people.forgottenTo(), 'names and addresses')
  if (known !== undefined) return forgetByLog(following)
  const head = await orThrow(eventStore.head(), 'the end of the log')
  await orThrow(people.forgetUpTo(head, []), 'names and addresses')
}
