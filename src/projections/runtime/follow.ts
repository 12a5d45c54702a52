import { setImmediate } from 'node:timers/promises'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import { EventStoreAway } from '../../ports/event-store.ts'
import { type Checkpoint, GenerationGone } from '../../ports/view-store.ts'
import type { Stores } from './catch-up.ts'
import { foldInParts, makeSureOfAll } from './fold.ts'
import { chooseGeneration, NewerVersion } from './generation.ts'
import type { Projection } from './projection.ts'

/**
 * `live`: nothing more was waiting at the last look. `stalled`: something it depends on is away. `failed`: its code
 * or an event is at fault. Both of these are tried again by themselves.
 */
export type ProjectionState = 'live' | 'catching-up' | 'stalled' | 'failed'

/** One transaction of a running projection. */
export interface FoldedBatch {
  readonly projection: string
  readonly version: number
  readonly events: number
  readonly position: bigint
  readonly millis: number
  readonly caughtUp: boolean
}

export interface FollowOptions extends Stores {
  readonly clock: Clock
  /** Called after each transaction: the one seam for metrics, spans and push. What it throws counts as a failure. */
  readonly observe?: (batch: FoldedBatch) => void
  readonly onFailure?: (projection: string, error: unknown, retryInMillis: number) => void
}

/** Where a projection stands. */
export interface Following {
  state: ProjectionState
  /** Folded up to here, be it into the live views or into those that will take their place. */
  position: bigint
  /** Queries see everything up to here. */
  visible: bigint
  lastError: string | undefined
}

const shortestPause = 100
const longestPause = 30_000

/**
 * Keeps a projection's views up to date until the signal aborts. Each step writes its place in `following` and calls
 * `onStep`. Never rejects: a failure is shown, and tried again after a growing, jittered pause.
 */
export const follow = async (
  projection: Projection,
  { eventStore, viewStore, clock, observe, onFailure }: FollowOptions,
  following: Following,
  onStep: () => void,
  signal: AbortSignal,
): Promise<void> => {
  let failures = 0

  /** Folds from the stored checkpoint on. Returns when another process moved it: what was held is then of no use. */
  const fromCheckpoint = async (): Promise<void> => {
    let generation = chooseGeneration(viewStore, projection)
    let checkpoint = viewStore.checkpoint(generation)
    const step = () => {
      following.position = checkpoint.position
      if (generation.status === 'live') following.visible = checkpoint.position
      onStep()
    }
    step()
    if (checkpoint.position === -1n) await makeSureOfAll(eventStore)
    for await (const batch of eventStore.subscribe(checkpoint.position, projection.filter, signal)) {
      if (signal.aborted) return
      if (batch.position > checkpoint.position) {
        const { name, version } = projection
        const onPart = (reached: Checkpoint, events: number, millis: number) => {
          checkpoint = reached
          const { position } = reached
          const isLast = position === batch.position
          if (!isLast) step()
          const caughtUp = batch.caughtUp && isLast
          observe?.({ projection: name, version, events, position, millis, caughtUp })
        }
        if (!(await foldInParts(viewStore, projection, generation, checkpoint, batch, onPart, { signal })))
          return
      }
      if (batch.caughtUp && generation.status === 'building') {
        viewStore.promote(generation)
        generation = { ...generation, status: 'live' }
      }
      failures = 0
      following.lastError = undefined
      following.state = batch.caughtUp ? 'live' : 'catching-up'
      step()
      await setImmediate()
    }
    if (!signal.aborted) throw new EventStoreAway('the event store ended the subscription')
  }

  while (!signal.aborted) {
    try {
      await fromCheckpoint()
      await setImmediate()
    } catch (error) {
      // Another process has put another generation in its place: look again at once.
      if (error instanceof GenerationGone) continue
      following.state = error instanceof Away || error instanceof NewerVersion ? 'stalled' : 'failed'
      following.lastError = error instanceof Error ? error.message : String(error)
      const pause = Math.min(longestPause, shortestPause * 2 ** failures) * (0.5 + Math.random() / 2)
      failures++
      onFailure?.(projection.name, error, pause)
      await clock.sleep(pause, signal)
    }
  }
}
