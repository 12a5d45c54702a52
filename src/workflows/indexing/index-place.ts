import { positionNow } from '../../async/same-log.ts'
import { orThrow } from '../../async/unavailable.ts'
import { indexMismatch, waitingMismatch } from '../../domain/indexing/index-place.ts'
import type { IndexPlace, LastChange } from '../../ports/capture-index.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { changeFilesOf } from '../../workers/indexing/aggregator/change-files.ts'
import type { IndexingContext } from './context.ts'

type Context = Pick<IndexingContext, 'captureIndex' | 'eventStore' | 'config'>

/** Compares the index with the log, by its last change and the last one that waits for it. Throws `UnavailableError`. */
export const indexPlace = async (context: Context): Promise<IndexPlace> => {
  const { eventStore } = context
  const taken = await takenPlace(context)
  if (taken.mismatch !== undefined) return taken
  const { reached } = taken
  const waiting = await changeFilesOf(context).newest()
  if (!waiting || waiting.position <= reached || (await isHeld(eventStore, waiting))) return taken
  return { reached, mismatch: waitingMismatch(waiting.position, await orThrow(eventStore.head())) }
}

/** Compares the index with the log, by its last change. Throws `UnavailableError`. */
export const takenPlace = async ({
  captureIndex,
  eventStore,
}: Pick<Context, 'captureIndex' | 'eventStore'>): Promise<IndexPlace> => {
  const last = await captureIndex().place()
  const { position: reached } = last
  if (await isHeld(eventStore, last)) return { reached }
  return { reached, mismatch: indexMismatch(reached, await orThrow(eventStore.head())) }
}

/**
 * Returns true if the log holds the change's event, at its position or a greater one: a log that was copied has it at a
 * greater one, and hands its lines over once more. If an earlier Fonds made the change, its event is unknown, and only
 * the position is compared.
 */
const isHeld = async (eventStore: EventStore, { position, event }: LastChange): Promise<boolean> => {
  if (!event) return position === 0n || position <= (await orThrow(eventStore.head()))
  const now = await positionNow(eventStore, event)
  return now !== undefined && now >= position
}
