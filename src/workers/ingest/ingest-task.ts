import type { BatchWork, JobTask } from '../../domain/ingest/tasks.ts'
import type { Claimed, TaskQueue } from '../../ports/task-queue.ts'

/** A claimed job, and the function that releases it. */
export type ClaimedTask = Pick<Claimed<JobTask>, 'task' | 'release'>

/** A task from the queues of the worker pool. */
export type IngestTask =
  | ({ readonly kind: 'job' } & ClaimedTask)
  | { readonly kind: 'batch'; readonly work: BatchWork }

export const jobTasks = ({ name, take, nextDue }: TaskQueue<JobTask>): TaskQueue<IngestTask> => ({
  name,
  nextDue,
  take: async (limit) =>
    (await take(limit)).map((claimed) => {
      const { task, release } = claimed
      return { ...claimed, task: { kind: 'job', task, release } }
    }),
})

export const batchTasks = ({ name, take, nextDue }: TaskQueue<BatchWork>): TaskQueue<IngestTask> => ({
  name,
  nextDue,
  take: async (limit) =>
    (await take(limit)).map((claimed) => ({ ...claimed, task: { kind: 'batch', work: claimed.task } })),
})
