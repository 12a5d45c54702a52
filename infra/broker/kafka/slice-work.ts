import type { EachBatchPayload } from 'kafkajs'
import { backoffMillis, whileAway } from '../../../src/async/backoff.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { BatchHandler } from '../../../src/ports/broker.ts'
import { handleSlice } from './slice.ts'

/** Longest that kafkajs waits for a partition, and so also about the time between commits. */
export const sliceMillis = 1000
/** A partition that is fetched before its group is bound stays paused for so long. */
const unboundMillis = 500

export interface SliceWorkDependencies {
  /** Full names of the topics, and ours. */
  readonly topics: ReadonlyMap<string, string>
  readonly batchSize: number
  readonly handler: BatchHandler
  readonly onError: (error: unknown, place: { topic: string; partition: number }) => void
  /** True where handling may begin. */
  readonly isBound: () => true | Promise<boolean>
  /** Everything of the partition below `next` is finished. */
  readonly onProgress: (topic: string, partition: number, next: bigint) => void
  readonly commit: () => Promise<void>
}

export interface RunningSlice {
  /** Full name. */
  readonly topic: string
  readonly partition: number
  /** By `performance.now`. */
  readonly began: number
  readonly abort: AbortController
  /** Another member has the partition. */
  isLost: boolean
}

/**
 * Handles what was fetched of a partition, and commits it. Resolves to how long the partition stays paused then, in
 * milliseconds: longer with each failure in a row.
 */
export const createSliceWork = (deps: SliceWorkDependencies) => {
  const { topics, batchSize, handler, onError, isBound, onProgress, commit } = deps
  const failures = new Map<string, number>()

  return async ({ batch, resolveOffset }: EachBatchPayload, slice: RunningSlice): Promise<number> => {
    const bound = isBound()
    if (bound !== true && !(await bound)) return unboundMillis
    const topic = topics.get(slice.topic)!
    const { partition } = slice
    const { signal } = slice.abort
    const id = `${slice.topic}-${partition}`
    const finished = (next: bigint): void => {
      failures.delete(id)
      if (slice.isLost) return
      resolveOffset(String(next - 1n))
      onProgress(slice.topic, partition, next)
    }
    const { complete, failure } = await handleSlice({
      topic,
      partition,
      messages: batch.messages,
      batchSize,
      handler,
      signal,
      isOver: () => performance.now() - slice.began > sliceMillis,
      onProgress: finished,
    })
    // Behind the last record there may be control records of transactions, which nobody handles.
    if (complete) finished(BigInt(batch.lastOffset()) + 1n)
    await commit()
    if (!failure || signal.aborted) return 0
    if (failure !== 'standstill') onError(failure.thrown, { topic, partition })
    const before = failures.get(id) ?? 0
    failures.set(id, before + 1)
    const isAway = failure !== 'standstill' && failure.thrown instanceof UnavailableError
    return backoffMillis(before, isAway ? whileAway : {})
  }
}
