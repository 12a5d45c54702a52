import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { createThreadPool } from '../../async/threads/thread-pool.ts'
import { createThreadSlot, type ThreadSlot } from '../../async/threads/thread-slot.ts'
import type { Seen } from './examine.ts'
import type { HashOutcome } from './hash-content.ts'
import type { ExamineJob, HashJob, HashReply, ThreadSettings } from './hash-messages.ts'
import type { ThrottleState } from './throttle.ts'

interface HashPoolOptions {
  /** Default: one per core. More help if the storage answers slowly. */
  readonly threads?: number
  /** A module whose default export opens a content store: `(root: string, settings?: unknown) => ContentStore`. */
  readonly contentStoreModule: URL
  /** Structured-clonable. */
  readonly contentSettings?: unknown
  /** Shared by all threads, and by all pools that have it. */
  readonly throttle?: ThrottleState | undefined
  /** A reading that yields no byte for so long is aborted, and its thread replaced. Default: 60 s. */
  readonly stallMillis?: number
}

interface HashWatch {
  readonly signal?: AbortSignal
  /** Bytes of this reading so far; at most every 100 ms. 0 while it waits and others are read. */
  readonly onProgress?: (bytes: number) => void
}

/**
 * `broken`: the thread died or hung with this error at the file of this index; undefined if it had begun none. Of several
 * that were read at once it is the first that was not done.
 */
export type ExamineOutcome =
  | { readonly status: 'all' | 'aborted' }
  /** This machine can read nothing at present: nothing is known of the files that were not seen. */
  | { readonly status: 'machine'; readonly reason: string }
  | {
      readonly status: 'broken'
      readonly at: number | undefined
      readonly isOneOfSeveral: boolean
      readonly error: string
    }

export interface HashPool {
  /** Never rejects. Content waits in the order of the calls. */
  hash(request: HashJob & HashWatch): Promise<HashOutcome>
  /**
   * Checks files in their order, in one thread; `onSeen` gets observations in their order, as they come. Never
   * rejects.
   */
  examineAll(
    request: Omit<ExamineJob, 'at'> &
      HashWatch & {
        readonly onSeen: (seen: readonly Seen[]) => void
        /** It keeps this thread as busy as its own: half of the threads do such jobs. */
        readonly isLight?: boolean
      },
  ): Promise<ExamineOutcome>
  /** Starts the threads, which otherwise start when they are first needed. */
  start(): void
  /** Ends running and waiting jobs as `aborted`. To finish them, await their `hash` first. */
  close(): Promise<void>
}

/** Threads that read and digest content, each one piece at a time, so that the main thread stays responsive. */
export const createHashPool = (options: HashPoolOptions): HashPool => {
  const { threads = availableParallelism(), stallMillis = 60_000 } = options
  const { contentStoreModule, contentSettings, throttle } = options
  const settings = {
    contentStoreModule: contentStoreModule.href,
    ...(contentSettings !== undefined && { contentSettings }),
    ...(throttle && { throttle }),
  }
  const pool = createThreadPool(threads, () => createHashSlot(settings, stallMillis), Math.ceil(threads / 2))

  const run = async (
    job: HashJob | ExamineJob,
    { signal, onProgress }: HashWatch,
    onSeen: (seen: readonly Seen[]) => void = () => {},
    isLight = false,
  ): Promise<SlotOutcome> => {
    const hear = (reply: HashReply): SlotOutcome | undefined => {
      if (reply.kind === 'done') return reply.outcome
      if (reply.kind === 'progress') onProgress?.(reply.bytes)
      else {
        onSeen(reply.seen)
        onProgress?.(0)
        if (reply.isLast) return { status: 'seen' }
      }
      return undefined
    }
    const onWait = () => onProgress?.(0)
    const outcome = await pool.run(job, { hear, onWait, isLight, ...(signal && { signal }) })
    return outcome ?? { status: 'aborted' }
  }

  return {
    hash: async ({ signal, onProgress, ...job }) => {
      const outcome = await run(job, { ...(signal && { signal }), ...(onProgress && { onProgress }) })
      return outcome.status === 'seen' ? { status: 'aborted' } : outcome
    },
    examineAll: async ({ signal, onProgress, onSeen, isLight, ...job }) => {
      const watch = { ...(signal && { signal }), ...(onProgress && { onProgress }) }
      const at = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)).fill(-1)
      const outcome = await run({ ...job, at: at.buffer }, watch, onSeen, isLight)
      if (outcome.status === 'aborted') return { status: 'aborted' }
      if (outcome.status === 'machine') return outcome
      if (outcome.status !== 'failed') return { status: 'all' }
      const i = Atomics.load(at, 0)
      const isOneOfSeveral = Atomics.load(at, 1) > 1
      return { status: 'broken', at: i < 0 ? undefined : i, isOneOfSeveral, error: outcome.error }
    },
    start: pool.start,
    close: pool.close,
  }
}

/** `seen`: all files of the job were checked. */
type SlotOutcome = HashOutcome | { readonly status: 'seen' }
type HashSlot = ThreadSlot<HashJob | ExamineJob, HashReply, SlotOutcome>

const threadModule = new URL('./hash-thread.ts', import.meta.url)

/** One thread of the pool, which reads and digests. */
const createHashSlot = (settings: ThreadSettings, stallMillis: number): HashSlot =>
  createThreadSlot<HashJob | ExamineJob, HashReply, SlotOutcome>({
    name: 'hashing',
    open: () => new Worker(threadModule, { workerData: settings }),
    stallMillis,
    stalled: `no bytes for ${stallMillis / 1000} s; the storage hangs or is too slow; check it, then check the file again`,
    lost: (error) => ({ status: 'failed', error }),
    closed: { status: 'aborted' },
  })
