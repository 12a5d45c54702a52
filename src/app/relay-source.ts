import { orThrow } from '../async/unavailable.ts'
import { leaderStream } from '../domain/kernel/leader-lease.ts'
import type { EventStore } from '../ports/event-store.ts'

/*
 * Relayed events are known by their id and their source, which names the log that they were first relayed from. A log that was
 * copied keeps that name, as metadata of the relay's stream.
 */

export const relayLease = 'relay'

const key = 'source'

/** The name under which a log's events are relayed. Throws `UnavailableError`. */
export const relaySource = async (eventStore: EventStore): Promise<string> => {
  const { [key]: source } = await orThrow(eventStore.metadata(leaderStream(relayLease)))
  return typeof source === 'string' ? source : orThrow(eventStore.identity())
}

/** Throws `UnavailableError`. */
export const setRelaySource = async (eventStore: EventStore, source: string): Promise<void> => {
  const stream = leaderStream(relayLease)
  const metadata = await orThrow(eventStore.metadata(stream))
  if (metadata[key] === source) return
  await orThrow(
    eventStore.setMetadata(stream, { ...metadata, [key]: source }),
    `the metadata of ${stream} cannot be written`,
  )
}
