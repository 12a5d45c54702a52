import type { Either } from 'fp-ts/lib/Either.js'
import type { EventPlace } from '../domain/kernel/event-place.ts'
import type { EventBatch } from './event-store.ts'

/** Progress of a subscription. */
export interface Checkpoint {
  /** Everything up to here is handled for good; -1n for nothing. */
  readonly position: bigint
  /** `recordedAt` of the last event that was handled. */
  readonly time: string | null
  /**
   * The last handled event, or a later one behind which there was none to handle: shows whether the log was restored
   * since. Null if there was none; absent if it is unknown, as an older program moved the checkpoint.
   */
  readonly event?: EventPlace | null
}

/** Another process moved the checkpoint: nothing was written. Load it again and continue from there. */
export interface CheckpointMoved {
  readonly kind: 'CheckpointMoved'
  readonly actual: bigint
}

/**
 * Stores the checkpoint of a subscription. `Rows`: what can be written in the transaction that moves it; `never` if
 * there is no such transaction, so that handled events may come again after a crash.
 */
export interface CheckpointStore<Rows = never> {
  load(signal: AbortSignal): Promise<Checkpoint>
  /** Compare-and-set: moves the checkpoint from where it was loaded, or last stored, to the end of a batch. */
  store(
    from: Checkpoint,
    batch: Pick<EventBatch, 'events' | 'position'>,
    write?: (rows: Rows) => void,
  ): Either<CheckpointMoved, Checkpoint>
}
