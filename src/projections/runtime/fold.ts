import type { Either } from 'fp-ts/lib/Either.js'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { type EventBatch, EventStoreAway, type Unavailable } from '../../ports/event-store.ts'
import {
  type Checkpoint,
  type CheckpointMoved,
  type Generation,
  GenerationGone,
  type ViewStore,
  ViewStoreAway,
} from '../../ports/view-store.ts'
import { type Projection, ProjectionStopped } from './projection.ts'

/** Folds events into a generation in one transaction. A fault in the projection names the event it stands before. */
export const foldBatch = (
  viewStore: ViewStore,
  projection: Projection,
  generation: Generation,
  from: Checkpoint,
  { events, position }: Pick<EventBatch, 'events' | 'position'>,
): Either<CheckpointMoved, void> => {
  const to = { position, time: events.at(-1)?.recordedAt ?? from.time }
  return viewStore.fold(generation, from.position, to, (tables) => {
    let current: RecordedEvent | undefined
    try {
      for (const event of events) {
        current = event
        projection.apply(event, tables)
      }
    } catch (error) {
      throw isNotItsFault(error) || !current ? error : stoppedAt(projection, current, error)
    }
  })
}

const isNotItsFault = (error: unknown): boolean =>
  error instanceof ProjectionStopped || error instanceof ViewStoreAway || error instanceof GenerationGone

const stoppedAt = (projection: Projection, event: RecordedEvent, error: unknown) =>
  new ProjectionStopped(projection.name, event, error instanceof Error ? error.message : String(error), {
    cause: error,
  })

/** The value, or `EventStoreAway`. */
export const orAway = async <A>(task: TaskEither<Unavailable, A>): Promise<A> => {
  const result = await task()
  if (isLeft(result)) throw new EventStoreAway(result.left.reason)
  return result.right
}
