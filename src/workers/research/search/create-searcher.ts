import { availableParallelism } from 'node:os'
import type { Recording } from '../recording.ts'
import type { Finding, Searcher, SearchFailure, SearchHold, WantedClip } from '../searcher.ts'
import { groupsOf } from './groups.ts'
import { inbox } from './inbox.ts'
import type { SearchJob, SearchTold } from './search-messages.ts'
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
  /** Of clips of which nothing was told when the search of the group ended. */
  readonly settle: () => void
}

const ownThread = new URL('./search-thread.ts', import.meta.url)

/** Threads that look for clips, each one group at a time, so that the main thread stays punctual. */
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
    const hear = (told: SearchTold): SearchEnd | undefined => {
      if (told.kind === 'done')
        return { status: told.error === undefined ? 'done' : 'failed', error: told.error ?? '' }
      if (told.kind === 'found') {
        open.delete(told.outcome.clip)
        watch.onFound(told.outcome)
      }
      watch.onProgress()
      // Slots see to it that each search goes on or ends, so what waits behind them is not hung.
      for (const other of waiting) other.watch.onProgress()
      return undefined
    }
    const end = await slot.run(job, { signal: watch.signal, hear })
    idle.push(slot)
    // A thread that broke over several clips: each by itself then, that one bad clip is one failed clip.
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
    const outcomes = inbox<Finding | SearchFailure>()
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
