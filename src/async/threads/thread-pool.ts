import type { ThreadSlot } from './thread-slot.ts'

interface PoolWatch<Reply, Outcome> {
  /** Ends the job. */
  readonly signal?: AbortSignal
  /** Takes the job out of the queue, if it has not begun. Default: `signal`. */
  readonly queueSignal?: AbortSignal
  /** Receives the thread's messages; the one with the outcome is the last. */
  readonly hear: (reply: Reply) => Outcome | undefined
  /** One of the jobs of which only so many run at once as `maxLight` says. */
  readonly isLight?: boolean
  /** Called while the job waits and those before it make progress: it is not hung, as a slot ends each job that is. */
  readonly onWait?: () => void
}

/**
 * Threads that do one job each at a time. Jobs wait in the order in which they came. The first job starts a thread; a further thread
 * is started for a job that has waited as long as a start and a small job take, so that one does few small ones.
 */
export interface ThreadPool<Job, Reply, Outcome> {
  /** Never rejects. Undefined if the job was not begun. */
  run(job: Job, watch: PoolWatch<Reply, Outcome>): Promise<Outcome | undefined>
  /** Starts all threads, which otherwise start when jobs wait. */
  start(): void
  /** Begins no more jobs, and ends those under way. */
  close(): Promise<void>
}

/** A start takes some 100 ms, and a small job less than that. */
const patienceMillis = 200

/** Milliseconds until a job that came at `since` has waited long enough. */
const waitFrom = (since: number): number => Math.ceil(since + patienceMillis - performance.now())

interface Waiting<Job, Reply, Outcome> {
  readonly job: Job
  readonly watch: PoolWatch<Reply, Outcome>
  readonly end: (outcome: Outcome | undefined) => void
  /** Time of `performance.now()`. */
  readonly since: number
}

/**
 * `maxLight`: light jobs that run at once, where more threads would gain nothing and cost as much to warm up. Throws
 * `RangeError`.
 */
export const createThreadPool = <Job, Reply, Outcome>(
  threads: number,
  createSlot: () => ThreadSlot<Job, Reply, Outcome>,
  maxLight = threads,
): ThreadPool<Job, Reply, Outcome> => {
  if (!Number.isSafeInteger(threads) || threads < 1)
    throw new RangeError(`threads: wants a whole number from 1, got ${threads}`)
  const slots = Array.from({ length: threads }, createSlot)
  const idle = [...slots]
  const waiting = new Set<Waiting<Job, Reply, Outcome>>()
  let light = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined

  /** One that has started, the last one used first; a further one for the first job of all, and for a job that has waited. */
  const slotFor = ({ since }: Waiting<Job, Reply, Outcome>) => {
    const at = idle.findLastIndex((slot) => slot.isStarted())
    if (at >= 0) return idle.splice(at, 1)[0]
    const mayStart = waitFrom(since) <= 0 || slots.every((slot) => !slot.isStarted())
    return mayStart ? idle.pop() : undefined
  }

  const showProgress = () => {
    for (const { watch } of waiting) watch.onWait?.()
  }

  const startNext = () => {
    for (const next of waiting) {
      if (next.watch.isLight && light >= maxLight) continue
      const slot = slotFor(next)
      if (!slot) return startLater(next)
      waiting.delete(next)
      void runIn(slot, next)
    }
  }

  const startLater = ({ since }: Waiting<Job, Reply, Outcome>) => {
    if (idle.length === 0 || closed) return
    timer ??= setTimeout(() => {
      timer = undefined
      startNext()
    }, waitFrom(since))
  }

  const runIn = async (
    slot: ThreadSlot<Job, Reply, Outcome>,
    { job, watch, end }: Waiting<Job, Reply, Outcome>,
  ) => {
    const { signal, isLight = false } = watch
    if (isLight) light++
    const hear = (reply: Reply): Outcome | undefined => {
      const outcome = watch.hear(reply)
      if (outcome === undefined) showProgress()
      return outcome
    }
    const outcome = await slot.run(job, { hear, ...(signal && { signal }) })
    idle.push(slot)
    if (isLight) light--
    startNext()
    showProgress()
    end(outcome)
  }

  return {
    run: (job, watch) =>
      new Promise((resolve) => {
        const { queueSignal = watch.signal } = watch
        if (closed || queueSignal?.aborted) return resolve(undefined)
        const leave = () => {
          if (waiting.delete(one)) one.end(undefined)
        }
        const one: Waiting<Job, Reply, Outcome> = {
          job,
          watch,
          since: performance.now(),
          end: (outcome) => {
            queueSignal?.removeEventListener('abort', leave)
            resolve(outcome)
          },
        }
        queueSignal?.addEventListener('abort', leave, { once: true })
        waiting.add(one)
        startNext()
      }),
    start: () => {
      for (const slot of slots) slot.start()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      const dropped = [...waiting]
      waiting.clear()
      for (const { end } of dropped) end(undefined)
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}
