import { isLeft } from 'fp-ts/lib/Either.js'
import { presence, presenceStream, presentAt } from '../../../domain/kernel/presence.ts'
import type { EventStore } from '../../../ports/event-store.ts'

/**
 * Returns whether a process runs that works on jobs, as far as processes show themselves: one that was killed counts for
 * a minute more. Undefined if the log does not answer.
 */
export const hasWorker = async (
  eventStore: Pick<EventStore, 'read'>,
  now: string,
): Promise<boolean | undefined> => {
  const read = await eventStore.read(presenceStream, 'end', 'backward', 1)()
  if (isLeft(read)) return undefined
  const [last] = read.right
  if (!last) return false
  const event = presence.events.read(last)
  return isLeft(event)
    ? undefined
    : presentAt(event.right.data.nodes, now).some(({ roles }) =>
        roles.some((role) => role === 'workers' || role === 'worker ingest'),
      )
}
