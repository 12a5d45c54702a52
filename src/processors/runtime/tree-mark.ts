import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { leaderStream } from '../../domain/kernel/leader-lease.ts'
import { type TreeReplaced, treeEvents, treeStream } from '../../domain/kernel/proof/tree-events.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { readOrStop } from './read-or-stop.ts'

/* The log's own knowledge of its Merkle tree: whose it is, and whether a person had another one begun. */

export const sealerLease = 'sealer'

const key = 'origin'

/** Origin of the tree that the log has; undefined if none was begun. Throws `UnavailableError`. */
export const treeMark = async (eventStore: EventStore): Promise<string | undefined> => {
  const { [key]: origin } = await orThrow(eventStore.metadata(leaderStream(sealerLease)))
  return typeof origin === 'string' ? origin : undefined
}

/** Throws `UnavailableError`. */
export const setTreeMark = async (eventStore: EventStore, origin: string): Promise<void> => {
  const stream = leaderStream(sealerLease)
  const metadata = await orThrow(eventStore.metadata(stream))
  if (metadata[key] === origin) return
  await orThrow(
    eventStore.setMetadata(stream, { ...metadata, [key]: origin }),
    `the metadata of ${stream} cannot be written`,
  )
}

/** The last tree that a person had begun in the place of another, with the event's id. Throws `UnavailableError`. */
export const lastReplaced = async (
  eventStore: Pick<EventStore, 'read'>,
): Promise<(TreeReplaced & Pick<RecordedEvent, 'id'>) | undefined> => {
  const [last] = await orThrow(eventStore.read(treeStream, 'end', 'backward', 1))
  return last && { ...readOrStop(treeEvents, last).data, id: last.id }
}
