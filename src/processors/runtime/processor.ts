import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { readMessage } from '../../domain/kernel/cloud-event.ts'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import { causeOf, type Message, type TopicSpec } from '../../domain/kernel/message.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { Away } from '../../ports/away.ts'
import type { BatchHandler, Broker, BrokerRecord, Consumption, RecordBatch } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { buryRecord, type Fault, noteRefusal } from './aftermath.ts'
import type { Execute, ExecuteFailure } from './execute.ts'
import { startSpan } from './tracing.ts'

/** One command aimed at one stream, with the decider that judges it. */
export interface Plan<
  S = never,
  C extends Command = Command,
  E extends DomainEvent = DomainEvent,
  R extends Rejection = Rejection,
> {
  readonly decider: Decider<S, C, E, R>
  readonly stream: string
  readonly command: C
}

/** A consumer group's work: messages of some topics become commands. */
export interface Processor {
  /** Also the consumer group's name. */
  readonly name: string
  readonly topics: readonly TopicSpec[]
  /** What each message asks for; may look things up for the whole batch at once. Same length, same order. */
  readonly plan: (messages: readonly Message[]) => Promise<readonly Plan[]>
}

export interface ProcessorDependencies {
  readonly broker: Broker
  readonly execute: Execute
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

/** What a record came to. */
type Result = 'done' | 'unchanged' | 'repeated' | 'rejected' | 'dead'

interface Finished {
  readonly offset: bigint
  readonly result: Result
}

/** Joins the group and works until stopped. At least once in, effectively once out. */
export const runProcessor = (processor: Processor, deps: ProcessorDependencies): Promise<Consumption> =>
  deps.broker.consume(
    { group: processor.name, topics: processor.topics.map((topic) => topic.name) },
    batchHandler(processor, deps),
  )

export const batchHandler = (processor: Processor, deps: ProcessorDependencies): BatchHandler => {
  const topics = new Map(processor.topics.map((topic) => [topic.name, topic]))
  const labels = { processor: processor.name }
  const { telemetry } = deps

  return async (batch, signal) => {
    const started = performance.now()
    try {
      const finished = await handleBatch(batch, signal)
      telemetry.gauge('streams_failing', labels, 0)
      countResults(telemetry, processor.name, finished)
      return firstUnfinished(batch, finished)
    } catch (error) {
      telemetry.gauge('streams_failing', labels, 1)
      throw error
    } finally {
      telemetry.gauge('streams_busy', labels, 0)
      telemetry.time('batch_seconds', labels, (performance.now() - started) / 1000)
    }
  }

  async function handleBatch(batch: RecordBatch, signal: AbortSignal): Promise<Finished[]> {
    const { decoded, unusable } = decodeBatch(batch, topics.get(batch.topic)!, deps.broker.id)
    const { steps, broken } = await planBatch(decoded)
    const lanes = laneByStream(steps)
    telemetry.gauge('streams_busy', labels, lanes.length)
    const dead = [...unusable, ...broken].map(({ record, fault }) => bury(record, fault))
    return (await Promise.all([...lanes.map((lane) => runLane(lane, signal)), ...dead])).flat()
  }

  /** All at once; when that fails because of one message, each by itself, so that the culprit is found. */
  async function planBatch(decoded: readonly Decoded[]): Promise<{ steps: Step[]; broken: Unfit[] }> {
    const attempt = async (some: readonly Decoded[]): Promise<Step[]> => {
      const plans = await processor.plan(some.map((one) => one.message))
      return some.map((one, i) => ({ ...one, plan: plans[i]! }))
    }
    try {
      return { steps: await attempt(decoded), broken: [] }
    } catch (error) {
      if (error instanceof Away) throw error
    }
    const steps: Step[] = []
    const broken: Unfit[] = []
    for (const one of decoded)
      try {
        steps.push(...(await attempt([one])))
      } catch (error) {
        if (error instanceof Away) throw error
        broken.push({ record: one.record, fault: defect(error) })
      }
    return { steps, broken }
  }

  /** Commands of one stream, one after the other; an aborted lane leaves the rest unfinished. */
  async function runLane(lane: readonly Step[], signal: AbortSignal): Promise<Finished[]> {
    const finished: Finished[] = []
    for (const step of lane) {
      if (signal.aborted) break
      finished.push({ offset: step.record.offset, result: await runStep(step) })
    }
    return finished
  }

  async function bury(record: BrokerRecord, fault: Fault): Promise<Finished[]> {
    await buryRecord(deps, processor.name, record, fault)
    return [{ offset: record.offset, result: 'dead' }]
  }

  async function runStep({ record, message, plan }: Step): Promise<Result> {
    const span = startSpan(`process ${message.type}`, message.traceparent, {
      'messaging.destination.name': record.topic,
      'messaging.message.id': message.id,
      'fonds.stream': plan.stream,
    })
    try {
      const outcome = await deps.execute(plan.decider, {
        stream: plan.stream,
        command: plan.command as never,
        causationId: causeOf(message),
        correlationId: message.correlationId ?? message.id,
        ...(message.origin && { origin: message.origin }),
        ...(span.traceparent && { traceparent: span.traceparent }),
      })
      if (isLeft(outcome)) return await failed(record, outcome.left)
      if (outcome.right.kind === 'rejected') {
        await noteRefusal(deps, processor.name, record, message, plan.stream, outcome.right.rejection)
        telemetry.count('failures', { ...labels, reason: outcome.right.rejection.code })
      }
      return outcome.right.kind
    } catch (error) {
      if (error instanceof Away) throw error
      // A bug is the message's problem alone: it is set aside with the error, the others go on.
      deps.log.error(
        { err: error, topic: record.topic, offset: String(record.offset) },
        'a message could not be handled',
      )
      await buryRecord(deps, processor.name, record, defect(error))
      return 'dead'
    } finally {
      span.end()
    }
  }

  async function failed(record: BrokerRecord, failure: ExecuteFailure): Promise<Result> {
    switch (failure.kind) {
      case 'TooLarge':
        await buryRecord(deps, processor.name, record, {
          reason: 'too-large',
          message: `what it leads to takes ${failure.bytes} bytes, the log takes ${failure.limit}; split it`,
        })
        return 'dead'
      case 'StreamDeleted':
        await buryRecord(deps, processor.name, record, {
          reason: 'stream-deleted',
          message: `${failure.stream} was deleted for good and takes nothing more`,
        })
        return 'dead'
      case 'Contended':
        throw new Away(`${failure.stream}: other writers were faster ${failure.tries} times`)
      case 'Unavailable':
        throw new Away(failure.reason)
    }
  }
}

interface Decoded {
  readonly record: BrokerRecord
  readonly message: Message
}

interface Step extends Decoded {
  readonly plan: Plan
}

interface Unfit {
  readonly record: BrokerRecord
  readonly fault: Fault
}

const defect = (error: unknown): Fault => ({
  reason: 'defect',
  message: `handling it failed: ${(error as Error).message}; please report this, then retry it`,
})

const decodeBatch = (batch: RecordBatch, topic: TopicSpec, log: string) => {
  const decoded: Decoded[] = []
  const unusable: Unfit[] = []
  for (const record of batch.records) {
    const read = readMessage({ ...record, log }, topic)
    if (read._tag === 'Right') decoded.push({ record, message: read.right })
    else unusable.push({ record, fault: read.left })
  }
  return { decoded, unusable }
}

/** Order is kept in a stream; streams run side by side. */
const laneByStream = (steps: readonly Step[]): readonly (readonly Step[])[] => {
  const lanes = new Map<string, Step[]>()
  for (const step of steps) {
    const lane = lanes.get(step.plan.stream)
    if (lane) lane.push(step)
    else lanes.set(step.plan.stream, [step])
  }
  return [...lanes.values()]
}

/** Everything below it is finished for good. */
const firstUnfinished = (batch: RecordBatch, finished: readonly Finished[]): bigint => {
  if (finished.length < batch.records.length) {
    const offsets = new Set(finished.map((one) => one.offset))
    const waiting = batch.records.find((record) => !offsets.has(record.offset))
    if (waiting) return waiting.offset
  }
  return batch.records.at(-1)!.offset + 1n
}

const countResults = (telemetry: Telemetry, processor: string, finished: readonly Finished[]) => {
  const counts = new Map<Result, number>()
  for (const { result } of finished) counts.set(result, (counts.get(result) ?? 0) + 1)
  for (const [outcome, count] of counts) telemetry.count('messages', { processor, outcome }, count)
}
