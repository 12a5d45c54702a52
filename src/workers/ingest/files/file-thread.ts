import { diskReason } from '../../../async/disk-reasons.ts'
import { errorMessage } from '../../../async/errors.ts'
import { breather } from '../../../async/threads/breather.ts'
import { runJobs } from '../../../async/threads/run-jobs.ts'
import { DownloadFailure } from '../../http/http-failures.ts'
import { copyLocal } from '../fetch/copy-local.ts'
import { WrongContent } from '../fetch/wanted.ts'
import type { FileJob, FileOutcome, FileReply } from './file-messages.ts'
import { writeFiles } from './write-files.ts'

/* The main module of a thread that copies and writes files of work folders. */

/** Progress is said, and an abort heard, so often. */
const breatheMillis = 100

runJobs<FileJob, FileReply>('file-thread.ts is run by the ingester', async (job, post, signal) => {
  const breathe = breather(breatheMillis, signal, () => post({ kind: 'progress' }))
  post({ kind: 'done', outcome: await outcomeOf(job, breathe, signal) })
})

async function outcomeOf(
  job: FileJob,
  breathe: () => Promise<void>,
  signal: AbortSignal,
): Promise<FileOutcome> {
  try {
    if (job.kind === 'copy') return { kind: 'copied', fetched: await copyLocal(job.copy, breathe) }
    writeFiles(job.files)
    return { kind: 'written' }
  } catch (error) {
    if (signal.aborted) return { kind: 'aborted' }
    const because =
      error instanceof DownloadFailure ? 'source' : error instanceof WrongContent ? 'content' : 'other'
    return { kind: 'failed', because, message: diskReason(error) ?? errorMessage(error) }
  }
}
