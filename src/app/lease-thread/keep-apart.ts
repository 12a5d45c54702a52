import type { Checkpoints } from '../../domain/kernel/leader-lease.ts'
import type { HeldLease, KeepApart, Keeping, Until } from '../../processors/runtime/keep-lease.ts'
import { type LeaseThread, type LeaseThreadOptions, startLeaseThread } from './start-thread.ts'

/**
 * Keeps each lease on a thread of its own, so that it is extended in time however busy this thread is. This thread sends
 * it a beat each tenth of the lease's time, the first after a quarter. Until the thread is ready, and after it has died, the lease is kept here. Both at
 * once do no harm. The thread starts with the first beat, in time before the first extension: a command that ends before needs none.
 */
export const keepApart =
  (options: LeaseThreadOptions): KeepApart =>
  (lease, reached, here) => {
    const rejected = new AbortController()
    const stopping = new AbortController()
    let local: Keeping
    const keepHere = (until: Until) => {
      local = here({ ...lease, until })
      local.rejected.addEventListener('abort', () => rejected.abort())
    }

    let thread: LeaseThread | undefined
    const start = (from: Checkpoints) =>
      startLeaseThread({ ...lease, until: until() }, from, options, {
        onReady: () => void local.stop(),
        onRejected: () => rejected.abort(),
        onEnd: () => {
          if (!stopping.signal.aborted && !rejected.signal.aborted) keepHere(until())
        },
      })
    const beat = () => {
      if (rejected.signal.aborted) return
      if (thread) thread.beat(reached())
      else thread = start(reached())
    }
    const until = () => (thread ? later(local.until(), thread.until()) : local.until())
    keepHere(lease.until)
    void beatUntil(stopping.signal, beat, lease, options)

    let ending: Promise<unknown> | undefined
    return {
      until,
      rejected: rejected.signal,
      stop: async () => {
        stopping.abort()
        ending ??= Promise.all([thread?.stop(), local.stop()])
        await ending
      },
    }
  }

const beatUntil = async (
  signal: AbortSignal,
  beat: () => void,
  { name, millis }: HeldLease,
  { clock, log }: LeaseThreadOptions,
): Promise<void> => {
  for (let wait = millis / 4; ; wait = millis / 10) {
    await clock.sleep(wait, signal)
    if (signal.aborted) return
    try {
      beat()
    } catch (error) {
      log.error(
        { err: error, duty: name },
        'cannot report progress to the lease thread; retrying at the next beat',
      )
    }
  }
}

const later = (one: Until, other: Until): Until => (one.monotonic > other.monotonic ? one : other)
