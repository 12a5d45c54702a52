import type { EachBatchPayload } from 'kafkajs'
import { withTimeout } from '../../../src/async/with-timeout.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { createSliceWork, type RunningSlice, type SliceWorkDependencies, sliceMillis } from './slice-work.ts'

interface SliceDependencies extends SliceWorkDependencies {
  readonly clock: Pick<Clock, 'sleep'>
  /** Aborts when the member stops. */
  readonly stopped: AbortSignal
}

interface WaitingSlice extends RunningSlice {
  /** Resolves to how long the partition stays paused then, in milliseconds. */
  ended: Promise<number>
}

/** The slices that a member handles now: at most one of each partition. */
interface PartitionSlices {
  /** Handles what was fetched of a partition; resolves when kafkajs may go on. */
  handle(payload: EachBatchPayload): Promise<void>
  /** True where a slice has been under way for longer. */
  isAnyOlderThan(millis: number): boolean
  abortAll(): void
  /** Aborts slices of partitions that are no longer ours: what they finish is not committed. */
  abortLost(isOurs: (topic: string, partition: number) => boolean): void
  /** Resolves when no handler is at work. */
  idle(): Promise<void>
}

/**
 * kafkajs fetches from a broker again, and sends its heartbeat, only when all partitions of its last fetch have been handled.
 * So `handle` resolves after a moment and leaves the partition paused while its handler goes on: a slow handler delays
 * neither the other partitions nor the group.
 */
export const createPartitionSlices = (deps: SliceDependencies): PartitionSlices => {
  const { clock, stopped } = deps
  const work = createSliceWork(deps)
  const now = (): number => performance.now()
  const running = new Map<string, WaitingSlice>()

  return {
    handle: async (payload) => {
      const { topic, partition, messages } = payload.batch
      const id = `${topic}-${partition}`
      if (messages.length === 0 || running.has(id)) return
      // Unpaused, kafkajs would fetch the same again and again until it has stopped.
      if (stopped.aborted) {
        payload.pause()
        return
      }
      const abort = new AbortController()
      const slice = { topic, partition, began: now(), abort, isLost: false, ended: Promise.resolve(0) }
      running.set(id, slice)
      slice.ended = work(payload, slice).finally(() => running.delete(id))
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
