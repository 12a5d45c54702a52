import * as E from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { unavailable } from '../../async/unavailable.ts'
import { addMillis, SECOND } from '../../domain/kernel/time.ts'
import { type Assessed, capacityDecider } from '../../domain/research/capacity-decide.ts'
import { capacityStream } from '../../domain/research/terms.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Execute } from '../runtime/execute.ts'
import { type ChoiceLimits, chooseLeases, grantPolicyOf } from './choose-leases.ts'
import { actor, type GrantingDependencies, type Written, writeGrants } from './granting.ts'
import type { LoadedState } from './load-scheduler-state.ts'

export interface CapacityLoopDependencies extends GrantingDependencies {
  readonly clock: Clock
  /** Writes assessments. */
  readonly note: Execute
}

/** During a run, an assessment is recorded at least this often. */
const maxSilence = SECOND

/** The capacity loop, slice by slice: choose leases, write them, record what the assessment found (L3 to L9). */
export class CapacityLoop {
  readonly #loaded: LoadedState
  readonly #deps: CapacityLoopDependencies
  readonly #limits: ChoiceLimits
  /** Items that no recorded assessment counts yet. */
  readonly #written: Written = { items: 0, through: -1n }
  #lastStop: Assessed['stopped'] | undefined
  #recordedAt = ''

  constructor(loaded: LoadedState, deps: CapacityLoopDependencies, limits: ChoiceLimits) {
    this.#loaded = loaded
    this.#deps = deps
    this.#limits = limits
  }

  /** True if all written grants are folded in. */
  isAtRest(): boolean {
    return this.#loaded.folded >= this.#written.through
  }

  /**
   * False once `isLeader` says no. The slice ends early if another assigner was faster: its events are folded in before
   * the next choice. Throws `UnavailableError`.
   */
  async handleSlice(isLeader: () => boolean): Promise<boolean> {
    if (!isLeader()) return false
    const { scheduler } = this.#loaded
    const now = this.#advance()
    const { leases, ended } = chooseLeases(scheduler, now, this.#limits)
    const slice = { leases, policy: grantPolicyOf(scheduler), at: now }
    const isWritten = leases.length === 0 || (await writeGrants(slice, scheduler, this.#written, this.#deps))
    if (!isWritten || !ended || !this.#isNews(ended.stopped)) return isLeader()
    if (leases.length > 0 && this.#wasRecordedLately(now)) return isLeader()
    if (!isLeader()) return false
    await this.#record({ ...ended, added: this.#written.items }, now)
    return true
  }

  /** The state's time never goes back, though a clock may: grants are dated by the state's time. */
  #advance(): string {
    const now = this.#deps.clock.now()
    if (now > this.#loaded.advancedTo) this.#loaded.advancedTo = now
    this.#loaded.scheduler.advance(this.#loaded.advancedTo)
    return this.#loaded.advancedTo
  }

  /** An archive without episodes and clips has no research: it records nothing. */
  #isNews(stopped: Assessed['stopped']): boolean {
    const { episodes, clips } = this.#loaded.scheduler.size()
    return this.#written.items > 0 || (stopped !== this.#lastStop && episodes + clips > 0)
  }

  /** While items are taken as fast as they are granted, a later slice records: the events of the grants start it. */
  #wasRecordedLately(now: string): boolean {
    return this.#recordedAt !== '' && now < addMillis(this.#recordedAt, maxSilence)
  }

  async #record(assessed: Assessed, at: string): Promise<void> {
    const cause = uuid()
    const recorded = await this.#deps.note(capacityDecider, {
      stream: capacityStream,
      command: { type: 'Assess', actor, at, assessed },
      causationId: cause,
      correlationId: cause,
    })
    // If the stream was deleted, assessments are not recorded; leases are still granted.
    if (E.isLeft(recorded) && recorded.left.kind !== 'StreamDeleted')
      throw unavailable(recorded.left, capacityStream)
    this.#written.items = 0
    this.#lastStop = assessed.stopped
    this.#recordedAt = at
  }
}
