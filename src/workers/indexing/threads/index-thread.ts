import { errorMessage } from '../../../async/errors.ts'
import { breather } from '../../../async/threads/breather.ts'
import { runJobs } from '../../../async/threads/run-jobs.ts'
import { indexFile } from './index-file.ts'
import type { IndexJob, IndexOutcome, IndexReply } from './messages.ts'
import { sameBytes } from './same-bytes.ts'

/* The main module of a thread that reads archive files. An exception ends the thread; its slot replaces it. */

const breathMillis = 100

runJobs<IndexJob, IndexReply>('index-thread.ts is run by the index pool', async (job, post, signal) => {
  const breathe = breather(breathMillis, signal, () => post({ kind: 'progress' }))
  post({ kind: 'done', outcome: await outcomeOf(job, breathe, signal) })
})

async function outcomeOf(
  job: IndexJob,
  breathe: () => Promise<void>,
  signal: AbortSignal,
): Promise<IndexOutcome> {
  try {
    return job.kind === 'index'
      ? await indexFile(job, breathe)
      : { status: 'compared', isSame: await sameBytes(job.paths, breathe) }
  } catch (error) {
    return signal.aborted ? { status: 'aborted' } : { status: 'broken', reason: errorMessage(error) }
  }
}
