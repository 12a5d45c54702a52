import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, TaskQueue } from '../../ports/task-queue.ts'
import { createIdleBackoff, type IdleBackoff } from './idle-backoff.ts'

interface Found<Task> {
  /** Name of the queue. */
  readonly queue: string
  readonly claimed: readonly Claimed<Task>[]
}

/** Polls queues in order. Each has a back-off of its own while it is empty. */
export const createQueuePoller = <Task>(
  queues: readonly TaskQueue<Task>[],
  options: { readonly backoff: IdleBackoff | undefined; readonly clock: Clock; readonly log: Logger },
) => {
  const { clock, log } = options
  const backoff = createIdleBackoff(queues.length, clock, options.backoff)

  return {
    /** Claims at most `limit` tasks, from the first queue that has any; undefined if none has. */
    poll: async (limit: number): Promise<Found<Task> | undefined> => {
      for (const [i, queue] of queues.entries()) {
        if (!backoff.mayPoll(i)) continue
        const polledAt = clock.now()
        try {
          const claimed = await queue.take(limit)
          if (claimed.length > 0) {
            backoff.found(i)
            return { queue: queue.name, claimed }
          }
          backoff.empty(i, polledAt)
        } catch (error) {
          log.warn({ err: error, queue: queue.name }, 'cannot read a queue; retrying')
          backoff.failed(i, polledAt)
        }
      }
      return undefined
    },
    /** Returns when the next task becomes due, of those that the last poll could not return. */
    nextDue: async (): Promise<string | undefined> => {
      const dues = await Promise.all(
        queues.map((queue, i) => queue.nextDue(backoff.emptySince(i)).catch(() => undefined)),
      )
      return dues.filter((due, i) => due !== undefined && backoff.isNews(i, due)).sort()[0]
    },
    untilNextPoll: backoff.untilNextPoll,
    reset: backoff.reset,
  }
}
