import { orThrow } from '../../async/unavailable.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { People } from '../../ports/people.ts'
import { followLog } from './follow-log.ts'

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
  const keep = async (position: bigint, events: readonly RecordedEvent[]): Promise<void> => {
    const forgotten = events.map(({ stream, recordedAt }) => ({ reference: idOf(stream), at: recordedAt }))
    await orThrow(people.forgetUpTo(position, forgotten), 'names and addresses')
  }
  await followLog(eventStore, { types: ['PersonForgotten'] }, known, keep, signal)
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
