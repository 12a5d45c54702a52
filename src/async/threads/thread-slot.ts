import type { Worker } from 'node:worker_threads'
import { errorMessage } from '../errors.ts'
import { withTimeout } from '../with-timeout.ts'

/** Messages to a thread. */
export type ToThread<Job> =
  | { readonly kind: 'job'; readonly job: Job }
  /** Ends the job under way. */
  | { readonly kind: 'abort' }
  /** Resumes a job that waits until its last message was used. */
  | { readonly kind: 'go-on' }

/** Messages from a thread: that it has loaded its modules, then those of its jobs. */
export type FromThread<Reply> = { readonly kind: 'ready' } | Reply

interface ThreadWatch<Reply, Outcome> {
  readonly signal?: AbortSignal
  /**
   * Receives messages: each shows progress, and the one with the outcome is the last. `goOn` resumes a job that waits
   * for it.
   */
  readonly hear: (reply: Reply, goOn: () => void) => Outcome | undefined
  /** True for a message after which the job waits for `goOn`: it cannot stall until then. Default: for none. */
  readonly waitsAfter?: (reply: Reply) => boolean
}

/** One slot of a thread pool. The thread is started on first use, and replaced when it dies or hangs. */
export interface ThreadSlot<Job, Reply, Outcome> {
  /** Starts the thread now, if it does not run. */
  start(): void
  /** The thread runs, or loads its modules. */
  isStarted(): boolean
  /** Runs one job at a time. Resolves whatever happens to the thread. */
  run(job: Job, watch: ThreadWatch<Reply, Outcome>): Promise<Outcome>
  close(): Promise<void>
}

interface ThreadSlotOptions<Outcome> {
  /** Name of the thread in errors: `hashing`. */
  readonly name: string
  readonly open: () => Worker
  /** A job without a message for this long is ended, and its thread replaced. Undefined: its caller ends it. */
  readonly stallMillis?: number
  /** The error of such a job: what is wrong and what to do. */
  readonly stalled?: string
  /** The outcome of a job whose thread died or hung. */
  readonly lost: (error: string) => Outcome
  /** The outcome of the job under way when the slot is closed. */
  readonly closed: Outcome
}

/** Time for a thread to load its modules. */
const startMillis = 30_000
/** Time for a thread to end: one that hangs in a system call never does. */
const endMillis = 1000

export const createThreadSlot = <Job, Reply extends { readonly kind: string }, Outcome>(
  options: ThreadSlotOptions<Outcome>,
): ThreadSlot<Job, Reply, Outcome> => {
  const { name, open, stallMillis, stalled = `the ${name} thread hangs`, lost, closed } = options
  let thread: Worker | undefined
  let hasLoaded = false
  let underWay: JobUnderWay<Reply, Outcome> | undefined

  const start = (): Worker => {
    const worker = open()
    const lose = (error: string) => {
      if (thread !== worker) return
      thread = undefined
      underWay?.end(lost(error))
    }
    worker.on('message', (message: FromThread<Reply>) => {
      if (thread !== worker) return
      if (!isReady(message)) return underWay?.hear(message)
      hasLoaded = true
      underWay?.restartTimer(stallMillis)
    })
    worker.on('error', (error) => lose(`the ${name} thread broke: ${errorMessage(error)}`))
    worker.on('exit', (code) => lose(`the ${name} thread ended by itself with code ${code}`))
    hasLoaded = false
    return worker
  }

  /** Drops the thread first, so that its further messages are ignored. */
  const drop = async (): Promise<void> => {
    const worker = thread
    thread = undefined
    if (worker) await withTimeout(worker.terminate(), endMillis, () => undefined)
  }

  const stall = () => {
    void drop()
    underWay?.end(lost(hasLoaded ? stalled : notStarted(name)))
  }

  return {
    start: () => {
      thread ??= start()
    },
    isStarted: () => thread !== undefined,
    run: (job, watch) =>
      new Promise((resolve) => {
        const end = (outcome: Outcome) => {
          underWay = undefined
          resolve(outcome)
        }
        thread ??= start()
        underWay = beginJob(thread, job, watch, stall, end)
        underWay.restartTimer(hasLoaded ? stallMillis : startMillis)
      }),
    close: async () => {
      const dropped = drop()
      underWay?.end(closed)
      await dropped
    },
  }
}

interface JobUnderWay<Reply, Outcome> {
  hear(reply: Reply): void
  end(outcome: Outcome): void
  /** The job has stalled when it posts nothing for this long. */
  restartTimer(millis: number | undefined): void
}

const beginJob = <Job, Reply, Outcome>(
  worker: Worker,
  job: Job,
  { signal, hear, waitsAfter = () => false }: ThreadWatch<Reply, Outcome>,
  onStall: () => void,
  onEnd: (outcome: Outcome) => void,
): JobUnderWay<Reply, Outcome> => {
  const post = (message: ToThread<Job>) => worker.postMessage(message)
  let timer: NodeJS.Timeout | undefined
  let limit: number | undefined
  let hasEnded = false
  const stopTimer = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const startTimer = () => {
    if (limit !== undefined) timer ??= setTimeout(onStall, limit)
  }
  const resume = (message: ToThread<Job>) => {
    if (hasEnded) return
    startTimer()
    post(message)
  }
  const abort = () => resume({ kind: 'abort' })
  const goOn = () => resume({ kind: 'go-on' })
  const end = (outcome: Outcome) => {
    hasEnded = true
    stopTimer()
    signal?.removeEventListener('abort', abort)
    onEnd(outcome)
  }
  post({ kind: 'job', job })
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  return {
    end,
    hear: (reply) => {
      if (waitsAfter(reply)) stopTimer()
      else timer?.refresh()
      const outcome = hear(reply, goOn)
      if (outcome !== undefined) end(outcome)
    },
    restartTimer: (millis) => {
      limit = millis
      stopTimer()
      startTimer()
    },
  }
}

const isReady = <Reply extends { readonly kind: string }>(
  message: FromThread<Reply>,
): message is { readonly kind: 'ready' } => message.kind === 'ready'

const notStarted = (name: string): string =>
  `the ${name} thread did not start within ${startMillis / 1000} s; the machine may be overloaded`
