import { Worker } from 'node:worker_threads'
import { type ThreadSlot, threadSlot } from '../../runtime/thread-slot.ts'
import type { SearchJob, SearchTold } from './search-messages.ts'

/** `lost`: the thread died or hung over it, and another may do better. `failed`: it was said what is wrong. */
export interface SearchEnd {
  readonly status: 'done' | 'failed' | 'lost'
  readonly error: string
}

export type SearchSlot = ThreadSlot<SearchJob, SearchTold, SearchEnd>

/** One place in the pool: a thread that looks for a group of clips. */
export const searchSlot = (threadModule: URL, stallMillis: number): SearchSlot =>
  threadSlot<SearchJob, SearchTold, SearchEnd>({
    name: 'searching',
    open: () => new Worker(threadModule),
    stallMillis,
    stalled: `no progress for ${stallMillis / 1000} s; the storage hangs or the machine is overloaded, look at it and search again`,
    lost: (error) => ({ status: 'lost', error }),
    closed: { status: 'failed', error: 'the searcher was closed' },
  })
