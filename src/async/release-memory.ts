import { performance } from 'node:perf_hooks'
import { SECOND } from '../domain/kernel/time.ts'
import type { Clock } from '../ports/clock.ts'
import { systemClock } from './system-clock.ts'

interface ReleaseDependencies {
  readonly clock: Clock
  /** Share of the time since the last call in which the event loop of this thread was busy, from 0 to 1. */
  readonly busyShare: () => number
  readonly release: () => void
}

const intervalMillis = SECOND
/** A process with nothing to do looks for work now and then, and is below this share. */
const maxIdleShare = 0.2
/** Times in a row that the thread is found idle before memory is released. */
const minIdleTimes = 2
/** A release takes 50 to 500 ms of an idle thread: at most one in this time. */
const restMillis = 30 * SECOND

/**
 * Releases memory whenever a busy time is over, for example the start: V8 keeps the pages that its nursery grew to and
 * the garbage of its old space until new work fills them. Resolves when `signal` aborts.
 */
export const releaseMemoryWhenIdle = async (
  signal: AbortSignal,
  { clock, busyShare, release }: ReleaseDependencies = thisThread(),
): Promise<void> => {
  let wasBusy = true
  let idle = 0
  let nextAt = clock.monotonic()
  busyShare()
  while (!signal.aborted) {
    await clock.sleep(intervalMillis, signal)
    if (signal.aborted) return
    if (busyShare() > maxIdleShare) {
      wasBusy = true
      idle = 0
    } else idle++
    if (!wasBusy || idle < minIdleTimes || clock.monotonic() < nextAt) continue
    release()
    wasBusy = false
    nextAt = clock.monotonic() + restMillis
  }
}

const thisThread = (): ReleaseDependencies => {
  let before = performance.eventLoopUtilization()
  return {
    clock: systemClock,
    busyShare: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
    release: collectAll,
  }
}

/** Absent unless Node has `--expose-gc`, which bin/fonds gives. */
const collectAll = (): void => globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' })
