import { finishAll } from '../../async/finish-all.ts'
import { invalidReasons } from '../../domain/kernel/invalid-message.ts'
import type { BatchHandler, RecordBatch } from '../../ports/broker.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { type Finished, finishInvalid, finishRecord } from './finish-record.ts'
import type { Processor } from './processor.ts'
import type { PartitionWatch } from './resting.ts'
import { byWeight } from './results.ts'
import { keepsByReference, sealedMessages } from './sealed-messages.ts'
import { decodeBatch, routeBatch, stepsOf } from './steps.ts'
import { type StreamHealth, streamHealth } from './stream-health.ts'
import { type StreamWorkDependencies, streamWorker } from './stream-work.ts'

export interface BatchDependencies extends StreamWorkDependencies {
  readonly partitions: PartitionWatch
}

interface OpenBatch {
  readonly batch: RecordBatch
  /** Aborts when the partition is revoked. */
  readonly signal: AbortSignal
  /** Records are added one by one, so that finished ones stay so when others fail. */
  readonly finished: Finished[]
}

/**
 * Throws a failure if no record before it is finished. Otherwise the finished ones count, and the rest is delivered
 * again.
 */
export const batchHandler = (processor: Processor, deps: BatchDependencies): BatchHandler => {
  const { name } = processor
  const { partitions, telemetry } = deps
  const health = streamHealth(name, deps)
  startSeries(telemetry, name)
  health.report()
  const handleRecords = recordsHandler(processor, deps, health)

  return async (batch, signal) => {
    const started = performance.now()
    const finished: Finished[] = []
    const front = () => firstUnfinished(batch, finished)
    const work = async () => {
      const failure = await handleRecords({ batch, signal, finished }).then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      const next = front()
      // A record behind `next` is delivered again, and counted then.
      const done =
        finished.length === batch.records.length ? finished : finished.filter(({ offset }) => offset < next)
      countResults(telemetry, name, done)
      if (failure && done.length === 0) throw failure.error
      return next
    }
    try {
      return await partitions.watch({ processor: name, batch, signal, front }, work)
    } finally {
      health.report()
      telemetry.time('batch_seconds', { processor: name }, (performance.now() - started) / 1000)
    }
  }
}

/** Begins each series at 0, so that a rate shows its first increment. */
const startSeries = (telemetry: Telemetry, processor: string): void => {
  for (const outcome of byWeight) telemetry.count('messages', { processor, outcome }, 0)
  for (const reason of invalidReasons) telemetry.count('dead_letters', { processor, reason }, 0)
}

/** Streams, dead letters and records without commands are handled in parallel. */
const recordsHandler = (processor: Processor, deps: BatchDependencies, health: StreamHealth) => {
  const { name } = processor
  const topics = new Map(processor.topics.map((topic) => [topic.name, topic]))
  const workOnStreams = streamWorker(name, deps, health)

  return async ({ batch, signal, finished }: OpenBatch): Promise<void> => {
    const topic = topics.get(batch.topic)!
    const read = decodeBatch(batch, topic, deps.broker.id)
    const { invalid } = read
    const partition = `${batch.topic}/${batch.partition}`
    const decoded = keepsByReference(deps)
      ? await health.watch(partition, signal, () => sealedMessages(deps, topic, read.decoded))
      : read.decoded
    const { routed, invalid: unrouted } = await health.watch(partition, signal, () =>
      routeBatch(processor.route, decoded),
    )
    const streams = workOnStreams({ steps: stepsOf(routed), partition, signal, finished })
    const dead = [...invalid, ...unrouted].map((one) =>
      health.watch(`${partition}/${one.record.offset}`, signal, async () => {
        finished.push(await finishInvalid(name, deps, one))
      }),
    )
    const idle = routed
      .filter(({ routes }) => routes.length === 0)
      .map(async (one) => {
        finished.push(await finishRecord(name, deps, one.record, []))
      })
    health.report()
    await finishAll<unknown>([streams, finishAll(dead), finishAll(idle)])
  }
}

/** Returns the first offset that is not finished. An empty batch finishes nothing. */
const firstUnfinished = ({ records }: RecordBatch, finished: readonly Finished[]): bigint => {
  if (finished.length === records.length) return (records.at(-1)?.offset ?? -1n) + 1n
  const offsets = new Set(finished.map(({ offset }) => offset))
  const waiting = records.find(({ offset }) => !offsets.has(offset))
  return waiting?.offset ?? (records.at(-1)?.offset ?? -1n) + 1n
}

const countResults = (telemetry: Telemetry, processor: string, finished: readonly Finished[]) => {
  for (const [outcome, some] of Map.groupBy(finished, ({ result }) => result))
    telemetry.count('messages', { processor, outcome }, some.length)
}
