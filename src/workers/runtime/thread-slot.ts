import type { Worker } from 'node:worker_threads'

/** Messages to a thread. */
export type ToThread<Job> =
  | { readonly kind: 'job'; readonly job: Job }
  /** Ends the job under way. */
  | { readonly kind: 'abort' }
  /** For jobs that wait until what they told was used. */
  | { readonly kind: 'go-on' }

/** Messages from a thread: that it has loaded its modules, then those of its jobs. */
export type FromThread<Told> = { readonly kind: 'ready' } | Told

interface ThreadWatch<Told, Outcome> {
  readonly signal?: AbortSignal
  /** Each message shows progress; the one with the outcome is the last. `goOn` lets a job go on that waits for it. */
  readonly hear: (told: Told, goOn: () => void) => Outcome | undefined
}

/** One slot of a thread pool. The thread is started when first needed, and replaced when it dies or hangs. */
export interface ThreadSlot<Job, Told, Outcome> {
  /** One job at a time. Resolves whatever becomes of the thread. */
  run(job: Job, watch: ThreadWatch<Told, Outcome>): Promise<Outcome>
  close(): Promise<void>
}

interface ThreadSlotOptions<Outcome> {
  /** As errors call the thread: `hashing`. */
  readonly name: string
  readonly open: () => Worker
  /** A job without any message for so long is ended, and its thread replaced. */
  readonly stallMillis: number
  /** A sentence for that, and what to do. */
  readonly stalled: string
  /** What a job comes to whose thread died or hung. */
  readonly lost: (error: string) => Outcome
  /** What it comes to when the slot is closed. */
  readonly closed: Outcome
}

/** Time for a thread to load its modules. */
const startMillis = 30_000
/** Time for a thread to end: one that hangs in a system call never does. */
const endMillis = 1000

export const createThreadSlot = <Job, Told extends { readonly kind: string }, Outcome>(
  options: ThreadSlotOptions<Outcome>,
): ThreadSlot<Job, Told, Outcome> => {
  const { name, open, stallMillis, lost, closed } = options
  let thread: Worker | undefined
  let ready = false
  let underWay: { hear(message: FromThread<Told>): void; end(outcome: Outcome): void } | undefined

  const start = (): Worker => {
    const worker = open()
    const lose = (error: string) => {
      if (thread !== worker) return
      thread = undefined
      underWay?.end(lost(error))
    }
    worker.on('message', (message: FromThread<Told>) => {
      if (thread === worker) underWay?.hear(message)
    })
    worker.on('error', (error) => lose(`the ${name} thread broke: ${messageOf(error)}`))
    worker.on('exit', (code) => lose(`the ${name} thread ended by itself with code ${code}`))
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

  const run = (job: Job, { signal, hear }: ThreadWatch<Told, Outcome>): Promise<Outcome> =>
    new Promise((resolve) => {
      thread ??= start()
      const worker = thread
      const tell = (message: ToThread<Job>) => worker.postMessage(message)
      const abort = () => tell({ kind: 'abort' })
      const goOn = () => tell({ kind: 'go-on' })
      const stalled = () => {
        void drop()
        end(lost(ready ? options.stalled : notStarted(name)))
      }
      let timer = setTimeout(stalled, ready ? stallMillis : startMillis)
      const end = (outcome: Outcome) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        underWay = undefined
        resolve(outcome)
      }
      underWay = {
        end,
        hear: (message) => {
          if (isReady(message)) {
            ready = true
            clearTimeout(timer)
            timer = setTimeout(stalled, stallMillis)
            return
          }
          timer.refresh()
          const outcome = hear(message, goOn)
          if (outcome !== undefined) end(outcome)
        },
      }
      tell({ kind: 'job', job })
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
    })

  return {
    run,
    close: async () => {
      const dropped = drop()
      underWay?.end(closed)
      await dropped
    },
  }
}

const isReady = <Told extends { readonly kind: string }>(
  message: FromThread<Told>,
): message is { readonly kind: 'ready' } => message.kind === 'ready'

const notStarted = (name: string): string =>
  `the ${name} thread did not start within ${startMillis / 1000} s; the machine may be overloaded`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
