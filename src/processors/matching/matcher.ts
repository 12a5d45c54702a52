import type { Logger } from 'pino'
import { SECOND } from '../../domain/kernel/time.ts'
import { category as generationsCategory } from '../../domain/matching/generations/events.ts'
import { splitLimits } from '../../domain/matching/graph/split.ts'
import { category as workCategory } from '../../domain/matching/work.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { followModel, type ModelWork, type SnapshotLimits, snapshotLimits } from '../runtime/follow-model.ts'
import { encodeModel } from '../runtime/in-memory-model.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { ChangePublisher, type PublishLimits } from './change-publisher.ts'
import { graphModel, matcherName } from './graph-model.ts'
import { loadMatcherState, type MatcherState } from './matcher-state.ts'

interface MatcherDependencies {
  readonly eventStore: EventStore
  readonly snapshots: SnapshotStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

interface MatcherLimits extends PublishLimits, SnapshotLimits {}

export const matcherLimits: MatcherLimits = {
  farBehindMillis: 10 * SECOND,
  maxUnpublished: 2_000_000,
  batchSize: 100_000,
  gather: { minFacts: 200, waitMillis: SECOND, maxMillis: 30 * SECOND },
  listBatchSize: 20_000,
  largeChange: 2000,
  restMicros: 50,
  maxRestMillis: SECOND,
  alarmSize: 1000,
  split: splitLimits,
  ...snapshotLimits,
}

/**
 * Keeps the whole graph in memory and publishes the components that facts change, in the order of the log, to the graph
 * stream of each generation. If another matcher writes there, it discards its state and starts again from the log: of
 * several matchers one at a time publishes its changes, and none is lost.
 *
 * Its checkpoint is in the events that it wrote; facts after that are published again after a crash.
 */
export const matcher = (deps: MatcherDependencies, limits: MatcherLimits = matcherLimits): Subscription =>
  followModel(
    {
      name: matcherName,
      filter: { categories: [workCategory, generationsCategory] },
      begin: async (signal) => {
        const state = await loadMatcherState(deps, signal)
        return matching(state, new ChangePublisher(state, deps, limits), deps.clock)
      },
    },
    deps,
    limits,
  )

const matching = (state: MatcherState, publisher: ChangePublisher, clock: Clock): ModelWork => ({
  model: state,
  handle: async (batch, isLeader, signal) => {
    if (!(await publisher.resume(isLeader))) return false
    const unreadable = publisher.fold(batch)
    // Facts before an event that cannot be read do not wait for it.
    if ((unreadable || (await publisher.isDue(batch, signal))) && !(await publisher.publish(isLeader)))
      return false
    if (unreadable) throw unreadable
    const rest = publisher.takeRest()
    if (rest > 0) await clock.sleep(rest, signal)
    return true
  },
  reached: () => publisher.checkpoint(),
  // Not while facts wait: a snapshot holds published facts alone.
  snapshot: () => (publisher.isAtRest() ? encodeModel(graphModel(state.streams), state) : undefined),
})
