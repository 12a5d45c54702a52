import { aborted } from '../../async/aborted.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { category, type LeaderLease, type LockMark } from '../../domain/kernel/leader-lease.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'

interface VacancyOptions {
  readonly eventStore: Pick<EventStore, 'subscribe'>
  readonly processLock: Pick<ProcessLock, 'hasEnded'>
  readonly clock: Clock
  /** Stream of the lease. */
  readonly stream: string
  /** Milliseconds that a holder may be silent. */
  readonly millis: number
  readonly signal: AbortSignal
}

/** Interval of checks whether a holder's process on this machine has ended. */
const pollMillis = 1000

/**
 * Waits until the lease may be vacant: its deadline has passed, its holder was silent for another `silence` or has
 * ended, or an event was written after `position`.
 */
export const vacancy = async (
  { deadline, lock }: LeaderLease,
  position: bigint,
  silence: number,
  options: VacancyOptions,
): Promise<void> => {
  const { clock, millis } = options
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  // Spreads the waiting processes: all of them see the same deadline.
  const late = Math.min(millisBetween(clock.now(), deadline), silence) + (Math.random() * millis) / 20
  const heard = written(position, { ...options, signal })
  try {
    await Promise.race([
      heard,
      clock.sleep(late, signal),
      ...(lock ? [ended(lock, { ...options, signal })] : []),
    ])
  } finally {
    over.abort()
    await heard
  }
}

const ended = async (lock: LockMark, { processLock, clock, signal }: VacancyOptions): Promise<void> => {
  do await clock.sleep(pollMillis, signal)
  while (!signal.aborted && !processLock.hasEnded(lock))
}

/** Resolves when the lease's stream gets an event, or `signal` aborts: without the log the deadline alone counts. */
const written = async (position: bigint, { eventStore, stream, signal }: VacancyOptions): Promise<void> => {
  try {
    for await (const { events } of eventStore.subscribe(position, { categories: [category] }, signal))
      if (events.some((event) => event.stream === stream)) return
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    await aborted(signal)
  }
}
