import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import {
  category,
  type DutyCommand,
  type DutyEvent,
  type DutyLease,
  type DutyState,
  type LockMark,
  type Positions,
  type Reached,
} from '../../domain/kernel/duty.ts'
import { isActive } from '../../domain/kernel/lease.ts'
import { millisBetween, SECOND } from '../../domain/kernel/time.ts'
import { aborted } from '../../ports/aborted.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'
import { openDutyStream } from './duty-stream.ts'
import type { Execute } from './execute.ts'
import { finishAll } from './finish-all.ts'
import { type HeldLease, type KeepApart, keepLease, timeLeft, type Until, wordNow } from './keep-lease.ts'
import { stillReached } from './still-reached.ts'
import type { StreamState, StreamStates } from './stream-states.ts'

/** A role that one process at a time has. */
export interface Duty {
  readonly name: string
  /** How far the work has come, here. Recorded with the duty, so that another machine goes on from there. */
  readonly reached: () => Reached
  /** Runs until `mandate.signal` aborts, and resolves when what was under way is finished. */
  readonly work: (mandate: Mandate) => Promise<void>
}

/** The right to do the work. */
export interface Mandate {
  readonly fence: number
  /** How far others came before. */
  readonly positions: Positions
  /** Aborts when the work is to stop: the duty was lost, or is to be given up. */
  readonly signal: AbortSignal
  /**
   * Looked at before each piece of work. Told by the clocks, not by a timer: a process that slept past its time sees on
   * waking that others may be at work, before any of its timers has run.
   */
  valid(): boolean
}

export interface DutyDependencies {
  /** Names this process: no other one ever has the same name. */
  readonly holder: string
  /** How long the holder may be silent before another takes over. */
  readonly seconds: number
  readonly eventStore: EventStore
  readonly execute: Execute
  readonly states: StreamStates
  readonly processLock: Pick<ProcessLock, 'mark' | 'hasEnded'>
  /** Absent: leases are extended on this thread. */
  readonly keepApart?: KeepApart
  readonly clock: Clock
  readonly log: Logger
}

export interface RunningDuty {
  readonly name: string
  /** Finishes what is under way and gives the duty back, so that another takes over at once. */
  stop(): Promise<void>
  /** For a process that ends abruptly: gives the duty back at once, and finishes nothing. */
  abandon(): Promise<void>
}

/** Events that stay in the stream: for people who look who had it lately. */
const keptEvents = 20
const firstPause = 100
const longestPause = 10_000
/** How often to look whether a holder's process on this machine has ended. */
const endedMillis = 1000

/** Why a lease that is active may be taken. */
type Gone = Pick<Extract<DutyCommand, { type: 'Take' }>, 'silence' | 'endedHolder'>

/**
 * Has the duty whenever it can: takes it, extends it at a third of its time, gives it back in the end; while another has
 * it, waits until that leaves, ends or falls silent: its deadline has passed, or for as long as its last word counts no
 * other came, by the own monotonic clock. A deadline alone could be of a clock that ran days ahead. The log being away
 * only delays that.
 *
 * Clocks of machines differ, so for a moment two may think that they have it. The work must bear that: commands are
 * harmless twice by their causes and by expected revisions, and consumers drop positions that they have seen.
 */
