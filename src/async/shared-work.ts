import type { TaskContext } from './task-context.ts'

/** Work that several callers share: it runs once, and is aborted when none wants it any more. */
interface SharedWork<Wanted, A> {
  join(wanted: Wanted, context: TaskContext): Promise<A>
  /** Aborts all work; resolves when all of it has ended. */
  close(reason: Error): Promise<void>
}

interface Job<A> {
  readonly contexts: Set<TaskContext>
  readonly stop: AbortController
  readonly result: Promise<A>
}

/** Callers share work if their keys are equal. */
export const createSharedWork = <Wanted, A>(
  work: (wanted: Wanted, context: TaskContext) => Promise<A>,
  keyOf: (wanted: Wanted) => string,
): SharedWork<Wanted, A> => {
  const jobs = new Map<string, Job<A>>()
  const all = new Set<Promise<unknown>>()

  const begin = (wanted: Wanted, key: string, before: Job<A> | undefined): Job<A> => {
    const contexts = new Set<TaskContext>()
    const stop = new AbortController()
    const progress = () => {
      for (const context of contexts) context.progress()
    }
    const run = async () => {
      // The aborted one cleans up first.
      await before?.result.catch(() => {})
      stop.signal.throwIfAborted()
      return work(wanted, { signal: stop.signal, progress })
    }
    const job = { contexts, stop, result: run() }
    const ended: Promise<unknown> = job.result
      .catch(() => {})
      .finally(() => {
        all.delete(ended)
        if (jobs.get(key) === job) jobs.delete(key)
      })
    all.add(ended)
    jobs.set(key, job)
    return job
  }

  return {
    join: (wanted, context) =>
      new Promise((resolve, reject) => {
        if (context.signal.aborted) return reject(context.signal.reason)
        const key = keyOf(wanted)
        const last = jobs.get(key)
        const job = last && !last.stop.signal.aborted ? last : begin(wanted, key, last)
        const own = { ...context }
        job.contexts.add(own)
        const leave = () => {
          job.contexts.delete(own)
          context.signal.removeEventListener('abort', drop)
        }
        const drop = () => {
          leave()
          if (job.contexts.size === 0) job.stop.abort(context.signal.reason)
          reject(context.signal.reason)
        }
        context.signal.addEventListener('abort', drop, { once: true })
        job.result.then(resolve, reject).finally(leave)
      }),
    close: async (reason) => {
      for (const { stop } of jobs.values()) stop.abort(reason)
      await Promise.all(all)
    },
  }
}
