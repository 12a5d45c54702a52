import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { type Failed, levelOf } from '../../async/keep-trying.ts'
import { type PassedCheckpoints, passedCheckpoints } from '../../async/passed-checkpoints.ts'
import { subscribe } from '../../async/subscription.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Checkpoint } from '../../ports/checkpoint-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventBatch, EventFilter, EventStore } from '../../ports/event-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { OwnCheckpoint } from './leader-checkpoints.ts'
import { leaderCheckpoint, ownCheckpoint } from './leader-checkpoints.ts'
import type { Term } from './leader-term.ts'

/** Work that follows the log, in order, one batch after the other. */
export interface Subscription {
  readonly name: string
  /** Names the checkpoint; absent: `name`. */
  readonly checkpoint?: string
  readonly filter: EventFilter
  /** Most events handled at once; absent: as many as the log returns. */
  readonly batchSize?: number
  /**
   * True when all of the batch is done for good; false when it stopped in the middle, as it must once `isLeader` is
   * false: it asks before each piece of work. Errors are logged, and the batch is tried again after a pause.
   */
  readonly handle: (batch: EventBatch, isLeader: () => boolean, signal: AbortSignal) => Promise<boolean>
  /** Its results are neither in the log nor in a view: whoever waits for these does not wait for it. */
  readonly isSink?: true
  /** For work that knows its progress from its own writes. */
  readonly ownCheckpoint?: OwnCheckpoint
}

export interface SubscriptionDependencies {
  readonly eventStore: EventStore
  /** Stores the checkpoint. If it was lost, the work starts from the leader lease's, and repeats what it did since. */
  readonly viewStore: ViewStore
  /** Checkpoints of all subscriptions of the leader; absent: of this one alone. */
  readonly passed?: PassedCheckpoints
  readonly term: Pick<Term, 'isLeader' | 'positions'>
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

export interface RunningSubscription {
  readonly name: string
  position(): bigint
  /** Resolves when the work under way is finished. */
  stop(): Promise<void>
}

/** Follows the log from the leader's checkpoint, for as long as the term lasts. */
export const runSubscription = (
  subscription: Subscription,
  deps: SubscriptionDependencies,
): RunningSubscription => {
  const { name, checkpoint: checkpointName = name, filter, batchSize, ownCheckpoint: own } = subscription
  const { eventStore, term, clock, telemetry, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const isLeader = () => !signal.aborted && term.isLeader()
  const passed = deps.passed ?? passedCheckpoints(deps, signal)
  const shown = leaderCheckpoint(checkpointName, { ...deps, passed })
  const checkpoints = own ? ownCheckpoint(own, shown) : shown

  const handle = async (batch: EventBatch, from: Checkpoint): Promise<Checkpoint | undefined> => {
    let reached = from
    for (const part of partsOf(batch, batchSize)) {
      if (!isLeader() || !(await subscription.handle(part, isLeader, signal))) return undefined
      const stored = checkpoints.store(reached, part)
      if (isLeft(stored)) return undefined
      reached = stored.right
    }
    return isLeader() ? reached : undefined
  }

  const onFailure = (failed: Failed): void => {
    const { error } = failed
    const reason = error instanceof UnavailableError ? 'away' : 'defect'
    telemetry.count('failures', { processor: name, reason })
    log[levelOf(failed)]({ err: error, part: name }, 'cannot follow the log; retrying')
  }

  const end = async (): Promise<void> => {
    try {
      await own?.end()
    } catch (error) {
      log.error({ err: error, part: name }, 'cannot save state at the end of the subscription')
    }
  }

  const running = subscribe(
    { filter, load: checkpoints.load, handle },
    { eventStore, clock, signal, isOver: () => !isLeader(), onFailure },
  ).finally(end)

  return {
    name,
    position: shown.position,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

function* partsOf(batch: EventBatch, size = Number.POSITIVE_INFINITY): Generator<EventBatch> {
  const { events, position, caughtUp } = batch
  let from = 0
  for (; from + size < events.length; from += size) {
    const some = events.slice(from, from + size)
    yield { events: some, position: some.at(-1)!.position, caughtUp: false }
  }
  yield from === 0 ? batch : { events: events.slice(from), position, caughtUp }
}
