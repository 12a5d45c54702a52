import { availableParallelism } from 'node:os'
import type { HashJob, HashOutcome, HashTold } from './hash-messages.ts'
import { createHashSlot } from './hash-slot.ts'
import { createThrottleState } from './throttle.ts'

export interface HashPoolOptions {
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
  /** Bytes of the present reading so far; at most every 100 ms or 16 MiB. None while it waits and others are read. */
  readonly onProgress?: (bytes: number) => void
}

export interface HashPool {
  /** Never rejects. Content waits its turn in the order of asking. */
  hash(request: HashJob & HashWatch): Promise<HashOutcome>
  /** Ends what is under way and what waits as `aborted`. To finish them, await their `hash` first. */
  close(): Promise<void>
}

interface Waiting {
  readonly job: HashJob
  readonly watch: HashWatch
  readonly settle: (outcome: HashOutcome) => void
}

/** Threads that read and digest content, each one piece at a time, so that the main thread stays responsive. */
export const createHashPool = (options: HashPoolOptions): HashPool => {
  const { threads = availableParallelism(), contentStoreModule, throttle, stallMillis = 60_000 } = options
  if (!Number.isSafeInteger(threads) || threads < 1)
    throw new RangeError(`threads: wants a whole number from 1, got ${threads}`)
  const settings = {
    contentStoreModule: contentStoreModule.href,
    ...(throttle?.bytesPerSecond !== undefined && { throttle: createThrottleState(throttle.bytesPerSecond) }),
  }
  const slots = Array.from({ length: threads }, () => createHashSlot(settings, stallMillis))
  const idle = [...slots]
  const waiting = new Set<Waiting>()
  let closed = false

  const next = () => {
    for (const piece of waiting) {
      const slot = idle.pop()
      if (!slot) return
      waiting.delete(piece)
      const hear = (told: HashTold): HashOutcome | undefined => {
        if (told.kind === 'done') return told.outcome
        piece.watch.onProgress?.(told.bytes)
        tellWaiting()
        return undefined
      }
      const { signal } = piece.watch
      void slot.run(piece.job, { hear, ...(signal && { signal }) }).then((outcome) => {
        idle.push(slot)
        next()
        tellWaiting()
        piece.settle(outcome)
      })
    }
  }

  /** Jobs that wait show progress, too: slots make sure that each job before them goes on or ends. */
  const tellWaiting = () => {
    for (const { watch } of waiting) watch.onProgress?.(0)
  }

  const hash = ({ signal, onProgress, ...job }: HashJob & HashWatch): Promise<HashOutcome> =>
    new Promise((resolve) => {
      if (closed || signal?.aborted) return resolve({ status: 'aborted' })
      const dropOut = () => {
        if (waiting.delete(piece)) piece.settle({ status: 'aborted' })
      }
      const piece: Waiting = {
        job,
        watch: { ...(signal && { signal }), ...(onProgress && { onProgress }) },
        settle: (outcome) => {
          signal?.removeEventListener('abort', dropOut)
          resolve(outcome)
        },
      }
      signal?.addEventListener('abort', dropOut, { once: true })
      waiting.add(piece)
      next()
    })

  return {
    hash,
    close: async () => {
      closed = true
      const left = [...waiting]
      waiting.clear()
      for (const piece of left) piece.settle({ status: 'aborted' })
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}
