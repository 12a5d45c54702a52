import { Worker } from 'node:worker_threads'
import { createThreadSlot, type ThreadSlot } from '../../async/threads/thread-slot.ts'
import type { HashJob, HashOutcome, HashReply, ThreadSettings } from './hash-messages.ts'

type HashSlot = ThreadSlot<HashJob, HashReply, HashOutcome>

const threadModule = new URL('./hash-thread.ts', import.meta.url)

/** One thread of the pool, which reads and digests. */
export const createHashSlot = (settings: ThreadSettings, stallMillis: number): HashSlot =>
  createThreadSlot<HashJob, HashReply, HashOutcome>({
    name: 'hashing',
    open: () => new Worker(threadModule, { workerData: settings }),
    stallMillis,
    stalled: `no bytes for ${stallMillis / 1000} s; the storage hangs or is too slow, look at it and check again`,
    lost: (error) => ({ status: 'failed', error }),
    closed: { status: 'aborted' },
  })
