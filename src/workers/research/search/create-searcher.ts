import { availableParallelism } from 'node:os'
import { createInbox } from '../../runtime/inbox.ts'
import type { Recording } from '../recording.ts'
import type { Finding, Searcher, SearchFailure, SearchHold, WantedClip } from '../searcher.ts'
import { groupsOf } from './groups.ts'
import type { SearchJob, SearchReply } from './search-messages.ts'
import { type SearchEnd, type SearchSlot, searchSlot } from './search-slot.ts'
import { engine, rate } from './settings.ts'

export interface SearcherOptions {
  /** Default: one a core. */
  readonly threads?: number
  /** A search that shows no progress for so long fails, and its thread is replaced. Default: 60 s. */
  readonly stallMillis?: number
  /** What the threads run. Default: `search-thread.ts`. */
  readonly threadModule?: URL
}

interface SearchWatch {
  readonly signal: AbortSignal
  readonly onProgress: () => void
  readonly onFound: (outcome: Finding | SearchFailure) => void
}

interface Waiting {
  readonly job: SearchJob
  readonly watch: SearchWatch
  /** Called when the search of the group has ended. */
  readonly settle: () => void
}

const ownThread = new URL('./search-thread.ts', import.meta.url)

/** A pool of threads that search, each one group of clips at a time: the main thread stays responsive. */
export const createSearcher = (options: SearcherOptions = {}): Searcher => {
  const { threads = availableParallelism(), stallMillis = 60_000, threadModule = ownThread } = options
  if (!Number.isSafeInteger(threads) || threads < 1)
    throw new RangeError(`threads: wants a whole number from 1, got ${threads}`)
  const slots = Array.from({ length: threads }, () => searchSlot(threadModule, stallMillis))
  const idle = [...slots]
  const waiting = new Set<Waiting>()
  const closing = new AbortController()

  const next = () => {
    for (const piece of waiting) {
      const slot = idle.pop()
      if (!slot) return
      waiting.delete(piece)
      void attend(piece, slot)
    }
  }

  const attend = async ({ job, watch, settle }: Waiting, slot: SearchSlot) => {
    const open = new Map(job.clips.map((clip) => [clip.id, clip]))
    const hear = (reply: SearchReply): SearchEnd | undefined => {
      if (reply.kind === 'done')
        return { status: reply.error === undefined ? 'done' : 'failed', error: reply.error ?? '' }
      if (reply.kind === 'found') {
        open.delete(reply.outcome.clip)
        watch.onFound(reply.outcome)
      }
      watch.onProgress()
      // A slot ends a search that hangs: what waits behind it is not hung.
      for (const other of waiting) other.watch.onProgress()
      return undefined
    }
    const end = await slot.run(job, { signal: watch.signal, hear })
    idle.push(slot)
    // A thread that broke over several clips searches each alone: one bad clip is one failed clip.
    if (end.status === 'lost' && job.clips.length > 1 && !watch.signal.aborted && !closing.signal.aborted)
      await Promise.all([...open.values()].map((clip) => enqueue({ ...job, clips: [clip] }, watch)))
    else for (const clip of open.keys()) watch.onFound({ clip, error: end.error })
    settle()
    next()
  }

  const enqueue = (job: SearchJob, watch: SearchWatch): Promise<void> =>
    new Promise((settle) => {
      waiting.add({ job, watch, settle })
      next()
    })

  const search = async function* (
    episode: Recording,
    clips: readonly WantedClip[],
    { signal, progress, winding }: SearchHold,
  ): AsyncGenerator<Finding | SearchFailure> {
    signal.throwIfAborted()
    closing.signal.throwIfAborted()
    const left = new AbortController()
    const ended = AbortSignal.any([signal, closing.signal, left.signal])
    const outcomes = createInbox<Finding | SearchFailure>()
    const watch: SearchWatch = { signal: ended, onProgress: progress, onFound: outcomes.put }
    const beginNoMore = () => {
      for (const piece of waiting) if (piece.watch === watch && waiting.delete(piece)) piece.settle()
    }
    const drop = () => {
      beginNoMore()
      outcomes.end({ error: ended.reason })
    }
    ended.addEventListener('abort', drop, { once: true })
    winding?.addEventListener('abort', beginNoMore, { once: true, signal: left.signal })
    const all = groupsOf(clips, threads).map((group) => enqueue({ episode, clips: group }, watch))
    void Promise.all(all).then(() => outcomes.end())
    try {
      yield* outcomes.items()
    } finally {
      left.abort()
    }
  }

  return {
    engine,
    rate,
    search,
    close: async () => {
      closing.abort(new Error('the searcher was closed'))
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}
