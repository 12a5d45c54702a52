import { availableParallelism } from 'node:os'
import { createThreadPool } from '../../async/threads/thread-pool.ts'
import type { HashJob, HashOutcome, HashReply } from './hash-messages.ts'
import { createHashSlot } from './hash-slot.ts'
import { createThrottleState } from './throttle.ts'

interface HashPoolOptions {
  /** Default: one a core. More pays where the storage answers slowly. */
  readonly threads?: number
  /** A module whose default export opens a content store: `(root: string) => ContentStore`. */
  readonly contentStoreModule: URL
  /** For all threads together. */
  readonly throttle?: { readonly bytesPerSecond?: number }
  /** A reading that gives no byte for so long is ended, and its thread replaced. Default: 60 s. */
  readonly stallMillis?: number
}

interface HashWatch {
  readonly signal?: AbortSignal
  /** Bytes of this reading so far; at most every 100 ms or 16 MiB. 0 while it waits and others are read. */
  readonly onProgress?: (bytes: number) => void
}

export interface HashPool {
  /** Never rejects. Content waits in the order of the calls. */
  hash(request: HashJob & HashWatch): Promise<HashOutcome>
  /** Ends what is under way and what waits as `aborted`. To finish them, await their `hash` first. */
  close(): Promise<void>
}

/** Threads that read and digest content, each one piece at a time, so that the main thread stays responsive. */
export const createHashPool = (options: HashPoolOptions): HashPool => {
  const { threads = availableParallelism(), contentStoreModule, throttle, stallMillis = 60_000 } = options
  const settings = {
    contentStoreModule: contentStoreModule.href,
    ...(throttle?.bytesPerSecond !== undefined && { throttle: createThrottleState(throttle.bytesPerSecond) }),
  }
  const pool = createThreadPool(threads, () => createHashSlot(settings, stallMillis))

  return {
    hash: async ({ signal, onProgress, ...job }) => {
      const hear = (reply: HashReply): HashOutcome | undefined => {
        if (reply.kind === 'done') return reply.outcome
        onProgress?.(reply.bytes)
        return undefined
      }
      const onWait = () => onProgress?.(0)
      const outcome = await pool.run(job, { hear, onWait, ...(signal && { signal }) })
      return outcome ?? { status: 'aborted' }
    },
    close: pool.close,
  }
}
