import type { Either } from 'fp-ts/lib/Either.js'
import type { EventPlace } from '../domain/kernel/event-place.ts'
import type { EventBatch } from './event-store.ts'

/** How far a subscription has come. */
export interface Checkpoint {
  /** Everything up to here is done for good; -1n for nothing. */
  readonly position: bigint
  /** `recordedAt` of the last event that was handled. */
  readonly time: string | null
  /**
   * The last event that was handled, or a later one behind which there was none to handle: shows whether the log was put
   * back since. Null where there was none; absent where that is not known, as an older program moved the checkpoint.
   */
  readonly event?: EventPlace | null
}

/** Somebody else moved the checkpoint: nothing was written; load it again and go on from there. */
export interface CheckpointMoved {
  readonly kind: 'CheckpointMoved'
  readonly actual: bigint
}

/**
 * Keeps the checkpoint of a subscription. `Rows`: what can be written in the transaction that moves it; `never` where
 * there is no such transaction, so that what was handled may come again after a crash.
 */
export interface CheckpointStore<Rows = never> {
  load(signal: AbortSignal): Promise<Checkpoint>
  /** Compare-and-set: moves it from where it was loaded, or stored last, behind a batch. */
  store(
    from: Checkpoint,
    batch: Pick<EventBatch, 'events' | 'position'>,
    write?: (rows: Rows) => void,
  ): Either<CheckpointMoved, Checkpoint>
}
