import type { Logger } from 'pino'
import { SECOND } from '../../domain/kernel/time.ts'
import { category as generationsCategory } from '../../domain/matching/generations/events.ts'
import { cutLimits } from '../../domain/matching/graph/cut.ts'
import { category as workCategory } from '../../domain/matching/work.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Follower } from '../runtime/follow.ts'
import { saveSnapshot } from '../runtime/save-snapshot.ts'
import { toldThrough } from './heads.ts'
import { type Loaded, load } from './load.ts'
import { snapshotParts } from './matcher-snapshot.ts'
import { type Telling, type TellingLimits, telling } from './telling.ts'
import { Fenced } from './writing.ts'

export interface MatcherDependencies {
  readonly eventStore: EventStore
  readonly snapshots: SnapshotStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

export interface MatcherLimits extends TellingLimits {
  /** Facts that make a snapshot worth its while: when following ends, and while nothing is to be done. */
  readonly savedAtEnd: number
  readonly savedAtRest: number
}

export const matcherLimits: MatcherLimits = {
  farMillis: 10 * SECOND,
  mostUntold: 2_000_000,
  toldTogether: 10_000,
  listedAtOnce: 20_000,
  alarmSize: 1000,
  cut: cutLimits,
  savedAtEnd: 50_000,
  savedAtRest: 500_000,
}

const name = 'matching-matcher'

/**
 * Keeps the whole graph in memory and tells what facts make of it, in the order of the log, as changes in the graph
 * stream of each generation. Where others write there too, it forgets what it knew and begins anew from the log: of
 * several matchers one at a time gets its changes in, and none is lost.
 *
 * How far it has come stands in what it wrote; facts behind that are told again after a crash.
 */
export const matcher = (deps: MatcherDependencies, limits: MatcherLimits = matcherLimits): Follower => {
  const { eventStore, snapshots, telemetry, log } = deps
  let work: { readonly loaded: Loaded; readonly telling: Telling } | undefined

  async function begin(signal: AbortSignal): Promise<bigint> {
    if (!work) {
      const loaded = await load(name, eventStore, snapshots, signal)
      work = { loaded, telling: telling(loaded, deps, limits) }
    }
    return work.loaded.folded
  }

  async function handle(batch: EventBatch, goesOn: () => boolean): Promise<boolean> {
    if (!work) throw new Error('the matcher has not begun')
    const { telling } = work
    try {
      if (!(await telling.finish(goesOn))) return false
      const obstacle = telling.fold(batch)
      // What stands before an event that cannot be read does not wait with it.
      if ((obstacle || telling.isDue(batch)) && !(await telling.tell(goesOn))) return false
      if (obstacle) throw obstacle
    } catch (error) {
      if (error instanceof Fenced) {
        telemetry.count('failures', { processor: name, reason: 'fenced' })
        log.warn({ part: name }, `${error.message}; beginning anew from the log`)
      }
      if (error instanceof Fenced || !(error instanceof Away)) work = undefined
      throw error
    }
    telemetry.count('messages', { processor: name, outcome: 'done' }, batch.events.length)
    if (batch.caughtUp) await save(limits.savedAtRest)
    return true
  }

  /** Where so many facts would have to be folded in anew. Not while some wait: a snapshot holds what was told. */
  async function save(fromFacts: number): Promise<void> {
    if (!work || work.loaded.unsaved < fromFacts || !work.telling.isAtRest()) return
    const { loaded } = work
    const parts = partsOf(loaded)
    if (!parts) return
    if (await saveSnapshot(deps, name, parts)) loaded.unsaved = 0
  }

  return {
    name,
    filter: { categories: [workCategory, generationsCategory] },
    handle,
    place: {
      begin,
      reached: () => work?.telling.reached() ?? -1n,
      async end() {
        await save(limits.savedAtEnd)
        work = undefined
      },
    },
  }
}

const partsOf = ({ log, graph, heads }: Loaded): Iterable<Uint8Array> | undefined => {
  const { through: told } = toldThrough(heads)
  const witness = [...heads].find(([, head]) => head.revision >= 0n && head.through === told)
  if (!witness) return undefined
  const [generation, { revision, id }] = witness
  return snapshotParts({ log, through: `${told}`, head: { generation, revision: `${revision}`, id } }, graph)
}
