import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { KeepApart, Keeping } from '../../processors/runtime/keep-lease.ts'
import type { Config } from '../settings.ts'
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

export interface KeepApartOptions {
  readonly config: Config
  readonly eventStoreModule: URL
  readonly clock: Clock
  readonly log: Logger
}

/**
 * A thread a lease, so that it is extended in time however busy this one is. It hears ten times within the lease's time
 * that this one goes on. Where it dies, the lease is kept here.
 */
export const keepApart =
  ({ config, eventStoreModule, clock, log }: KeepApartOptions): KeepApart =>
  (lease, reached, here) => {
    const until = shareUntil(lease.until)
    const refused = new AbortController()
    const stopping = new AbortController()
    let instead: Keeping | undefined
    const workerData: LeaseThreadData = {
      lease,
      reached: reached(),
      until,
      config,
      eventStoreModule: eventStoreModule.href,
    }
    const worker = new Worker(threadModule, { workerData })
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => resolve())
    }).then(() => {
      if (stopping.signal.aborted || refused.signal.aborted) return
      instead = here({ ...lease, until: readUntil(until) })
      instead.refused.addEventListener('abort', () => refused.abort())
    })
    let ready = false
    worker.on('message', (message: FromLeaseThread) => {
      if (message === 'ready') ready = true
      else refused.abort()
    })
    worker.on('error', (error) =>
      log.warn(
        { err: error, duty: lease.duty },
        'the thread that keeps the lease broke; it is kept without one',
      ),
    )
    const tell = (message: ToLeaseThread) => worker.postMessage(message)

    const beating = async (): Promise<void> => {
      while (!stopping.signal.aborted && !instead) {
        try {
          tell({ kind: 'beat', reached: reached() })
        } catch (error) {
          log.error({ err: error, duty: lease.duty }, 'how far the work has come cannot be told')
        }
        await clock.sleep(lease.millis / 10, stopping.signal)
      }
    }
    void beating()

    const end = async (): Promise<void> => {
      stopping.abort()
      if (ready) {
        tell({ kind: 'stop' })
        const over = new AbortController()
        await Promise.race([ended, clock.sleep(endMillis, over.signal)])
        over.abort()
      }
      await Promise.all([worker.terminate(), instead?.stop()])
    }
    let ending: Promise<void> | undefined
    return {
      until: () => instead?.until() ?? readUntil(until),
      refused: refused.signal,
      stop: () => {
        ending ??= end()
        return ending
      },
    }
  }
