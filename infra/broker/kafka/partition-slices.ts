import type { EachBatchPayload } from 'kafkajs'
import { backoffMillis } from '../../../src/async/backoff.ts'
import { withTimeout } from '../../../src/async/with-timeout.ts'
import type { BatchHandler } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { handleSlice } from './slice.ts'

/** Longest that kafkajs waits for a partition, and so also about the time between commits. */
const sliceMillis = 1000
/** A partition that is fetched before its group is bound is left alone for so long. */
const unboundMillis = 500

interface SliceDependencies {
  /** Full names of the topics, and ours. */
  readonly topics: ReadonlyMap<string, string>
  readonly batchSize: number
  readonly handler: BatchHandler
  readonly clock: Pick<Clock, 'sleep'>
  readonly onError: (error: unknown, place: { topic: string; partition: number }) => void
  /** True where handling may begin. */
  readonly isBound: () => true | Promise<boolean>
  /** Everything of the partition below `next` is finished. */
  readonly onProgress: (topic: string, partition: number, next: bigint) => void
  readonly commit: () => Promise<void>
  /** Aborts when the member stops. */
  readonly stopped: AbortSignal
}

interface RunningSlice {
  readonly topic: string
  readonly partition: number
  readonly began: number
  readonly abort: AbortController
  /** Another member has the partition. */
  isLost: boolean
  /** Resolves to how long the partition is to be left alone then, in milliseconds. */
  ended: Promise<number>
}

/** What a member handles now: of each partition one slice at most. */
interface PartitionSlices {
  /** Handles what was fetched of a partition; resolves when kafkajs may go on. */
  handle(payload: EachBatchPayload): Promise<void>
  /** True where a slice has been under way for longer. */
  isAnyOlderThan(millis: number): boolean
  abortAll(): void
  /** Aborts what is not ours any more: whatever it finishes is not committed. */
  abortLost(isOurs: (topic: string, partition: number) => boolean): void
  /** Resolves when no handler is at work. */
  idle(): Promise<void>
}

/**
 * kafkajs fetches from a broker again, and sends its heartbeat, only when it has all partitions of its last fetch back.
 * So it waits a moment for a partition and gets it back paused after that, while the handler goes on: a slow one holds
 * up neither the other partitions nor the group.
 */
export const createPartitionSlices = (deps: SliceDependencies): PartitionSlices => {
  const { topics, batchSize, handler, clock, onError, isBound, onProgress, commit, stopped } = deps
  const now = (): number => performance.now()
  const running = new Map<string, RunningSlice>()
  const failures = new Map<string, number>()

  const work = async (
    { batch, resolveOffset }: EachBatchPayload,
    slice: RunningSlice,
    id: string,
  ): Promise<number> => {
    const topic = topics.get(slice.topic)!
    const { partition } = slice
    const { signal } = slice.abort
    const bound = isBound()
    if (bound !== true && !(await bound)) return unboundMillis
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
      isOver: () => now() - slice.began > sliceMillis,
      onProgress: finished,
    })
    // Behind the last record there may be control records of transactions, which nobody handles.
    if (complete) finished(BigInt(batch.lastOffset()) + 1n)
    await commit()
    if (!failure || signal.aborted) return 0
    if (failure !== 'standstill') onError(failure.thrown, { topic, partition })
    const before = failures.get(id) ?? 0
    failures.set(id, before + 1)
    return backoffMillis(before)
  }

  return {
    handle: async (payload) => {
      const { topic, partition, messages } = payload.batch
      const id = `${topic}-${partition}`
      if (messages.length === 0 || running.has(id)) return
      // Without a pause, kafkajs would fetch the same again and again until it has stopped.
      if (stopped.aborted) {
        payload.pause()
        return
      }
      const abort = new AbortController()
      const slice = { topic, partition, began: now(), abort, isLost: false, ended: Promise.resolve(0) }
      running.set(id, slice)
      slice.ended = work(payload, slice, id).finally(() => running.delete(id))
      if ((await withTimeout(slice.ended, sliceMillis, () => undefined)) === 0) return
      const resume = payload.pause()
      void slice.ended.then((millis) => clock.sleep(millis, stopped)).then(resume)
    },
    isAnyOlderThan: (millis) => Array.from(running.values()).some(({ began }) => now() - began > millis),
    abortAll: () => {
      for (const { abort } of running.values()) abort.abort()
    },
    abortLost: (isOurs) => {
      for (const slice of running.values()) {
        if (isOurs(slice.topic, slice.partition)) continue
        slice.isLost = true
        slice.abort.abort()
      }
    },
    idle: async () => {
      await Promise.all(Array.from(running.values(), ({ ended }) => ended))
    },
  }
}
