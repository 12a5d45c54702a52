import type { Logger } from 'pino'
import { UnavailableError } from '../../async/unavailable.ts'
import type { EventBatch } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { Fenced } from './fenced.ts'
import type { InMemoryModel } from './in-memory-model.ts'
import type { Subscription } from './leader-subscription.ts'

/** A model in memory, with the work done as it follows the log. */
export interface ModelWork {
  readonly model: InMemoryModel
  /**
   * Folds a batch in and does the resulting work; false if it stopped in the middle. After a failure, batches come
   * again from the model's position.
   */
  handle(batch: EventBatch, isLeader: () => boolean, signal: AbortSignal): Promise<boolean>
  /** Does its work at the end of the log, after the snapshot; false if it stopped in the middle. */
  caughtUp?(isLeader: () => boolean, signal: AbortSignal): Promise<boolean>
  /** Everything up to here is done for good. */
  reached(): bigint
  /** The model as bytes; undefined while it holds what is not in the log yet. */
  snapshot(): Iterable<Uint8Array> | undefined
  /** Ends work that goes on between batches. Resolves when nothing is under way until the next one. */
  suspend?(): Promise<void>
}

interface ModelSubscription extends Pick<Subscription, 'name' | 'filter'> {
  /** Loads the model. Throws `UnavailableError`, also when `signal` aborts. */
  begin(signal: AbortSignal): Promise<ModelWork>
}

/** Unsaved events that make a snapshot worthwhile: when the subscription ends, and at the end of the log. */
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
 * Keeps a model in memory while it follows the log. The model is its own checkpoint: it begins from its snapshot, and
 * continues from its position when a dependency was unavailable. It is dropped at the end, after a defect, and when
 * another process wrote to its streams.
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
        log.warn({ part: name }, `${error.message}; reading the log again`)
      }
      if (error instanceof Fenced || !(error instanceof UnavailableError)) work = undefined
      throw error
    }
  }

  /** A snapshot only shortens the next start: if it cannot be saved, that is logged, and work goes on. */
  const save = async (current: ModelWork, minUnsaved: number): Promise<void> => {
    const bytes = current.model.unsaved < minUnsaved ? undefined : current.snapshot()
    if (!bytes) return
    try {
      await snapshots.save(name, bytes)
      current.model.unsaved = 0
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      log.warn({ err: error, part: name }, 'cannot save a snapshot; the next start takes longer')
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
