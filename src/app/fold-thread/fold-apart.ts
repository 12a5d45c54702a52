import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { FoldApart, Folding, ToFold } from '../../projections/runtime/fold-all.ts'
import type { FoldedBatch, ProjectionPosition } from '../../projections/runtime/run-projection.ts'
import { createLoad } from './load.ts'
import type { FoldReport } from './messages.ts'
import { type FoldThread, type FoldThreadOptions, startFoldThread } from './start-thread.ts'
import { releaseTurn } from './write-turns.ts'

/** Conditions for a thread of its own that folds. */
export interface FoldLimits {
  /** Cores of this machine; with one there is no thread. */
  readonly cores?: number
  /**
   * Milliseconds of processor time that folding took in the last five seconds, about, from which on a thread folds. If
   * other work takes the cores they are never reached: a thread would gain nothing. Work of a few seconds is over
   * before a thread's code is compiled: it would take longer with one.
   */
  readonly busyMillis?: number
}

interface FoldApartOptions extends FoldThreadOptions, FoldLimits {
  /** Calls back when the log has grown. Returns a function that stops this. */
  readonly onLogChange: (listener: () => void) => () => void
  readonly telemetry: Pick<Telemetry, 'gauge'>
  readonly log: Logger
}

/** Below this a thread has nothing to do, if it lasts. */
const idleMillis = 50
const idlePollMillis = MINUTE
/** Pause after a thread has failed. */
const restMillis = 10 * MINUTE

/**
 * Folds in a thread of its own while there is much to fold and a second core is available: views are then folded while
 * messages are handled. This thread folds until the other is ready, after it has failed, and when there is little to
 * fold again. No two fold at once, though that would do no harm.
 */
export const createFoldApart = (options: FoldApartOptions): FoldApart => {
  const { cores = availableParallelism() } = options
  return cores < 2 ? (toFold, here) => here(toFold) : (toFold, here) => foldApart(toFold, here, options)
}

const foldApart = (toFold: ToFold, here: (toFold: ToFold) => Folding, options: FoldApartOptions): Folding => {
  const apart = new FoldingApart(toFold, here, options)
  apart.foldHere()
  return { stop: () => apart.stop() }
}

/** Either `#local` folds in this thread, or `#thread` does in its own; during a handover neither does. */
class FoldingApart {
  readonly #toFold: ToFold
  readonly #here: (toFold: ToFold) => Folding
  readonly #options: FoldApartOptions
  readonly #progressOf: ReadonlyMap<string, ProjectionPosition>
  readonly #load: ReturnType<typeof createLoad>
  readonly #stopping = new AbortController()
  #local: Folding | undefined
  #thread: FoldThread | undefined
  #handingOver: Promise<void> | undefined
  #mayStartAt = Number.NEGATIVE_INFINITY

  constructor(toFold: ToFold, here: (toFold: ToFold) => Folding, options: FoldApartOptions) {
    this.#toFold = toFold
    this.#here = here
    this.#options = options
    this.#progressOf = new Map(toFold.running.map(({ projection, progress }) => [projection.name, progress]))
    this.#load = createLoad(options.clock)
  }

  foldHere(): void {
    const { telemetry, clock, busyMillis = 1500 } = this.#options
    telemetry.gauge('fold_thread', {}, 0)
    this.#local = this.#here({
      ...this.#toFold,
      observe: (batch) => {
        this.#observe(batch)
        if (!this.#thread && this.#load.millis() >= busyMillis && clock.monotonic() >= this.#mayStartAt)
          this.#thread = this.#startThread()
      },
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([this.#thread?.stop(), this.#handingOver, this.#local?.stop()])
  }

  #observe(batch: FoldedBatch): void {
    this.#toFold.observe(batch)
    this.#load.add(batch.millis)
  }

  #startThread(): FoldThread {
    const { onLogChange, log } = this.#options
    let isIdle = false
    const unlisten = onLogChange(() => started.nudge())
    const started = startFoldThread([...this.#progressOf.keys()], this.#options, {
      onReady: () => {
        this.#handingOver = this.#handOver(started, () => {
          isIdle = true
        })
      },
      onReport: (report) => {
        try {
          this.#take(report)
        } catch (error) {
          log.error({ err: error }, 'the folding thread sent an invalid report; stopping it')
          void started.stop()
        }
      },
      onEnd: (error) => {
        unlisten()
        this.#threadEnded(isIdle, error)
      },
    })
    return started
  }

  #take({ batches, steps }: FoldReport): void {
    for (const batch of batches) this.#observe(batch)
    for (const { projection, progress, hasNews } of steps) {
      Object.assign(this.#progressOf.get(projection) ?? {}, progress)
      if (hasNews !== undefined) this.#toFold.onStep({ projection, hasNews })
    }
  }

  async #handOver(to: FoldThread, onIdle: () => void): Promise<void> {
    const { telemetry, log } = this.#options
    const before = this.#local
    this.#local = undefined
    await before?.stop()
    if (!this.#isFolding(to)) return
    to.begin()
    telemetry.gauge('fold_thread', {}, 1)
    log.info('many events to fold; folding in a thread of its own')
    void this.#stopWhenIdle(to, onIdle)
  }

  async #stopWhenIdle(one: FoldThread, onIdle: () => void): Promise<void> {
    const { clock } = this.#options
    while (this.#isFolding(one)) {
      await clock.sleep(idlePollMillis, this.#stopping.signal)
      if (!this.#isFolding(one) || this.#load.millis() >= idleMillis) continue
      onIdle()
      return one.stop()
    }
  }

  #isFolding(thread: FoldThread): boolean {
    return this.#thread === thread && !this.#stopping.signal.aborted
  }

  #threadEnded(isIdle: boolean, error: unknown): void {
    const { turns, clock, log } = this.#options
    releaseTurn(turns)
    this.#thread = undefined
    if (!isIdle) this.#mayStartAt = clock.monotonic() + restMillis
    if (this.#stopping.signal.aborted) return
    if (isIdle) log.info('few events to fold; folding in the main thread again')
    else log.warn({ err: error }, 'the folding thread ended; folding in the main thread')
    void this.#foldHereAgain()
  }

  async #foldHereAgain(): Promise<void> {
    await this.#handingOver
    if (!this.#local && !this.#stopping.signal.aborted) this.foldHere()
  }
}
