import type { Hold } from './task-context.ts'

/** Work that several callers share: it runs once, and is aborted when none wants it any more. */
interface SharedWork<Wanted, A> {
  join(wanted: Wanted, hold: Hold): Promise<A>
  /** Aborts all work; resolves when all of it has ended. */
  close(reason: Error): Promise<void>
}

interface Job<A> {
  readonly holds: Set<Hold>
  readonly stop: AbortController
  readonly result: Promise<A>
}

/** Callers share work if their keys are equal. */
export const createSharedWork = <Wanted, A>(
  work: (wanted: Wanted, hold: Hold) => Promise<A>,
  keyOf: (wanted: Wanted) => string,
): SharedWork<Wanted, A> => {
  const jobs = new Map<string, Job<A>>()
  const all = new Set<Promise<unknown>>()

  const begin = (wanted: Wanted, key: string, before: Job<A> | undefined): Job<A> => {
    const holds = new Set<Hold>()
    const stop = new AbortController()
    const progress = () => {
      for (const hold of holds) hold.progress()
    }
    const run = async () => {
      // The aborted one cleans up first.
      await before?.result.catch(() => {})
      stop.signal.throwIfAborted()
      return work(wanted, { signal: stop.signal, progress })
    }
    const job = { holds, stop, result: run() }
    const settled: Promise<unknown> = job.result
      .catch(() => {})
      .finally(() => {
        all.delete(settled)
        if (jobs.get(key) === job) jobs.delete(key)
      })
    all.add(settled)
    jobs.set(key, job)
    return job
  }

  return {
    join: (wanted, hold) =>
      new Promise((resolve, reject) => {
        if (hold.signal.aborted) return reject(hold.signal.reason)
        const key = keyOf(wanted)
        const last = jobs.get(key)
        const job = last && !last.stop.signal.aborted ? last : begin(wanted, key, last)
        const own = { ...hold }
        job.holds.add(own)
        const leave = () => {
          job.holds.delete(own)
          hold.signal.removeEventListener('abort', drop)
        }
        const drop = () => {
          leave()
          if (job.holds.size === 0) job.stop.abort(hold.signal.reason)
          reject(hold.signal.reason)
        }
        hold.signal.addEventListener('abort', drop, { once: true })
        job.result.then(resolve, reject).finally(leave)
      }),
    close: async (reason) => {
      for (const { stop } of jobs.values()) stop.abort(reason)
      await Promise.all(all)
    },
  }
}
