import type { Checkpoints } from '../../domain/kernel/leader-lease.ts'
import type { HeldLease, Until } from '../../processors/runtime/keep-lease.ts'
import type { Config } from '../config/settings.ts'

/** What a thread that keeps a lease is started with. */
export interface LeaseThreadData {
  readonly lease: HeldLease
  readonly reached: Checkpoints
  readonly until: SharedUntil
  readonly config: Config
  /** A module whose default export opens the log: `(config, log) => Promise<EventStore>`. */
  readonly eventStoreModule: string
}

/** What it is told: that the work goes on, and how far it has come; then, once, to stop. */
export type ToLeaseThread =
  | { readonly kind: 'beat'; readonly reached: Checkpoints }
  | { readonly kind: 'stop' }

/** What it says: that it has opened the log and is at it; that an extension was rejected. */
export type FromLeaseThread = 'ready' | 'rejected'

/**
 * When the right to work ends, in memory that both threads see: the busy one is to know at once when it looks, before it
 * reads any message. Microseconds of the monotonic clock, then milliseconds since 1970.
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
