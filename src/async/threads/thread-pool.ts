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

/** Threads that do one job each at a time. Jobs wait in the order in which they came. */
export interface ThreadPool<Job, Reply, Outcome> {
  /** Never rejects. Undefined if the job was not begun. */
  run(job: Job, watch: PoolWatch<Reply, Outcome>): Promise<Outcome | undefined>
  /** Starts all threads, which otherwise start on first use. */
  start(): void
  /** Begins no more jobs, and ends those under way. */
  close(): Promise<void>
}

interface Waiting<Job, Reply, Outcome> {
  readonly job: Job
  readonly watch: PoolWatch<Reply, Outcome>
  readonly end: (outcome: Outcome | undefined) => void
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

  const showProgress = () => {
    for (const { watch } of waiting) watch.onWait?.()
  }

  const startNext = () => {
    for (const next of waiting) {
      if (next.watch.isLight && light >= maxLight) continue
      const slot = idle.pop()
      if (!slot) return
      waiting.delete(next)
      void runIn(slot, next)
    }
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
      const dropped = [...waiting]
      waiting.clear()
      for (const { end } of dropped) end(undefined)
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}
