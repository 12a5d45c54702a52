import type { Checkpoints } from '../../domain/kernel/leader-lease.ts'
import type { HeldLease, Until } from '../../processors/runtime/keep-lease.ts'
import type { Config } from '../config/settings.ts'

/** The `workerData` of a lease thread. */
export interface LeaseThreadData {
  readonly lease: HeldLease
  readonly reached: Checkpoints
  readonly until: SharedUntil
  readonly config: Config
  /** A module whose default export opens the log: `(config, log) => Promise<EventStore>`. */
  readonly eventStoreModule: string
}

/** `beat`: the work goes on, and has come this far. `stop`: once, in the end. */
export type ToLeaseThread =
  | { readonly kind: 'beat'; readonly reached: Checkpoints }
  | { readonly kind: 'stop' }

/** `ready`: it has opened the log and keeps the lease. `rejected`: an extension was. */
export type FromLeaseThread = 'ready' | 'rejected'

/**
 * When the right to work ends, in memory that both threads share: a busy thread reads no messages, but has to know the
 * latest value. Microseconds of the monotonic clock, then milliseconds since 1970.
 */
type SharedUntil = BigInt64Array<SharedArrayBuffer>

export const shareUntil = (until: Until): SharedUntil => {
  const shared = new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT))
  writeUntil(shared, until)
  return shared
}

export const writeUntil = (shared: SharedUntil, { monotonic, time }: Until): void => {
  Atomics.store(shared, 0, BigInt(Math.round(monotonic * 1000)))
  Atomics.store(shared, 1, BigInt(Date.parse(time)))
}

export const readUntil = (shared: SharedUntil): Until => ({
  monotonic: Number(Atomics.load(shared, 0)) / 1000,
  time: new Date(Number(Atomics.load(shared, 1))).toISOString(),
})