export const runDuty = (duty: Duty, deps: DutyDependencies): RunningDuty => {
  const { name } = duty
  const { holder, eventStore, processLock, keepApart, clock, log } = deps
  const stream = openDutyStream(name, deps)
  const millis = deps.seconds * SECOND
  const stopping = new AbortController()
  /** The fence of the mandate, while there is one. */
  let held: number | undefined
  const running = loop()

  async function loop(): Promise<void> {
    let pause = firstPause
    let watched = { revision: -1n, since: clock.monotonic() }
    while (!stopping.signal.aborted) {
      try {
        const found = await stream.look()
        if (stopping.signal.aborted) return
        if (found.revision !== watched.revision)
          watched = { revision: found.revision, since: clock.monotonic() }
        const { lease } = found.state
        if (!isActive(lease, clock.now()) || lease.holder === holder) await takeAndHold(found)
        else if (lease.lock && processLock.hasEnded(lease.lock))
          await takeAndHold(found, { endedHolder: lease.holder })
        else {
          const silent = clock.monotonic() - watched.since
          const mayBe = lease.millis ?? millis
          if (silent < mayBe) await vacancy(found, lease, mayBe - silent)
          else await takeAndHold(found, { silence: { ...lease, millis: silent } })
        }
        pause = firstPause
      } catch (error) {
        if (stopping.signal.aborted && error instanceof Away) return
        // The log being away is told once.
        const level = !(error instanceof Away) ? 'error' : pause > firstPause ? 'debug' : 'warn'
        log[level]({ err: error, duty: name }, 'a duty could not be seen to, and will be tried again')
        await clock.sleep(jittered(pause), stopping.signal)
        pause = Math.min(pause * 2, longestPause)
      }
    }
  }

  /** A silent holder may wake just now: its word then stands before ours, and ours is none. */
  async function takeAndHold(
    { revision, position, state }: StreamState<DutyState>,
    gone?: Gone,
  ): Promise<void> {
    if (revision < 0n) {
      const kept = await eventStore.keepLatest(stream.name, keptEvents)()
      if (isLeft(kept)) throw new Away(kept.left.reason)
    }
    const reached = await stillReached(eventStore, state, position)
    const { until, ...word } = wordNow(clock, millis)
    const taken = await stream.tell(
      { type: 'Take', actor: holder, holder, lock: processLock.mark(), reached, ...gone, ...word },
      gone && revision,
    )
    if (taken) await hold(taken.data, until)
  }

  /** Until it may be had: its deadline has passed, its holder was silent for `silence` more or ended, or something was said. */
  async function vacancy(
    { position }: StreamState<DutyState>,
    { deadline, lock }: DutyLease,
    silence: number,
  ): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([stopping.signal, over.signal])
    // All who wait see the same deadline.
    const late = Math.min(millisBetween(clock.now(), deadline), silence) + (Math.random() * millis) / 20
    const heard = hears(position, signal)
    try {
      await Promise.race([heard, clock.sleep(late, signal), ...(lock ? [ended(lock, signal)] : [])])
    } finally {
      over.abort()
      await heard
    }
  }

  async function ended(lock: LockMark, signal: AbortSignal): Promise<void> {
    do await clock.sleep(endedMillis, signal)
    while (!signal.aborted && !processLock.hasEnded(lock))
  }

  /** Resolves when something is said about the duty; where that cannot be heard, the deadline tells. */
  async function hears(position: bigint, signal: AbortSignal): Promise<void> {
    try {
      for await (const { events } of eventStore.subscribe(position, { categories: [category] }, signal))
        if (events.some((event) => event.stream === stream.name)) return
    } catch (error) {
      if (!(error instanceof Away)) throw error
      await aborted(signal)
    }
  }

  async function hold({ fence, positions }: DutyEvent['data'], until: Until): Promise<void> {
    const lost = new AbortController()
    const done = new AbortController()
    const over = AbortSignal.any([lost.signal, done.signal])
    const signal = AbortSignal.any([lost.signal, stopping.signal])
    held = fence
    log.info({ duty: name, fence }, 'has the duty')

    const here = (lease: HeldLease) => keepLease(lease, reachedNow, { stream, clock, log })
    const lease = { duty: name, holder, fence, millis, until }
    const keeping = keepApart ? keepApart(lease, reachedNow, here) : here(lease)
    const watchTheClock = async (): Promise<void> => {
      while (!over.aborted && valid()) await clock.sleep(timeLeft(keeping.until(), clock), over)
    }
    /** Once no means no for ever, even when an extension comes through after all: whoever was told has stopped for good. */
    const valid = (): boolean => {
      if (!signal.aborted && timeLeft(keeping.until(), clock) <= 0) lose('it could not be extended in time')
      return !signal.aborted
    }
    const lose = (reason: string) => {
      if (lost.signal.aborted) return
      lost.abort()
      void keeping.stop()
      log.warn({ duty: name, fence }, `the duty was lost: ${reason}`)
    }
    keeping.refused.addEventListener('abort', () => lose('another may have taken it'))

    const watching = watchTheClock()
    try {
      await duty.work({ fence, positions, signal, valid })
    } finally {
      done.abort()
      held = undefined
      await finishAll([watching, keeping.stop()])
      await leave(fence)
    }
  }

  /** Where it fails, others wait until the deadline. */
  async function leave(fence: number): Promise<void> {
    try {
      await stream.tell({ type: 'Leave', actor: holder, at: clock.now(), fence, ...reachedNow() })
    } catch (error) {
      if (!(error instanceof Away)) throw error
      log.debug({ err: error, duty: name }, 'the duty could not be given back')
    }
  }

  /** None while the views that hold them are away: the duty keeps what it knows. */
  function reachedNow(): Reached {
    try {
      return duty.reached()
    } catch (error) {
      if (error instanceof Away) return { positions: {} }
      throw error
    }
  }

  return {
    name,
    stop: async () => {
      stopping.abort()
      await running
    },
    abandon: async () => {
      stopping.abort()
      if (held !== undefined) await leave(held)
    },
  }
}

const jittered = (millis: number): number => millis * (0.5 + Math.random())
