import { setImmediate } from 'node:timers/promises'
import { viewCheckpoint } from '../../async/checkpoint.ts'
import { GenerationMissing } from '../../async/errors.ts'
import { orThrow } from '../../async/unavailable.ts'
import type { Checkpoint } from '../../ports/checkpoint-store.ts'
import type { BatchWithBytes, EventBatch, EventStore } from '../../ports/event-store.ts'
import type { Generation, Point, ViewStore } from '../../ports/view-store.ts'
import { foldInParts, largeBatch, makeSureOfAll } from './fold.ts'
import { chooseGeneration } from './generation.ts'
import type { Projection } from './projection.ts'

export interface Stores {
  readonly eventStore: EventStore
  readonly viewStore: ViewStore
}

export interface Watched extends Stores {
  readonly watcher?: Watcher | undefined
}

/** Takes events in their stored bytes as they are folded. */
export interface Watcher {
  /** Before a batch from behind `after` on is folded. */
  take(after: bigint, batch: Omit<BatchWithBytes, 'caughtUp'>): Promise<void>
}

export interface Progress {
  readonly projection: string
  /** Folded up to here. */
  readonly position: bigint
  /** Position at which the work ends; undefined if only a time is known. */
  readonly end?: bigint
  /** Events of this projection folded so far. */
  readonly events: number
}

export interface Pace {
  /** Most events of a transaction, heavy ones counted by their weight. */
  readonly batchSize?: number
  readonly onProgress?: (progress: Progress) => void
  /** Stops between two transactions; the call rejects with its reason. */
  readonly signal?: AbortSignal
}

/** Sums up the events of each transaction, which `foldUpTo` reports. */
export const addingUp = (pace: Pace): Pace => {
  let events = 0
  const onProgress = (progress: Progress) => {
    events += progress.events
    pace.onProgress?.({ ...progress, events })
  }
  return { ...pace, onProgress }
}

/**
 * Folds a generation forward up to a point (inclusive) or to the end of the log, whichever comes first. If another
 * process folds the same generation, each does a part. Throws `UnavailableError`, `GenerationMissing`,
 * `ProjectionStopped`.
 */
export const foldUpTo = async (
  { eventStore, viewStore, watcher }: Watched,
  projection: Projection,
  generation: Generation,
  point: Point,
  { batchSize = largeBatch, onProgress, signal }: Pace = {},
): Promise<Checkpoint> => {
  const checkpoints = viewCheckpoint(viewStore, generation)
  let checkpoint = viewStore.checkpoint(generation)
  if (checkpoint.position === -1n) await makeSureOfAll(eventStore)
  const end = 'position' in point ? { end: point.position } : {}
  for (;;) {
    signal?.throwIfAborted()
    if (end.end !== undefined && checkpoint.position >= end.end) return checkpoint
    const { position: after } = checkpoint
    const watched = watcher && (await orThrow(eventStore.readWithBytes(after, projection.filter, batchSize)))
    const read = watched ?? (await orThrow(eventStore.readAll(after, projection.filter, batchSize)))
    const batch = cut(read, point)
    if (batch.position > after) {
      if (watched) await watcher?.take(after, { ...batch, bytes: watched.bytes })
      const onPart = ({ position }: Checkpoint, events: number) =>
        onProgress?.({ projection: projection.name, position, events, ...end })
      const reached = await foldInParts(checkpoints, projection, checkpoint, batch, onPart, {
        heaviest: batchSize,
        signal,
      })
      checkpoint = reached ?? viewStore.checkpoint(generation)
      if (!reached) continue
    }
    if (read.caughtUp || batch !== read) return checkpoint
    await setImmediate()
  }
}

/** Returns the part of a batch up to the point; the batch itself if all of it lies before the point. */
const cut = (batch: EventBatch, point: Point): Pick<EventBatch, 'events' | 'position'> => {
  if ('position' in point)
    return batch.position <= point.position
      ? batch
      : {
          events: batch.events.filter(({ position }) => position <= point.position),
          position: point.position,
        }
  // Times never decrease with position, so everything after the first later event is later too.
  const later = batch.events.findIndex(({ recordedAt }) => recordedAt > point.time)
  return later < 0
    ? batch
    : { events: batch.events.slice(0, later), position: (batch.events[later]?.position ?? 0n) - 1n }
}

/** Brings projections up to the present end of the log, one after the other, and returns. For command lines. */
export const catchUp = async (
  stores: Stores & { readonly projections: readonly Projection[] } & Pace,
): Promise<void> => {
  const head = await orThrow(stores.eventStore.head())
  for (const projection of stores.projections) await catchUpOne(stores, projection, head)
}

const catchUpOne = async (stores: Stores & Pace, projection: Projection, head: bigint): Promise<void> => {
  const generation = chooseGeneration(stores.viewStore, projection)
  try {
    await foldUpTo(stores, projection, generation, { position: head }, addingUp(stores))
    if (generation.status === 'building') stores.viewStore.promote(generation)
  } catch (error) {
    // Another process has replaced the generation: the new one is folded on.
    if (!(error instanceof GenerationMissing)) throw error
    return catchUpOne(stores, projection, head)
  }
}
