import { setImmediate } from 'node:timers/promises'
import type { Call } from '../../async/broadcast.ts'
import { viewCheckpoint } from '../../async/checkpoint.ts'
import { errorMessage } from '../../async/errors.ts'
import type { Failed } from '../../async/keep-trying.ts'
import type { PassedCheckpoints } from '../../async/passed-checkpoints.ts'
import { subscribe } from '../../async/subscription.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Checkpoint } from '../../ports/checkpoint-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventBatch } from '../../ports/event-store.ts'
import type { Generation } from '../../ports/view-store.ts'
import type { Stores } from './catch-up.ts'
import { foldInParts, liveBatch, makeSureOfAll } from './fold.ts'
import { gathered } from './gathered.ts'
import { chooseGeneration, NewerVersion } from './generation.ts'
import type { Projection } from './projection.ts'

/**
 * `live`: nothing was waiting when the log was last read. `stalled`: a dependency is unavailable. `failed`: its code
 * fails, or an event is unreadable. Both of these are retried automatically.
 */
export type ProjectionState = 'live' | 'catching-up' | 'stalled' | 'failed'

/** One transaction of a running projection. */
export interface FoldedBatch {
  readonly projection: string
  readonly version: number
  readonly events: number
  readonly position: bigint
  /** Milliseconds of processor time. */
  readonly millis: number
  readonly caughtUp: boolean
}

export interface ProjectionOptions extends Stores {
  readonly clock: Clock
  readonly checkpointsAwaited?: Call
  /** Called after each transaction with rows: the one hook for metrics, spans and push. Its errors count as failures. */
  readonly observe?: (batch: FoldedBatch) => void
  readonly onFailure?: (projection: string, failed: Failed) => void
}

interface WithPassed {
  /** Shared by all projections that run together. */
  readonly passed: PassedCheckpoints
}

/** A projection has made progress. */
export interface ViewMove {
  readonly projection: string
  /** True if rows of its views may have changed; false if there was nothing to fold. */
  readonly hasNews: boolean
}

/** Progress of a projection. */
export interface ProjectionPosition {
  state: ProjectionState
  /** Folded up to here, into the live views or into those that will replace them. */
  position: bigint
  /** Queries see everything up to here. */
  visible: bigint
  lastError: string | undefined
}

/** A failing projection is fixed by people, which takes longer. */
const backoff = { maxMillis: 30_000 }

/**
 * Keeps a projection's views up to date until the signal aborts. Each step writes its position in `progress` and calls
 * `onStep`. Never rejects: a failure is shown, and retried after a growing pause.
 */
export const runProjection = (
  projection: Projection,
  { eventStore, viewStore, clock, observe, onFailure, passed }: ProjectionOptions & WithPassed,
  progress: ProjectionPosition,
  onStep: (move: ViewMove) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { name, version, filter } = projection
  let generation: Generation
  /** The checkpoint in the views' file, which may lack recent passes. */
  let stored: Checkpoint
  /** Another process has moved the checkpoint: the next fold reads where to. */
  let isMoved = false
  const gathering = gathered(projection)

  const reached = ({ position }: Checkpoint, hasNews = true): void => {
    progress.position = position
    if (generation.status === 'live') progress.visible = position
    onStep({ projection: name, hasNews })
  }

  const load = async (): Promise<Checkpoint> => {
    generation = chooseGeneration(viewStore, projection)
    stored = viewStore.checkpoint(generation)
    isMoved = false
    gathering.clear()
    reached(stored)
    if (stored.position === -1n) await makeSureOfAll(eventStore)
    return stored
  }

  /** Undefined if another process moved the checkpoint: the batch is then of no use. */
  const fold = async (batch: EventBatch): Promise<Checkpoint | undefined> => {
    passed.drop(generation)
    const onPart = (checkpoint: Checkpoint, events: number, millis: number) => {
      const { position } = checkpoint
      const isLast = position === batch.position
      if (!isLast) reached(checkpoint)
      observe?.({ projection: name, version, events, position, millis, caughtUp: batch.caughtUp && isLast })
    }
    const to = await foldInParts(viewCheckpoint(viewStore, generation), projection, stored, batch, onPart, {
      heaviest: liveBatch,
      signal,
    })
    stored = to ?? stored
    return to
  }

  /** Moves the checkpoint past events that do not concern the projection. */
  const pass = (batch: EventBatch): Checkpoint => {
    const from = stored
    const to = { ...from, position: batch.position }
    passed.put({ generation, from: from.position, to }, (moved) => {
      if (stored !== from) return
      if (moved) stored = to
      else isMoved = true
    })
    return to
  }

  const checkpointBehind = async (batch: EventBatch): Promise<Checkpoint | undefined> => {
    const { position } = stored
    if (batch.position <= position) return stored
    // The first fold keeps the tables in memory, and knows that they are empty.
    const mayPass = generation.status === 'live' && position >= 0n && !isMoved
    return mayPass && batch.events.length === 0 ? pass(batch) : fold(batch)
  }

  const handle = async (read: EventBatch): Promise<Checkpoint | undefined> => {
    if (signal.aborted) return undefined
    const batch = gathering.add(read)
    if (!batch) {
      await setImmediate()
      return { ...stored, position: read.position }
    }
    const checkpoint = await checkpointBehind(batch)
    if (!checkpoint) return undefined
    const isPromoted = batch.caughtUp && generation.status === 'building'
    if (isPromoted) {
      viewStore.promote(generation)
      generation = { ...generation, status: 'live' }
    }
    progress.lastError = undefined
    progress.state = batch.caughtUp ? 'live' : 'catching-up'
    reached(checkpoint, isPromoted || batch.events.length > 0)
    await setImmediate()
    return checkpoint
  }

  const onFailed = (failed: Failed): void => {
    const { error } = failed
    progress.state = error instanceof UnavailableError || error instanceof NewerVersion ? 'stalled' : 'failed'
    progress.lastError = errorMessage(error)
    onFailure?.(name, failed)
  }

  return subscribe({ filter, load, handle }, { eventStore, clock, signal, backoff, onFailure: onFailed })
}
