import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { KeepApart, Keeping, Until } from '../../processors/runtime/keep-lease.ts'
import type { Config } from '../config/settings.ts'
import {
  type FromLeaseThread,
  type LeaseThreadData,
  readUntil,
  shareUntil,
  type ToLeaseThread,
} from './messages.ts'

const threadModule = new URL('./thread.ts', import.meta.url)
/** What is waited for an extension under way when the lease is stopped: a server that hangs never answers. */
const endMillis = 5 * SECOND

interface KeepApartOptions {
  readonly config: Config
  readonly eventStoreModule: URL
  readonly clock: Clock
  readonly log: Logger
}

/**
 * A thread a lease, so that it is extended in time however busy this one is. It hears ten times within the lease's time
 * that this one goes on. Until it has started, and where it dies, the lease is kept here: both at once does no harm.
 */
export const keepApart =
  ({ config, eventStoreModule, clock, log }: KeepApartOptions): KeepApart =>
  (lease, reached, here) => {
    const shared = shareUntil(lease.until)
    const rejected = new AbortController()
    const stopping = new AbortController()
    const workerData: LeaseThreadData = {
      lease,
      reached: reached(),
      until: shared,
      config,
      eventStoreModule: eventStoreModule.href,
    }
    const worker = new Worker(threadModule, { workerData })
    const tell = (message: ToLeaseThread) => worker.postMessage(message)
    let ready = false
    let local: Keeping

    const until = () => later(local.until(), readUntil(shared))
    const keepHere = (until: Until) => {
      local = here({ ...lease, until })
      local.rejected.addEventListener('abort', () => rejected.abort())
    }
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        if (ready && !stopping.signal.aborted && !rejected.signal.aborted) keepHere(until())
        ready = false
        resolve()
      })
    })
    worker.on('message', (message: FromLeaseThread) => {
      if (message === 'rejected') return rejected.abort()
      ready = true
      void local.stop()
    })
    worker.on('error', (error) =>
      log.warn(
        { err: error, duty: lease.name },
        'the thread that keeps the lease broke; it is kept without one',
      ),
    )

    const beating = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        try {
          tell({ kind: 'beat', reached: reached() })
        } catch (error) {
          log.error({ err: error, duty: lease.name }, 'how far the work has come cannot be told')
        }
        await clock.sleep(lease.millis / 10, stopping.signal)
      }
    }

    const end = async (): Promise<void> => {
      stopping.abort()
      if (ready) {
        tell({ kind: 'stop' })
        const over = new AbortController()
        await Promise.race([ended, clock.sleep(endMillis, over.signal)])
        over.abort()
      }
      await Promise.all([worker.terminate(), local.stop()])
    }

    keepHere(lease.until)
    void beating()
    let ending: Promise<void> | undefined
    return {
      until,
      rejected: rejected.signal,
      stop: () => {
        ending ??= end()
        return ending
      },
    }
  }

const later = (one: Until, other: Until): Until => (one.monotonic > other.monotonic ? one : other)
