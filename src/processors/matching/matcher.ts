import type { Logger } from 'pino'
import { UnavailableError } from '../../async/unavailable.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { category as generationsCategory } from '../../domain/matching/generations/events.ts'
import { splitLimits } from '../../domain/matching/graph/split.ts'
import { category as workCategory } from '../../domain/matching/work.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { saveSnapshot } from '../runtime/snapshot.ts'
import { ChangePublisher, type PublishLimits } from './change-publisher.ts'
import { publishedThrough } from './graph-streams.ts'
import { matcherSnapshot } from './matcher-snapshot.ts'
import { loadMatcherState, type MatcherState } from './matcher-state.ts'
import { Fenced } from './resumable-write.ts'

interface MatcherDependencies {
  readonly eventStore: EventStore
  readonly snapshots: SnapshotStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

export interface MatcherLimits extends PublishLimits {
  /** Facts that make a snapshot worth its while: when following ends, and while nothing is to be done. */
  readonly savedAtEnd: number
  readonly savedAtRest: number
}

export const matcherLimits: MatcherLimits = {
  farBehindMillis: 10 * SECOND,
  maxUnpublished: 2_000_000,
  batchSize: 10_000,
  listBatchSize: 20_000,
  alarmSize: 1000,
  split: splitLimits,
  savedAtEnd: 50_000,
  savedAtRest: 500_000,
}

const name = 'matching-matcher'

/**
 * Keeps the whole graph in memory and publishes what facts make of it, in the order of the log, as changes in the graph
 * stream of each generation. Where others write there, too, it forgets what it knew and begins anew from the log: of
 * several matchers one at a time gets its changes in, and none is lost.
 *
 * Its checkpoint stands in what it wrote; facts behind that are published again after a crash.
 */
export const matcher = (deps: MatcherDependencies, limits: MatcherLimits = matcherLimits): Subscription => {
  const { eventStore, snapshots, telemetry, log } = deps
  let work: { readonly state: MatcherState; readonly publisher: ChangePublisher } | undefined

  async function begin(signal: AbortSignal): Promise<bigint> {
    if (!work) {
      const state = await loadMatcherState(name, eventStore, snapshots, signal)
      work = { state, publisher: new ChangePublisher(state, deps, limits) }
    }
    return work.state.folded
  }

  async function handle(batch: EventBatch, isLeader: () => boolean): Promise<boolean> {
    if (!work) throw new Error('the matcher has not begun')
    const { publisher } = work
    try {
      if (!(await publisher.resume(isLeader))) return false
      const unreadable = publisher.fold(batch)
      // What stands before an event that cannot be read does not wait with it.
      if ((unreadable || publisher.isDue(batch)) && !(await publisher.publish(isLeader))) return false
      if (unreadable) throw unreadable
    } catch (error) {
      if (error instanceof Fenced) {
        telemetry.count('failures', { processor: name, reason: 'fenced' })
        log.warn({ part: name }, `${error.message}; beginning anew from the log`)
      }
      if (error instanceof Fenced || !(error instanceof UnavailableError)) work = undefined
      throw error
    }
    telemetry.count('messages', { processor: name, outcome: 'done' }, batch.events.length)
    if (batch.caughtUp) await save(limits.savedAtRest)
    return true
  }

  /** Where so many facts would have to be folded in anew. Not while some wait: a snapshot holds what was published. */
  async function save(minUnsaved: number): Promise<void> {
    if (!work) return
    const { state, publisher } = work
    const parts = () => (publisher.isAtRest() ? partsOf(state) : undefined)
    await saveSnapshot(deps, name, state, minUnsaved, parts)
  }

  return {
    name,
    filter: { categories: [workCategory, generationsCategory] },
    handle,
    ownCheckpoint: {
      load: begin,
      reached: () => work?.publisher.checkpoint() ?? -1n,
      async end() {
        await save(limits.savedAtEnd)
        work = undefined
      },
    },
  }
}

const partsOf = ({ log, graph, streams }: MatcherState): Iterable<Uint8Array> | undefined => {
  const { through } = publishedThrough(streams)
  const witness = [...streams].find(([, stream]) => stream.revision >= 0n && stream.through === through)
  if (!witness) return undefined
  const [generation, { revision, id }] = witness
  return matcherSnapshot.write(
    { log, through: `${through}`, head: { generation, revision: `${revision}`, id } },
    graph,
  )
}
