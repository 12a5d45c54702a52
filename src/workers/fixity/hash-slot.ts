import { Worker } from 'node:worker_threads'
import { createThreadSlot, type ThreadSlot } from '../../async/threads/thread-slot.ts'
import type { HashOutcome } from './hash-content.ts'
import type { HashJob, HashReply, LookJob, ThreadSettings } from './hash-messages.ts'

/** `seen`: all files of the job were checked. */
export type SlotOutcome = HashOutcome | { readonly status: 'seen' }
type HashSlot = ThreadSlot<HashJob | LookJob, HashReply, SlotOutcome>

const threadModule = new URL('./hash-thread.ts', import.meta.url)

/** One thread of the pool, which reads and digests. */
export const createHashSlot = (settings: ThreadSettings, stallMillis: number): HashSlot =>
  createThreadSlot<HashJob | LookJob, HashReply, SlotOutcome>({
    name: 'hashing',
    open: () => new Worker(threadModule, { workerData: settings }),
    stallMillis,
    stalled: `no bytes for ${stallMillis / 1000} s; the storage hangs or is too slow; check it, then check the file again`,
    lost: (error) => ({ status: 'failed', error }),
    closed: { status: 'aborted' },
  })
