import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Hold } from '../../../async/hold.ts'
import { createThreadPool } from '../../../async/threads/thread-pool.ts'
import { createThreadSlot } from '../../../async/threads/thread-slot.ts'
import { DownloadFailure } from '../../http/http-failures.ts'
import type { LocalCopy } from '../fetch/copy-local.ts'
import { type Fetched, WrongContent } from '../fetch/wanted.ts'
import type { FileJob, FileOutcome, FileReply } from './file-messages.ts'
import type { TextFile } from './write-files.ts'

/**
 * What is done with files of work folders, in threads: a call that blocks one of them costs a third of one that does not.
 * All throw the reason of the signal.
 */
export interface FileWork {
  /** Throws `DownloadFailure` and `WrongContent`. */
  copy(copy: LocalCopy, hold: Hold): Promise<Fetched>
  /** One after the other, in this order. */
  write(files: readonly TextFile[], hold: Hold): Promise<void>
  close(): Promise<void>
}

/** Small files do not wait for large ones. */
const smallBytes = 16 * 1024 ** 2
const smallThreads = 2

export const createFileWork = (stallMillis: number): FileWork => {
  const slot = () => slotOf(stallMillis)
  const small = createThreadPool(smallThreads, slot)
  const large = createThreadPool(availableParallelism(), slot)

  const run = async (pool: typeof small, job: FileJob, { signal, progress }: Hold): Promise<FileOutcome> => {
    const hear = (reply: FileReply): FileOutcome | undefined => {
      if (reply.kind === 'done') return reply.outcome
      progress()
      return undefined
    }
    const outcome = await pool.run(job, { hear, onWait: progress, signal })
    signal.throwIfAborted()
    if (outcome?.kind === 'failed') throw errorOf(outcome)
    if (!outcome || outcome.kind === 'aborted') throw new Error('the work with files was ended')
    return outcome
  }

  return {
    copy: async (copy, hold) => {
      const isSmall = copy.size !== undefined && copy.size <= smallBytes
      const outcome = await run(isSmall ? small : large, { kind: 'copy', copy }, hold)
      if (outcome.kind !== 'copied') throw new Error(`the thread said ${outcome.kind}`)
      return outcome.fetched
    },
    write: async (files, hold) => {
      await run(small, { kind: 'write', files }, hold)
    },
    close: async () => {
      await Promise.all([small.close(), large.close()])
    },
  }
}

const errorOf = ({ because, message }: Extract<FileOutcome, { kind: 'failed' }>): Error => {
  if (because === 'source') return new DownloadFailure(message)
  return because === 'content' ? new WrongContent(message) : new Error(message)
}

const threadModule = new URL('./file-thread.ts', import.meta.url)

const slotOf = (stallMillis: number) =>
  createThreadSlot<FileJob, FileReply, FileOutcome>({
    name: 'file',
    open: () => new Worker(threadModule),
    stallMillis,
    stalled: `a file gave no byte for ${stallMillis / 1000} s; look at its disk, and try again`,
    lost: (message) => ({ kind: 'failed', because: 'other', message }),
    closed: { kind: 'aborted' },
  })
