import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { diskReason } from '../../../async/disk-reasons.ts'
import { errorMessage } from '../../../async/errors.ts'
import type { FromThread, ToThread } from '../../../async/threads/thread-slot.ts'
import { DownloadFailure } from '../../http/http-failures.ts'
import { copyLocal } from '../fetch/copy-local.ts'
import { WrongContent } from '../fetch/wanted.ts'
import type { FileJob, FileOutcome, FileReply } from './file-messages.ts'
import { writeFiles } from './write-files.ts'

/* The main module of a thread that copies and writes files of work folders. It does one job at a time. */

const port = parentPort
if (!port) throw new Error('file-thread.ts is run by the ingester, not by itself')

/** Progress is said, and an abort heard, so often. */
const breatheMillis = 100

const post = (message: FromThread<FileReply>) => port.postMessage(message)
let underWay: AbortController | undefined

port.on('message', (message: ToThread<FileJob>) => {
  if (message.kind === 'abort') underWay?.abort()
  else if (message.kind === 'job') void perform(message.job)
})
post({ kind: 'ready' })

async function perform(job: FileJob): Promise<void> {
  underWay = new AbortController()
  const { signal } = underWay
  let at = performance.now()
  const breathe = async () => {
    if (performance.now() - at < breatheMillis) return
    post({ kind: 'progress' })
    await setImmediate()
    signal.throwIfAborted()
    at = performance.now()
  }
  post({ kind: 'done', outcome: await outcomeOf(job, breathe, signal) })
}

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
