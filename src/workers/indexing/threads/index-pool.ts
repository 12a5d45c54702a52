import { Worker } from 'node:worker_threads'
import { createThreadPool } from '../../../async/threads/thread-pool.ts'
import { createThreadSlot } from '../../../async/threads/thread-slot.ts'
import type { IndexJob, IndexOutcome, IndexReply, ThreadSettings } from './messages.ts'

const threadModule = new URL('./index-thread.ts', import.meta.url)

export interface IndexPool {
  /** Never rejects. Jobs wait in the order of the calls. */
  run(
    job: IndexJob,
    watch: { readonly signal: AbortSignal; readonly progress: () => void },
  ): Promise<IndexOutcome>
  close(): Promise<void>
}

/** Threads that read archive files, each one at a time. A thread without progress for `stallMillis` is replaced. */
export const createIndexPool = (threads: number, runWriterModule: URL, stallMillis: number): IndexPool => {
  const workerData: ThreadSettings = { runWriterModule: runWriterModule.href }
  const pool = createThreadPool(threads, () =>
    createThreadSlot<IndexJob, IndexReply, IndexOutcome>({
      name: 'indexing',
      open: () => new Worker(threadModule, { workerData }),
      stallMillis,
      stalled: `nothing was read for ${stallMillis / 1000} s; the storage hangs or is too slow`,
      lost: (reason) => ({ status: 'broken', reason }),
      closed: { status: 'aborted' },
    }),
  )
  return {
    run: async (job, { signal, progress }) => {
      const hear = (reply: IndexReply): IndexOutcome | undefined => {
        progress()
        return reply.kind === 'done' ? reply.outcome : undefined
      }
      return (await pool.run(job, { hear, onWait: progress, signal })) ?? { status: 'aborted' }
    },
    close: pool.close,
  }
}
