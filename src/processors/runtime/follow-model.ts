import type { Logger } from 'pino'
import { UnavailableError } from '../../async/unavailable.ts'
import type { EventBatch } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { Fenced } from './fenced.ts'
import type { InMemoryModel } from './in-memory-model.ts'
import type { Subscription } from './leader-subscription.ts'

/** A model in memory, with what is done as the log goes on. */
export interface ModelWork {
  readonly model: InMemoryModel
  /**
   * Folds a batch in and does what it leads to; false where it stopped in the middle. After a failure, batches come again
   * from where the model is.
   */
  handle(batch: EventBatch, isLeader: () => boolean, signal: AbortSignal): Promise<boolean>
  /** What is done at the end of the log, behind the snapshot; false where it stopped in the middle. */
  caughtUp?(isLeader: () => boolean, signal: AbortSignal): Promise<boolean>
  /** Up to here all is done for good. */
  reached(): bigint
  /** The model as bytes; undefined while it holds what the log does not say yet. */
  snapshot(): Iterable<Uint8Array> | undefined
  /** Ends what it does between batches. Resolves when nothing is under way until the next one. */
  suspend?(): Promise<void>
}

interface ModelSubscription extends Pick<Subscription, 'name' | 'filter'> {
  /** Loads the model. Throws `UnavailableError`, also when `signal` aborts. */
  begin(signal: AbortSignal): Promise<ModelWork>
}

/** Events that make a snapshot worth its while: when the subscription ends, and at the end of the log. */
export interface SnapshotLimits {
  readonly savedAtEnd: number
  readonly savedAtRest: number
}

export const snapshotLimits: SnapshotLimits = { savedAtEnd: 50_000, savedAtRest: 500_000 }

interface FollowDependencies {
  readonly snapshots: Pick<SnapshotStore, 'save'>
  readonly telemetry: Telemetry
  readonly log: Logger
}

/**
 * Keeps a model in memory while it follows the log. The model is its checkpoint: it begins from its snapshot, goes on from
 * where it is after what was away, and is forgotten in the end, after a defect, and where somebody else wrote in its place.
 */
export const followModel = (
  { name, filter, begin }: ModelSubscription,
  { snapshots, telemetry, log }: FollowDependencies,
  { savedAtEnd, savedAtRest }: SnapshotLimits,
): Subscription => {
  let work: ModelWork | undefined

  const load = async (signal: AbortSignal): Promise<bigint> => {
    await work?.suspend?.()
    work ??= await begin(signal)
    return work.model.folded
  }

  const handle: Subscription['handle'] = async (batch, isLeader, signal) => {
    if (!work) throw new Error(`${name} has not begun`)
    try {
      if (!(await work.handle(batch, isLeader, signal))) return false
      telemetry.count('messages', { processor: name, outcome: 'done' }, batch.events.length)
      if (!batch.caughtUp) return true
      await save(work, savedAtRest)
      return (await work.caughtUp?.(isLeader, signal)) ?? true
    } catch (error) {
      if (error instanceof Fenced) {
        telemetry.count('failures', { processor: name, reason: 'fenced' })
        log.warn({ part: name }, `${error.message}; beginning anew from the log`)
      }
      if (error instanceof Fenced || !(error instanceof UnavailableError)) work = undefined
      throw error
    }
  }

  /** Only a shortcut for the next start: where it cannot be kept, a line says so, and work goes on. */
  const save = async (current: ModelWork, minUnsaved: number): Promise<void> => {
    const bytes = current.model.unsaved < minUnsaved ? undefined : current.snapshot()
    if (!bytes) return
    try {
      await snapshots.save(name, bytes)
      current.model.unsaved = 0
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      log.warn({ err: error, part: name }, 'the next start will take longer')
    }
  }

  const end = async (): Promise<void> => {
    const ended = work
    work = undefined
    await ended?.suspend?.()
    if (ended) await save(ended, savedAtEnd)
  }

  return {
    name,
    filter,
    handle,
    ownCheckpoint: { load, reached: () => work?.reached() ?? -1n, end },
  }
}
