import { Worker } from 'node:worker_threads'
import { createThreadSlot, type ThreadSlot } from '../../../async/threads/thread-slot.ts'
import type { SearchJob, SearchReply } from './search-messages.ts'

/** `lost`: the thread died or hung, and another may succeed. `failed`: `error` is the reason. */
export interface SearchEnd {
  readonly status: 'done' | 'failed' | 'lost'
  readonly error: string
}

type SearchSlot = ThreadSlot<SearchJob, SearchReply, SearchEnd>

/** One thread of the pool, which searches a group of clips at a time. */
export const searchSlot = (threadModule: URL, stallMillis: number): SearchSlot =>
  createThreadSlot<SearchJob, SearchReply, SearchEnd>({
    name: 'searching',
    open: () => new Worker(threadModule),
    stallMillis,
    stalled: `no progress for ${stallMillis / 1000} s; the storage hangs or the machine is overloaded; check both, then search again`,
    lost: (error) => ({ status: 'lost', error }),
    closed: { status: 'failed', error: 'the searcher was closed' },
  })
