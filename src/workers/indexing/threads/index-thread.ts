import { workerData } from 'node:worker_threads'
import { UnreadableArchive } from '@fonds/warc'
import { errorMessage } from '../../../async/errors.ts'
import { machineFailure } from '../../../async/machine-failure.ts'
import { breather } from '../../../async/threads/breather.ts'
import { importFactory } from '../../../async/threads/import-factory.ts'
import { RingStopped } from '../../../async/threads/ring/read-ring.ts'
import { runJobs } from '../../../async/threads/run-jobs.ts'
import type { OpenRunWriter } from '../../../ports/capture-index.ts'
import { indexFile } from './index-file.ts'
import type { IndexJob, IndexOutcome, IndexReply, JobFile, ThreadSettings } from './messages.ts'
import { sameBytes } from './same-bytes.ts'

/* Main module of a thread that reads archive files. An exception ends the thread; its slot replaces it. */

const breathMillis = 100

const { runWriterModule } = workerData as ThreadSettings
const openRunWriter = await importFactory<OpenRunWriter>(runWriterModule, 'a run writer')

runJobs<IndexJob, IndexReply>('index-thread.ts is run by the index pool', async (job, post, signal) => {
  const show = () => post({ kind: 'progress' })
  const breathe = breather(breathMillis, signal, show)
  post({ kind: 'done', outcome: await outcomeOf(job, { breathe, show }, signal) })
})

interface Showing {
  readonly breathe: () => Promise<void>
  readonly show: () => void
}

async function outcomeOf(
  job: IndexJob,
  { breathe, show }: Showing,
  signal: AbortSignal,
): Promise<IndexOutcome> {
  try {
    return job.kind === 'index'
      ? await indexFile(job, openRunWriter, breathe, show)
      : await compared(job.files, { breathe, show })
  } catch (error) {
    if (signal.aborted || error instanceof RingStopped) return { status: 'aborted' }
    // Failures of the archive file's own disk are `unreadable`.
    const machine = machineFailure(error, job.kind === 'index' ? [job.runs] : [])
    return machine
      ? { status: 'machine', reason: machine.message }
      : { status: 'broken', reason: errorMessage(error) }
  }
}

async function compared(
  files: readonly [JobFile, JobFile],
  { breathe, show }: Showing,
): Promise<IndexOutcome> {
  try {
    return { status: 'compared', isSame: await sameBytes(files, breathe, show) }
  } catch (error) {
    if (error instanceof UnreadableArchive) return { status: 'unreadable', failure: error.failure }
    throw error
  }
}
