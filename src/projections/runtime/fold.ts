import { setImmediate } from 'node:timers/promises'
import type { Either } from 'fp-ts/lib/Either.js'
import { isLeft } from 'fp-ts/lib/Either.js'
import { errorMessage, GenerationGone } from '../../async/errors.ts'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Checkpoint, CheckpointMoved, CheckpointStore } from '../../ports/checkpoint-store.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'
import type { Tables } from '../../ports/view-store.ts'
import { type Projection, ProjectionStopped } from './projection.ts'

type Part = Pick<EventBatch, 'events' | 'position'>

/** A batch in parts to be folded one after the other; the last one ends where the batch ends. */
function* inParts({ weigh }: Projection, batch: Part, heaviest: number): Generator<Part> {
  if (!weigh) return yield batch
  let events: RecordedEvent[] = []
  let weight = 0
  for (const event of batch.events) {
    const own = weigh(event)
    const last = events.at(-1)
    if (last && weight + own > heaviest) {
      yield { events, position: last.position }
      events = []
      weight = 0
    }
    events.push(event)
    weight += own
  }
  yield { events, position: batch.position }
}

interface Parting {
  /**
   * Rows are held in memory, and nobody else gets a turn, until their transaction ends: together its events weigh no more
   * than that, if it has several. 10,000 unless said.
   */
  readonly heaviest?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Folds a batch, in as many transactions as its weight asks for; others get their turn between them. Gives the checkpoint
 * it came to; undefined when somebody else moved that, or `signal` aborted. `onPart` is called after each transaction.
 */
export const foldInParts = async (
  checkpoints: CheckpointStore<Tables>,
  projection: Projection,
  from: Checkpoint,
  batch: Part,
  onPart: (reached: Checkpoint, events: number, millis: number) => void,
  { heaviest = 10_000, signal }: Parting = {},
): Promise<Checkpoint | undefined> => {
  let reached = from
  for (const part of inParts(projection, batch, heaviest)) {
    if (signal?.aborted) return undefined
    const start = performance.now()
    const folded = foldBatch(checkpoints, projection, reached, part)
    if (isLeft(folded)) return undefined
    reached = folded.right
    onPart(reached, part.events.length, performance.now() - start)
    if (part.position < batch.position) await setImmediate()
  }
  return reached
}

/** Folds events in one transaction, which moves the checkpoint. A fault in the projection names the event it stands before. */
export const foldBatch = (
  checkpoints: CheckpointStore<Tables>,
  projection: Projection,
  from: Checkpoint,
  batch: Part,
): Either<CheckpointMoved, Checkpoint> =>
  checkpoints.store(from, batch, (tables) => {
    for (const event of batch.events)
      try {
        projection.apply(event, tables)
      } catch (error) {
        throw isNotItsFault(error) ? error : stoppedAt(projection, event, error)
      }
  })

const isNotItsFault = (error: unknown): boolean =>
  error instanceof ProjectionStopped || error instanceof UnavailableError || error instanceof GenerationGone

const stoppedAt = (projection: Projection, event: RecordedEvent, error: unknown) =>
  new ProjectionStopped(projection.name, event, errorMessage(error), {
    cause: error,
  })

/** Before the whole log is read: what is folded of a damaged one would be short, and nobody would see it. Throws `UnavailableError`. */
export const makeSureOfAll = async (eventStore: Pick<EventStore, 'damage'>): Promise<void> => {
  const damage = await orThrow(eventStore.damage())
  if (damage !== undefined) throw new UnavailableError(damage)
}
