import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { withTimeout } from '../../async/with-timeout.ts'
import type { Checkpoints } from '../../domain/kernel/leader-lease.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { HeldLease, Until } from '../../processors/runtime/keep-lease.ts'
import type { Config } from '../config/settings.ts'
import {
  type FromLeaseThread,
  type LeaseThreadData,
  readUntil,
  shareUntil,
  type ToLeaseThread,
} from './messages.ts'

const threadModule = new URL('./thread.ts', import.meta.url)
/** How long an extension under way may take when the lease is stopped: a server that hangs never answers. */
const endMillis = 5 * SECOND

export interface LeaseThreadOptions {
  readonly config: Config
  readonly eventStoreModule: URL
  readonly clock: Clock
  readonly log: Logger
}

interface LeaseThreadListeners {
  /** It has opened the log, and keeps the lease from now on. */
  onReady(): void
  /** An extension was rejected. */
  onRejected(): void
  /** It kept the lease, and does so no more. */
  onEnd(): void
}

/** A thread that keeps a lease, as the working thread sees it. */
export interface LeaseThread {
  until(): Until
  /** Says that the work goes on. Throws where the thread cannot be sent `reached`. */
  beat(reached: Checkpoints): void
  stop(): Promise<void>
}

export const startLeaseThread = (
  lease: HeldLease,
  reached: Checkpoints,
  { config, eventStoreModule, clock, log }: LeaseThreadOptions,
  { onReady, onRejected, onEnd }: LeaseThreadListeners,
): LeaseThread => {
  const until = shareUntil(lease.until)
  const workerData: LeaseThreadData = {
    lease,
    reached,
    until,
    config,
    eventStoreModule: eventStoreModule.href,
  }
  const worker = new Worker(threadModule, { workerData })
  const send = (message: ToLeaseThread) => worker.postMessage(message)
  let isReady = false

  worker.on('message', (message: FromLeaseThread) => {
    if (message === 'rejected') return onRejected()
    isReady = true
    onReady()
  })
  worker.on('error', (error) =>
    log.warn(
      { err: error, duty: lease.name },
      'the lease thread failed; extending the lease in the main thread',
    ),
  )
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  worker.once('exit', () => {
    if (isReady) onEnd()
    isReady = false
    resolve()
  })

  return {
    until: () => readUntil(until),
    beat: (reached) => send({ kind: 'beat', reached }),
    stop: async () => {
      if (isReady) {
        send({ kind: 'stop' })
        await withTimeout(ended, endMillis, () => undefined, clock)
      }
      await worker.terminate()
    },
  }
}
