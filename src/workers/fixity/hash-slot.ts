import { Worker } from 'node:worker_threads'
import type { FromThread, HashJob, HashOutcome, ThreadSettings, ToThread } from './hash-messages.ts'

/** One place in the pool: a thread that is started when first needed and replaced when it dies or hangs. */
export interface HashSlot {
  /** One job at a time. Resolves whatever becomes of the thread. */
  run(job: HashJob, watch: HashWatch): Promise<HashOutcome>
  close(): Promise<void>
}

export interface HashWatch {
  readonly signal?: AbortSignal
  /** Bytes of the present reading so far; at most every 100 ms or 16 MiB. None while it waits and others are read. */
  readonly onProgress?: (bytes: number) => void
}

/** What is waited for a thread to load its modules. */
const startMillis = 30_000
/** What is waited for a thread to end: one that hangs in a system call never does. */
const endMillis = 1000

const threadModule = new URL('./hash-thread.ts', import.meta.url)

export const hashSlot = (settings: ThreadSettings, stallMillis: number): HashSlot => {
  let thread: Worker | undefined
  let ready = false
  let underWay: { hear(message: FromThread): void; end(outcome: HashOutcome): void } | undefined

  const start = (): Worker => {
    const worker = new Worker(threadModule, { workerData: settings })
    const lost = (why: string) => {
      if (thread !== worker) return
      thread = undefined
      underWay?.end({ status: 'failed', error: why })
    }
    worker.on('message', (message: FromThread) => {
      if (thread === worker) underWay?.hear(message)
    })
    worker.on('error', (error) => lost(`the hashing thread broke: ${messageOf(error)}`))
    worker.on('exit', (code) => lost(`the hashing thread ended by itself with code ${code}`))
    ready = false
    return worker
  }

  /** Forgets the thread first, so that nothing it still says is heard. */
  const drop = async (): Promise<void> => {
    const worker = thread
    thread = undefined
    if (!worker) return
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, endMillis)
    })
    await Promise.race([worker.terminate(), patience])
    clearTimeout(timer)
  }

  const run = (job: HashJob, { signal, onProgress }: HashWatch): Promise<HashOutcome> =>
    new Promise((resolve) => {
      thread ??= start()
      const worker = thread
      const tell = (message: ToThread) => worker.postMessage(message)
      const abort = () => tell({ kind: 'abort' })
      const stalled = () => {
        void drop()
        end({ status: 'failed', error: ready ? noBytes(stallMillis) : notStarted })
      }
      let timer = setTimeout(stalled, ready ? stallMillis : startMillis)
      const end = (outcome: HashOutcome) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        underWay = undefined
        resolve(outcome)
      }
      const hear = (message: FromThread) => {
        if (message.kind === 'done') return end(message.outcome)
        if (message.kind === 'progress') {
          timer.refresh()
          return onProgress?.(message.bytes)
        }
        ready = true
        clearTimeout(timer)
        timer = setTimeout(stalled, stallMillis)
      }
      underWay = { hear, end }
      tell({ kind: 'hash', job })
      signal?.addEventListener('abort', abort, { once: true })
    })

  return {
    run,
    close: async () => {
      const closed = drop()
      underWay?.end({ status: 'aborted' })
      await closed
    },
  }
}

const noBytes = (millis: number): string =>
  `no bytes for ${millis / 1000} s; the storage hangs or is too slow, look at it and check again`

const notStarted = `the hashing thread did not start within ${startMillis / 1000} s; the machine may be overloaded`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
