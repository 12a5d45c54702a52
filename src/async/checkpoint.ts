import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { placeOf } from '../domain/kernel/event-place.ts'
import type { Checkpoint, CheckpointStore } from '../ports/checkpoint-store.ts'
import type { EventBatch } from '../ports/event-store.ts'
import type { Folding, Generation, ViewStore } from '../ports/view-store.ts'

/** Returns the checkpoint after a batch. */
export const checkpointBehind = (
  from: Checkpoint,
  { events, position }: Pick<EventBatch, 'events' | 'position'>,
): Checkpoint => {
  const last = events.at(-1)
  return last ? { position, time: last.recordedAt, event: placeOf(last) } : { ...from, position }
}

/** The checkpoint of a generation of views: it moves in the transaction that changes their rows. */
export const viewCheckpoint = (viewStore: ViewStore, generation: Generation): CheckpointStore<Folding> => ({
  load: async () => viewStore.checkpoint(generation),
  store: (from, batch, write = () => {}) => {
    const to = checkpointBehind(from, batch)
    return pipe(
      viewStore.fold(generation, from.position, to, (tables, begin) => write({ tables, begin })),
      E.map(() => to),
    )
  },
})
