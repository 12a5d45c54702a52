import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import {
  type Clip,
  engineFor,
  type Finding,
  groupsOf,
  type Pcm,
  rate,
  type SearchFailure,
} from '@fonds/sound'
import { createInbox } from '../../../async/inbox.ts'
import { createThreadPool, type ThreadPool } from '../../../async/threads/thread-pool.ts'
import { createThreadSlot, type ThreadSlot } from '../../../async/threads/thread-slot.ts'
import type { SearchContext, Searcher } from '../searcher.ts'
import type { SearchJob, SearchReply } from './search-messages.ts'

interface SearcherOptions {
  /** Default: one per core. */
  readonly threads?: number
  /** Maximum difference in speed between clips and episode: 0.01, the limit, is one per cent. Default: 0. */
  readonly drift?: number
  /** A search without progress for so long fails, and its thread is replaced. Default: 60 s. */
  readonly stallMillis?: number
  /** Main module of the threads. Default: `search-thread.ts`. */
  readonly threadModule?: URL
}

const ownThread = new URL('./search-thread.ts', import.meta.url)

/** A pool of threads that search for one group of clips at a time: the main thread stays responsive. */
export const createSearcher = (options: SearcherOptions = {}): Searcher => {
  const {
    threads = availableParallelism(),
    drift = 0,
    stallMillis = 60_000,
    threadModule = ownThread,
  } = options
  const pool = createThreadPool(threads, () => searchSlot(threadModule, stallMillis))
  const closing = new AbortController()

  const search = async function* (
    episode: Pcm,
    clips: readonly Clip[],
    { signal, progress, winding }: SearchContext,
  ): AsyncGenerator<Finding | SearchFailure> {
    signal.throwIfAborted()
    closing.signal.throwIfAborted()
    const left = new AbortController()
    const ended = AbortSignal.any([signal, closing.signal, left.signal])
    const outcomes = createInbox<Finding | SearchFailure>()
    ended.addEventListener('abort', () => outcomes.end({ error: ended.reason }), { once: true })
    const watch: SearchWatch = {
      signal: ended,
      queueSignal: winding ? AbortSignal.any([ended, winding]) : ended,
      onProgress: progress,
      onFound: outcomes.put,
    }
    const groups = groupsOf(clips, threads, drift).map((group) => ({ episode, clips: group, drift }))
    const searched = groups.map((group) => searchTogether(pool, group, watch))
    void Promise.all(searched).then(() => outcomes.end())
    try {
      yield* outcomes.items()
    } finally {
      left.abort()
    }
  }

  return {
    engine: engineFor(drift),
    rate,
    search,
    close: async () => {
      closing.abort(new Error('the searcher was closed'))
      await pool.close()
    },
  }
}

interface SearchWatch {
  readonly signal: AbortSignal
  readonly queueSignal: AbortSignal
  readonly onProgress: () => void
  readonly onFound: (outcome: Finding | SearchFailure) => void
}

/**
 * Searches for a group of clips in one thread: each has one outcome, unless `queueSignal` aborts before the search
 * begins.
 */
const searchTogether = async (
  pool: ThreadPool<SearchJob, SearchReply, SearchEnd>,
  job: SearchJob,
  watch: SearchWatch,
): Promise<void> => {
  const { signal, queueSignal, onProgress, onFound } = watch
  const open = new Map(job.clips.map((clip) => [clip.id, clip]))
  const hear = (reply: SearchReply): SearchEnd | undefined => {
    if (reply.kind === 'done')
      return { status: reply.error === undefined ? 'done' : 'failed', error: reply.error ?? '' }
    if (reply.kind === 'found') {
      open.delete(reply.outcome.clip)
      onFound(reply.outcome)
    }
    onProgress()
    return undefined
  }
  const end = await pool.run(job, { signal, queueSignal, hear, onWait: onProgress })
  if (!end) return
  // If a thread broke on several clips, each is searched for alone: one bad clip is one failed clip.
  if (end.status === 'lost' && job.clips.length > 1 && !signal.aborted)
    await Promise.all(
      [...open.values()].map((clip) => searchTogether(pool, { ...job, clips: [clip] }, watch)),
    )
  else for (const clip of open.keys()) onFound({ clip, error: end.error })
}

/** `lost`: the thread died or hung, and another may succeed. `failed`: `error` is the reason. */
interface SearchEnd {
  readonly status: 'done' | 'failed' | 'lost'
  readonly error: string
}

type SearchSlot = ThreadSlot<SearchJob, SearchReply, SearchEnd>

/** One thread of the pool, which searches a group of clips at a time. */
const searchSlot = (threadModule: URL, stallMillis: number): SearchSlot =>
  createThreadSlot<SearchJob, SearchReply, SearchEnd>({
    name: 'searching',
    open: () => new Worker(threadModule),
    stallMillis,
    stalled: `no progress for ${stallMillis / 1000} s; the storage hangs or the machine is overloaded; check both, then search again`,
    lost: (error) => ({ status: 'lost', error }),
    closed: { status: 'failed', error: 'the searcher was closed' },
  })
