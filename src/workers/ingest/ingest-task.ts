import type { BatchWork, JobTask } from '../../domain/ingest/tasks.ts'
import type { TaskQueue } from '../../ports/task-queue.ts'
import type { ClaimedJob, JobQueue } from './services.ts'

/** A claimed job, and the function that postpones it. */
export interface ClaimedTask {
  readonly task: JobTask
  readonly putOff: ClaimedJob['putOff']
}

/** A task from the queues of the worker pool. */
export type IngestTask =
  | ({ readonly kind: 'job' } & ClaimedTask)
  | { readonly kind: 'batch'; readonly work: BatchWork }

export const jobTasks = ({ name, take, nextDue }: JobQueue): TaskQueue<IngestTask> => ({
  name,
  nextDue,
  take: async (limit) =>
    (await take(limit)).map((claimed) => {
      const { task, putOff } = claimed
      return { ...claimed, task: { kind: 'job', task, putOff } }
    }),
})

export const batchTasks = ({ name, take, nextDue }: TaskQueue<BatchWork>): TaskQueue<IngestTask> => ({
  name,
  nextDue,
  take: async (limit) =>
    (await take(limit)).map((claimed) => ({ ...claimed, task: { kind: 'batch', work: claimed.task } })),
})
