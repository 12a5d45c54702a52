import { type IndexJob, type JobResult, runJob } from '@fonds/cdx/jobs'
import { runJobs } from '../../src/async/threads/run-jobs.ts'

export type ThreadReply =
  | { readonly kind: 'done'; readonly result: JobResult }
  /** An error with its code, which does not cross between threads by itself. */
  | { readonly kind: 'failed'; readonly error: Error; readonly fields: Readonly<Record<string, unknown>> }

runJobs<IndexJob, ThreadReply>('a thread of the capture index is started by it', async (job, post) => {
  try {
    post({ kind: 'done', result: runJob(job) })
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error))
    post({ kind: 'failed', error: failure, fields: { ...failure } })
  }
})
