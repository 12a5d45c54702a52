import { finishAll } from '../../async/finish-all.ts'
import { sideBySide } from '../../async/side-by-side.ts'
import type { BatchHandler, RecordBatch } from '../../ports/broker.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { executeStep } from './execute-step.ts'
import { type Finished, finishInvalid, finishRecord } from './finish-record.ts'
import type { OutcomeDependencies } from './outcomes.ts'
import type { Processor } from './processor.ts'
import type { PartitionWatch } from './resting.ts'
import { decodeBatch, routeBatch, type Step, streamQueues } from './steps.ts'
import { type StreamHealth, streamHealth } from './stream-health.ts'

export interface BatchDependencies extends OutcomeDependencies {
  readonly partitions: PartitionWatch
}

interface OpenBatch {
  readonly batch: RecordBatch
  /** Aborts when the partition is no longer ours. */
  readonly signal: AbortSignal
  /** Records are added one by one, so that those which are finished stay so when others fail. */
  readonly finished: Finished[]
}

/** Streams at work at once: one message may concern thousands, and other partitions want to write meanwhile. */
const maxStreams = 500

/** A failure is thrown where no record before it is finished; else what is finished counts, and the rest is delivered again. */
export const batchHandler = (processor: Processor, deps: BatchDependencies): BatchHandler => {
  const { name } = processor
  const { partitions, telemetry } = deps
  const health = streamHealth(name, deps)
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
      const done = finished.filter(({ offset }) => offset < next)
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

/** Streams, dead letters and records without commands go side by side. */
const recordsHandler = (processor: Processor, deps: BatchDependencies, health: StreamHealth) => {
  const { name } = processor
  const topics = new Map(processor.topics.map((topic) => [topic.name, topic]))

  /** Commands of one stream, one after the other; an aborted queue leaves the rest unfinished. */
  const runQueue = async (
    steps: readonly Step[],
    { signal, finished }: OpenBatch,
    onStep: () => void,
  ): Promise<void> => {
    for (const step of steps) {
      if (signal.aborted) break
      const { routes, results } = step.of
      results.push(await executeStep(name, deps, step))
      if (results.length === routes.length) {
        const done = finishRecord(name, deps, step.of)
        finished.push(done instanceof Promise ? await done : done)
      }
      onStep()
    }
  }

  return async (open: OpenBatch): Promise<void> => {
    const { batch, signal, finished } = open
    const { decoded, invalid } = decodeBatch(batch, topics.get(batch.topic)!, deps.broker.id)
    const partition = `${batch.topic}/${batch.partition}`
    const { routed, invalid: unrouted } = await health.watch(partition, signal, () =>
      routeBatch(processor.route, decoded),
    )
    const queues = sideBySide(streamQueues(routed), maxStreams, ([stream, steps]) =>
      health.watch(stream, signal, (onStep) => runQueue(steps, open, onStep)),
    )
    const dead = [...invalid, ...unrouted].map((one) =>
      health.watch(`${partition}/${one.record.offset}`, signal, async () => {
        finished.push(await finishInvalid(name, deps, one))
      }),
    )
    const idle = routed
      .filter(({ routes }) => routes.length === 0)
      .map(async (one) => {
        finished.push(await finishRecord(name, deps, one))
      })
    health.report()
    await finishAll([queues, finishAll(dead), finishAll(idle)])
  }
}

/** All below it is finished for good. An empty batch finishes nothing. */
const firstUnfinished = ({ records }: RecordBatch, finished: readonly Finished[]): bigint => {
  const offsets = new Set(finished.map(({ offset }) => offset))
  const waiting = records.find(({ offset }) => !offsets.has(offset))
  return waiting?.offset ?? (records.at(-1)?.offset ?? -1n) + 1n
}

const countResults = (telemetry: Telemetry, processor: string, finished: readonly Finished[]) => {
  for (const [outcome, some] of Map.groupBy(finished, ({ result }) => result))
    telemetry.count('messages', { processor, outcome }, some.length)
}
