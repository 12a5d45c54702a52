import { setImmediate } from 'node:timers/promises'
import type { Either } from 'fp-ts/lib/Either.js'
import { isLeft } from 'fp-ts/lib/Either.js'
import { errorMessage, GenerationMissing } from '../../async/errors.ts'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Checkpoint, CheckpointMoved, CheckpointStore } from '../../ports/checkpoint-store.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'
import type { Folding } from '../../ports/view-store.ts'
import { type Projection, ProjectionStopped } from './projection.ts'

/**
 * Large transactions cost less per row: if keys come in no order, as names and hashes do, more rows share the written
 * pages. So many events take half a second to two seconds to fold.
 */
export const largeBatch = 30_000
/** Most events of a transaction while commands and questions wait for its end: it takes a tenth of a second, about. */
export const liveBatch = 3000

/** Milliseconds of processor time that this thread has taken. Other work on the machine is not counted. */
const threadMillis = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

type Part = Pick<EventBatch, 'events' | 'position'>

/** Splits a batch into parts to be folded one after the other; the last one ends where the batch ends. */
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
   * Most weight of the events of a transaction, unless it has only one: until it ends, its rows are in memory and all
   * other work waits. Default: `largeBatch`.
   */
  readonly heaviest?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Folds a batch, in as many transactions as its weight needs; other work runs between them. Resolves to the checkpoint
 * reached; undefined if another process moved it, or `signal` aborted. `onPart` is called after each transaction.
 */
export const foldInParts = async (
  checkpoints: CheckpointStore<Folding>,
  projection: Projection,
  from: Checkpoint,
  batch: Part,
  onPart: (reached: Checkpoint, events: number, millis: number) => void,
  { heaviest = largeBatch, signal }: Parting = {},
): Promise<Checkpoint | undefined> => {
  let reached = from
  for (const part of inParts(projection, batch, heaviest)) {
    if (signal?.aborted) return undefined
    const start = threadMillis()
    const folded = foldBatch(checkpoints, projection, reached, part)
    if (isLeft(folded)) return undefined
    reached = folded.right
    onPart(reached, part.events.length, threadMillis() - start)
    if (part.position < batch.position) await setImmediate()
  }
  return reached
}

/**
 * Folds events in one transaction, which moves the checkpoint. An error of the projection names the event that it
 * stopped at.
 */
export const foldBatch = (
  checkpoints: CheckpointStore<Folding>,
  projection: Projection,
  from: Checkpoint,
  batch: Part,
): Either<CheckpointMoved, Checkpoint> =>
  checkpoints.store(from, batch, ({ tables, begin }) => {
    for (const event of batch.events)
      try {
        begin(event)
        projection.apply(event, tables)
      } catch (error) {
        throw isFromOutside(error) ? error : stoppedAt(projection, event, error)
      }
  })

const isFromOutside = (error: unknown): boolean =>
  error instanceof ProjectionStopped ||
  error instanceof UnavailableError ||
  error instanceof GenerationMissing

const stoppedAt = (projection: Projection, event: RecordedEvent, error: unknown) =>
  new ProjectionStopped(projection.name, event, errorMessage(error), {
    cause: error,
  })

/** Throws `UnavailableError` if the log is damaged: too few rows would be folded from it, and nobody would notice. */
export const makeSureOfAll = async (eventStore: Pick<EventStore, 'damage'>): Promise<void> => {
  const damage = await orThrow(eventStore.damage())
  if (damage !== undefined) throw new UnavailableError(damage)
}
