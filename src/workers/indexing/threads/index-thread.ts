import { workerData } from 'node:worker_threads'
import { errorMessage } from '../../../async/errors.ts'
import { machineFailure } from '../../../async/machine-failure.ts'
import { breather } from '../../../async/threads/breather.ts'
import { importFactory } from '../../../async/threads/import-factory.ts'
import { runJobs } from '../../../async/threads/run-jobs.ts'
import type { OpenRunWriter } from '../../../ports/capture-index.ts'
import { indexFile } from './index-file.ts'
import type { IndexJob, IndexOutcome, IndexReply, ThreadSettings } from './messages.ts'
import { sameBytes } from './same-bytes.ts'

/* Main module of a thread that reads archive files. An exception ends the thread; its slot replaces it. */

const breathMillis = 100

const { runWriterModule } = workerData as ThreadSettings
const openRunWriter = await importFactory<OpenRunWriter>(runWriterModule, 'a run writer')

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
      ? await indexFile(job, openRunWriter, breathe)
      : { status: 'compared', isSame: await sameBytes(job.paths, breathe) }
  } catch (error) {
    if (signal.aborted) return { status: 'aborted' }
    // Failures of the archive file's own disk are `unreadable`.
    const machine = machineFailure(error, job.kind === 'index' ? [job.runs] : [])
    return machine
      ? { status: 'machine', reason: machine.message }
      : { status: 'broken', reason: errorMessage(error) }
  }
}
