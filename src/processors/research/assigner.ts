import { oneByOne } from '@fonds/toolbox'
import { backoffMillis } from '../../async/backoff.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { addMillis, MINUTE } from '../../domain/kernel/time.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import { executor } from '../runtime/execute.ts'
import { followModel, type ModelWork, type SnapshotLimits, snapshotLimits } from '../runtime/follow-model.ts'
import { catchUpModel, encodeModel, foldBatch, restoreModel } from '../runtime/in-memory-model.ts'
import { lastEventStates } from '../runtime/last-event.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { createAlarm } from './alarm.ts'
import { CapacityLoop, type CapacityLoopDependencies } from './capacity-loop.ts'
import type { ChoiceLimits } from './choose-leases.ts'
import { type LoadedState, assignerName as name, schedulerModel } from './load-scheduler-state.ts'

interface AssignerDependencies extends Omit<CapacityLoopDependencies, 'note'> {
  readonly eventStore: EventStore
  readonly snapshots: SnapshotStore
}

interface AssignerLimits extends ChoiceLimits, SnapshotLimits {}

export const assignerLimits: AssignerLimits = {
  maxItems: 256,
  maxCharacters: 400_000,
  ...snapshotLimits,
}

/**
 * How far the time of the scheduler state, which never goes back, may be ahead of the clock: clocks differ. Further ahead,
 * the clock was wrong and has been corrected: leases by the state's time would hold for too long (F26).
 */
const maxAhead = 5 * MINUTE

/**
 * Grants leases: folds the log into the scheduler state, and runs the capacity loop at the end of the log. Events start the
 * loop, and an alarm does where time alone changes the state. Several assigners do no harm: an episode rejects a lease on
 * pairs that are leased already (F1, F2).
 */
export const assigner = (
  deps: AssignerDependencies,
  limits: AssignerLimits = assignerLimits,
): Subscription => {
  const { eventStore, clock } = deps
  // An assessment is compared with the last one alone: its stream grows for years.
  const assigning = { ...deps, note: executor(eventStore, lastEventStates(eventStore)) }
  return followModel(
    {
      name,
      filter: schedulerModel.filter,
      begin: async () => {
        const restored = await restoreModel(schedulerModel, deps)
        const loaded = isAhead(restored, clock.now()) ? schedulerModel.initial(restored.log) : restored
        return new Assigner(loaded, assigning, limits)
      },
    },
    deps,
    limits,
  )
}

const isAhead = ({ advancedTo }: LoadedState, now: string): boolean => advancedTo > addMillis(now, maxAhead)

/** Runs the capacity loop for batches and for the alarm, one run after the other. */
class Assigner implements ModelWork {
  readonly #deps: AssignerDependencies & CapacityLoopDependencies
  readonly #limits: AssignerLimits
  readonly #inOrder = oneByOne()
  readonly #alarm: ReturnType<typeof createAlarm>
  #loaded: LoadedState
  #capacityLoop: CapacityLoop
  /** Failures in a row of runs that the alarm started. */
  #failures = 0

  constructor(
    loaded: LoadedState,
    deps: AssignerDependencies & CapacityLoopDependencies,
    limits: AssignerLimits,
  ) {
    this.#deps = deps
    this.#limits = limits
    this.#alarm = createAlarm(deps.clock)
    this.#loaded = loaded
    this.#capacityLoop = new CapacityLoop(loaded, deps, limits)
  }

  get model(): LoadedState {
    return this.#loaded
  }

  handle(batch: EventBatch, isLeader: () => boolean): Promise<boolean> {
    return this.#inOrder(async () => {
      this.#alarm.cancel()
      foldBatch(this.#loaded, batch, schedulerModel.evolve)
      // At the end of the log the capacity loop checks for leadership.
      return batch.caughtUp || isLeader()
    })
  }

  caughtUp(isLeader: () => boolean, signal: AbortSignal): Promise<boolean> {
    return this.#inOrder(() => this.#assign(isLeader, signal))
  }

  reached(): bigint {
    return this.#loaded.folded
  }

  snapshot(): Iterable<Uint8Array> | undefined {
    return this.#capacityLoop.isAtRest() ? encodeModel(schedulerModel, this.#loaded) : undefined
  }

  async suspend(): Promise<void> {
    this.#alarm.cancel()
    // A run that was under way may have set it again.
    await this.#inOrder(async () => this.#alarm.cancel())
  }

  async #assign(isLeader: () => boolean, signal: AbortSignal): Promise<boolean> {
    if (isAhead(this.#loaded, this.#deps.clock.now())) await this.#foldAgain(signal)
    if (!(await this.#capacityLoop.handleSlice(isLeader))) return false
    this.#failures = 0
    this.#wakeAt(this.#loaded.scheduler.nextChange(), isLeader)
    return true
  }

  async #foldAgain(signal: AbortSignal): Promise<void> {
    this.#deps.log.warn({ part: name }, 'the clock went back; reading the schedule from the log again')
    const { log, folded } = this.#loaded
    const reloaded = schedulerModel.initial(log)
    await catchUpModel(reloaded, schedulerModel, this.#deps.eventStore, signal, { position: folded })
    reloaded.folded = folded
    this.#loaded = reloaded
    this.#capacityLoop = new CapacityLoop(reloaded, this.#deps, this.#limits)
  }

  #wakeAt(at: string | undefined, isLeader: () => boolean): void {
    if (at === undefined) return
    this.#alarm.set(
      at,
      (signal) => void this.#inOrder(async () => !signal.aborted && this.#wake(isLeader, signal)),
    )
  }

  /** No caller waits for this run: the alarm retries a failed one. */
  async #wake(isLeader: () => boolean, signal: AbortSignal): Promise<void> {
    const { clock, telemetry, log } = this.#deps
    try {
      await this.#assign(isLeader, signal)
    } catch (error) {
      const isAway = error instanceof UnavailableError
      telemetry.count('failures', { processor: name, reason: isAway ? 'away' : 'defect' })
      const level = isAway ? 'warn' : 'error'
      log[level]({ err: error, part: name }, 'cannot assign work; retrying')
      const pause = Math.ceil(backoffMillis(this.#failures++))
      this.#wakeAt(addMillis(clock.now(), pause), isLeader)
    }
  }
}
