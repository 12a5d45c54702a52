import { Worker } from 'node:worker_threads'
import type { Finding, SearchFailure } from '../searcher.ts'
import type { FromThread, SearchJob, ToThread } from './search-messages.ts'

/** One place in the pool: a thread that is started when first needed and replaced when it dies or hangs. */
export interface SearchSlot {
  /** One job at a time. Resolves whatever becomes of the thread. */
  run(job: SearchJob, watch: SearchWatch): Promise<SearchEnd>
  close(): Promise<void>
}

export interface SearchWatch {
  readonly signal: AbortSignal
  readonly onProgress: () => void
  readonly onFound: (outcome: Finding | SearchFailure) => void
}

/** `lost`: the thread died or hung over it, and another may do better. `failed`: it was said what is wrong. */
export interface SearchEnd {
  readonly status: 'done' | 'failed' | 'lost'
  readonly error: string
}

export interface SlotSettings {
  readonly threadModule: URL
  /** A search that shows no progress for so long is ended, and its thread replaced. */
  readonly stallMillis: number
}

/** What is waited for a thread to load its modules. */
const startMillis = 30_000

export const searchSlot = ({ threadModule, stallMillis }: SlotSettings): SearchSlot => {
  let thread: Worker | undefined
  let ready = false
  let underWay: { hear(message: FromThread): void; end(end: SearchEnd): void } | undefined

  const start = (): Worker => {
    const worker = new Worker(threadModule)
    const lost = (error: string) => {
      if (thread !== worker) return
      thread = undefined
      underWay?.end({ status: 'lost', error })
    }
    worker.on('message', (message: FromThread) => {
      if (thread === worker) underWay?.hear(message)
    })
    worker.on('error', (error) => lost(`the searching thread broke: ${messageOf(error)}`))
    worker.on('exit', (code) => lost(`the searching thread ended by itself with code ${code}`))
    ready = false
    return worker
  }

  /** Forgets the thread first, so that nothing it still says is heard. */
  const drop = async (): Promise<void> => {
    const worker = thread
    thread = undefined
    await worker?.terminate()
  }

  const run = (job: SearchJob, { signal, onProgress, onFound }: SearchWatch): Promise<SearchEnd> =>
    new Promise((resolve) => {
      thread ??= start()
      const worker = thread
      const tell = (message: ToThread) => worker.postMessage(message)
      const abort = () => tell({ kind: 'abort' })
      const stalled = () => {
        void drop()
        const error = ready ? noProgress(stallMillis) : notStarted
        end({ status: 'lost', error })
      }
      let timer = setTimeout(stalled, ready ? stallMillis : startMillis)
      const end = (how: SearchEnd) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        underWay = undefined
        resolve(how)
      }
      const hear = (message: FromThread) => {
        if (message.kind === 'done')
          return end({ status: message.error === undefined ? 'done' : 'failed', error: message.error ?? '' })
        if (message.kind === 'ready') {
          ready = true
          clearTimeout(timer)
          timer = setTimeout(stalled, stallMillis)
        } else {
          timer.refresh()
          if (message.kind === 'found') onFound(message.outcome)
        }
        onProgress()
      }
      underWay = { hear, end }
      tell({ kind: 'search', job })
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
    })

  return {
    run,
    close: async () => {
      const closed = drop()
      underWay?.end({ status: 'failed', error: 'the searcher was closed' })
      await closed
    },
  }
}

const noProgress = (millis: number): string =>
  `no progress for ${millis / 1000} s; the storage hangs or the machine is overloaded, look at it and search again`

const notStarted = `the searching thread did not start within ${startMillis / 1000} s; the machine may be overloaded`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
