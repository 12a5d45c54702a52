import type { TaskContext } from '../../../async/task-context.ts'

const everyMillis = 10_000

/** Runs work that reports no progress and ends by itself, so that it is not taken for hung meanwhile. */
export const keepGoing = async <A>({ progress }: TaskContext, work: () => Promise<A>): Promise<A> => {
  const timer = setInterval(progress, everyMillis)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
