import { backoffMillis } from '../../async/backoff.ts'
import { oneByOne } from '../../async/one-by-one.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { addMillis, MINUTE } from '../../domain/kernel/time.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import { executor } from '../runtime/execute.ts'
import { lastEventStates } from '../runtime/last-event.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { saveSnapshot } from '../runtime/snapshot.ts'
import { type Alarm, createAlarm } from './alarm.ts'
import { CapacityLoop, type CapacityLoopDependencies } from './capacity-loop.ts'
import type { ChoiceLimits } from './choose-leases.ts'
import {
  assignerFilter,
  catchUp,
  emptyState,
  foldEvent,
  type LoadedState,
  loadSnapshot,
  assignerName as name,
} from './load-scheduler-state.ts'
import { schedulerSnapshot } from './scheduler-snapshot.ts'

interface AssignerDependencies extends Omit<CapacityLoopDependencies, 'note'> {
  readonly eventStore: EventStore
  readonly snapshots: SnapshotStore
}

export interface AssignerLimits extends ChoiceLimits {
  /** Events that are worth a snapshot: when the subscription ends, and while it is at rest. */
  readonly savedAtEnd: number
  readonly savedAtRest: number
}

export const assignerLimits: AssignerLimits = {
  maxItems: 256,
  maxCharacters: 400_000,
  savedAtEnd: 50_000,
  savedAtRest: 500_000,
}

/**
 * Clocks differ, and the scheduler state never goes back: it may be ahead of the clock by this much. Where it is further
 * ahead, the clock was wrong and has been put right. Leases by the state's time would hold for too long (F26).
 */
const maxAhead = 5 * MINUTE

/**
 * Grants leases: folds the log into the scheduler state, and runs the capacity loop whenever that has caught up. Events
 * wake it, and time does where time alone changes something. Several assigners do no harm: an episode rejects a lease on
 * what is leased already (F1, F2).
 */
export const assigner = (
  deps: AssignerDependencies,
  limits: AssignerLimits = assignerLimits,
): Subscription => {
  const running = new Assigner(deps, limits)
  return {
    name,
    filter: assignerFilter,
    handle: (batch, isLeader, signal) => running.handle(batch, isLeader, signal),
    ownCheckpoint: {
      load: () => running.begin(),
      reached: () => running.reached(),
      end: () => running.end(),
    },
  }
}

interface Work {
  readonly loaded: LoadedState
  readonly capacityLoop: CapacityLoop
}

class Assigner {
  readonly #deps: CapacityLoopDependencies & AssignerDependencies
  readonly #limits: AssignerLimits
  readonly #inOrder = oneByOne()
  readonly #alarm: Alarm
  #work: Work | undefined
  /** In a row, of runs that the alarm woke. */
  #failures = 0

  constructor(deps: AssignerDependencies, limits: AssignerLimits) {
    const { eventStore, clock } = deps
    // An assessment is compared with the last one, in a stream that grows for years.
    this.#deps = { ...deps, note: executor(eventStore, lastEventStates(eventStore)) }
    this.#limits = limits
    this.#alarm = createAlarm(clock)
  }

  begin(): Promise<bigint> {
    return this.#inOrder(async () => {
      this.#alarm.cancel()
      this.#work ??= await this.#loadWork()
      return this.#work.loaded.folded
    })
  }

  reached(): bigint {
    return this.#work?.loaded.folded ?? -1n
  }

  end(): Promise<void> {
    this.#alarm.cancel()
    return this.#inOrder(async () => {
      try {
        await this.#save(this.#limits.savedAtEnd)
      } finally {
        this.#work = undefined
      }
    })
  }

  handle(batch: EventBatch, isLeader: () => boolean, signal: AbortSignal): Promise<boolean> {
    return this.#inOrder(async () => {
      this.#alarm.cancel()
      try {
        this.#foldAll(batch)
        if (!batch.caughtUp) return isLeader()
        await this.#save(this.#limits.savedAtRest)
        return await this.#assign(isLeader, signal)
      } catch (error) {
        if (!(error instanceof UnavailableError)) this.#work = undefined
        throw error
      }
    })
  }

  async #loadWork(): Promise<Work> {
    const { eventStore, snapshots } = this.#deps
    const saved = await loadSnapshot(name, eventStore, snapshots)
    return this.#workOn(this.#isAhead(saved) ? emptyState(saved.log) : saved)
  }

  #workOn(loaded: LoadedState): Work {
    return { loaded, capacityLoop: new CapacityLoop(loaded, this.#deps, this.#limits) }
  }

  #isAhead({ advancedTo }: LoadedState): boolean {
    return advancedTo > addMillis(this.#deps.clock.now(), maxAhead)
  }

  #foldAll({ events, position }: EventBatch): void {
    if (!this.#work) throw new Error('the assigner has not begun')
    const { loaded } = this.#work
    for (const event of events) foldEvent(loaded, event)
    loaded.folded = position
    this.#deps.telemetry.count('messages', { processor: name, outcome: 'done' }, events.length)
  }

  async #assign(isLeader: () => boolean, signal: AbortSignal): Promise<boolean> {
    if (this.#work && this.#isAhead(this.#work.loaded)) await this.#foldAnew(this.#work.loaded, signal)
    if (!this.#work || !(await this.#work.capacityLoop.handleSlice(isLeader))) return false
    this.#failures = 0
    this.#wakeAt(this.#work.loaded.scheduler.nextChange(), isLeader)
    return true
  }

  async #foldAnew({ log, folded }: LoadedState, signal: AbortSignal): Promise<void> {
    this.#deps.log.warn(
      { part: name },
      'the clock was put back: what is to be handed out is read from the log anew',
    )
    const anew = emptyState(log)
    await catchUp(anew, this.#deps.eventStore, signal, { position: folded })
    anew.folded = folded
    this.#work = this.#workOn(anew)
  }

  #wakeAt(at: string | undefined, isLeader: () => boolean): void {
    if (at === undefined) return
    this.#alarm.set(
      at,
      (signal) => void this.#inOrder(async () => !signal.aborted && this.#wake(isLeader, signal)),
    )
  }

  /** Nobody waits for this run: what fails is tried again from here. */
  async #wake(isLeader: () => boolean, signal: AbortSignal): Promise<void> {
    const { clock, telemetry, log } = this.#deps
    try {
      await this.#assign(isLeader, signal)
    } catch (error) {
      const isAway = error instanceof UnavailableError
      telemetry.count('failures', { processor: name, reason: isAway ? 'away' : 'defect' })
      const level = isAway ? 'warn' : 'error'
      log[level]({ err: error, part: name }, 'work could not be handed out, which will be tried again')
      const pause = Math.ceil(backoffMillis(this.#failures++))
      this.#wakeAt(addMillis(clock.now(), pause), isLeader)
    }
  }

  /** Where at least so many events would have to be folded in anew. */
  async #save(minEvents: number): Promise<void> {
    if (!this.#work) return
    const { loaded, capacityLoop } = this.#work
    const { log, last, advancedTo, scheduler } = loaded
    await saveSnapshot(this.#deps, name, loaded, minEvents, () =>
      last && capacityLoop.isAtRest()
        ? schedulerSnapshot.write({ log, last, advancedTo }, scheduler)
        : undefined,
    )
  }
}
