import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { FoldApart, Folding, ToFold } from '../../projections/runtime/fold-all.ts'
import type { FoldedBatch } from '../../projections/runtime/run-projection.ts'
import { createLoad } from './load.ts'
import type { FoldReport } from './messages.ts'
import { type FoldThread, type FoldThreadOptions, startFoldThread } from './start-thread.ts'
import { releaseTurn } from './turns.ts'

/** When a thread of its own folds. */
export interface FoldLimits {
  /** Of this machine; with one there is no thread. */
  readonly cores?: number
  /**
   * Milliseconds of the processor that folding took in the last five seconds, about, from which on a thread folds. Where other work
   * takes the cores they are never reached: a thread would gain nothing. Work of a few seconds is over before a thread's code is
   * compiled: it would take longer with one.
   */
  readonly busyMillis?: number
}

interface FoldApartOptions extends FoldThreadOptions, FoldLimits {
  /** Calls back when the log has grown; returns the way to stop that. */
  readonly onLogChange: (listener: () => void) => () => void
  readonly telemetry: Pick<Telemetry, 'gauge'>
  readonly log: Logger
}

/** Below that a thread has nothing to do, if it lasts. */
const idleMillis = 50
const idleLookMillis = MINUTE
/** After a thread has broken. */
const restMillis = 10 * MINUTE

/**
 * Folds in a thread of its own while there is much to fold and a second core is there: views are then folded while messages are
 * handled. Until the thread is ready, after it has broken, and when there is little to fold again, this thread folds. No two fold
 * at once, though that would do no harm.
 */
export const createFoldApart = (options: FoldApartOptions): FoldApart => {
  const { cores = availableParallelism() } = options
  return cores < 2 ? (toFold, here) => here(toFold) : (toFold, here) => foldApart(toFold, here, options)
}

const foldApart = (toFold: ToFold, here: (toFold: ToFold) => Folding, options: FoldApartOptions): Folding => {
  const { clock, log, telemetry, turns, onLogChange, busyMillis = 1500 } = options
  const load = createLoad(clock)
  const stopping = new AbortController()
  const { signal } = stopping
  const names = toFold.running.map(({ projection }) => projection.name)
  const progressOf = new Map(toFold.running.map(({ projection, progress }) => [projection.name, progress]))
  let local: Folding | undefined
  let thread: FoldThread | undefined
  let handingOver: Promise<void> | undefined
  let mayStartAt = Number.NEGATIVE_INFINITY

  const observe = (batch: FoldedBatch): void => {
    toFold.observe(batch)
    load.add(batch.millis)
  }

  const foldHere = (): void => {
    telemetry.gauge('fold_thread', {}, 0)
    local = here({
      ...toFold,
      observe: (batch) => {
        observe(batch)
        if (!thread && load.millis() >= busyMillis && clock.monotonic() >= mayStartAt) thread = start()
      },
    })
  }

  const take = ({ batches, steps }: FoldReport): void => {
    for (const batch of batches) observe(batch)
    for (const { projection, progress, hasNews } of steps) {
      Object.assign(progressOf.get(projection) ?? {}, progress)
      if (hasNews !== undefined) toFold.onStep({ projection, hasNews })
    }
  }

  const start = (): FoldThread => {
    let isIdle = false
    const unlisten = onLogChange(() => started.nudge())
    const started = startFoldThread(names, options, {
      onReady: () => {
        handingOver = handOver(started, () => {
          isIdle = true
        })
      },
      onReport: (report) => {
        try {
          take(report)
        } catch (error) {
          log.error({ err: error }, 'what the thread that folds reports cannot be used')
          void started.stop()
        }
      },
      onEnd: (error) => {
        unlisten()
        releaseTurn(turns)
        thread = undefined
        if (!isIdle) mayStartAt = clock.monotonic() + restMillis
        if (signal.aborted) return
        if (isIdle) log.info('there is little to fold: the main thread folds again')
        else log.warn({ err: error }, 'the thread that folds has ended: the main thread folds')
        void foldHereAgain()
      },
    })
    return started
  }

  const handOver = async (to: FoldThread, onIdle: () => void): Promise<void> => {
    const before = local
    local = undefined
    await before?.stop()
    if (thread !== to || signal.aborted) return
    to.begin()
    telemetry.gauge('fold_thread', {}, 1)
    log.info('there is much to fold: a thread of its own folds')
    void stopWhenIdle(to, onIdle)
  }

  const foldHereAgain = async (): Promise<void> => {
    await handingOver
    if (!local && !signal.aborted) foldHere()
  }

  const stopWhenIdle = async (one: FoldThread, onIdle: () => void): Promise<void> => {
    while (thread === one && !signal.aborted) {
      await clock.sleep(idleLookMillis, signal)
      if (thread !== one || signal.aborted || load.millis() >= idleMillis) continue
      onIdle()
      return one.stop()
    }
  }

  foldHere()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([thread?.stop(), handingOver, local?.stop()])
    },
  }
}
