import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import { causeOf, type Message, type TopicSpec } from '../../domain/kernel/message.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { Away } from '../../ports/away.ts'
import type { BatchHandler, Broker, BrokerRecord, Consumption, RecordBatch } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { defect, type Fault, faultOf, noteRefusal } from './aftermath.ts'
import { buryRecord } from './bury-record.ts'
import type { Execute } from './execute.ts'
import { finishAll } from './finish-all.ts'
import type { PartitionWatch } from './resting.ts'
import { faultIn, type Result, resultOf, type StepResult } from './results.ts'
import { sideBySide } from './side-by-side.ts'
import { decodeBatch, lanesOf, type Planned, planBatch, type Step } from './steps.ts'
import { streamHealth } from './stream-health.ts'
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
  /**
   * The commands that each message asks for, on different streams; may look things up for the whole batch at once. Same
   * length, same order. Throws `Away` when something it needs is, `UnusableMessage` for what can never be used; whatever
   * else it throws is a bug, held against the message. Asked for one message alone when it failed for several.
   */
  readonly plan: (messages: readonly Message[]) => Promise<readonly (readonly Plan[])[]>
}

export interface ProcessorDependencies {
  readonly broker: Pick<Broker, 'id' | 'consume'>
  readonly execute: Execute
  readonly partitions: PartitionWatch
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

/** Streams at work at once: one message may concern thousands, and other partitions want to write meanwhile. */
const mostLanes = 500

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
  const { name } = processor
  const { broker, execute, partitions, telemetry, log } = deps
  const topics = new Map(processor.topics.map((topic) => [topic.name, topic]))
  const health = streamHealth(name, deps)

  return async (batch, signal) => {
    const started = performance.now()
    const finished: Finished[] = []
    const front = () => firstUnfinished(batch, finished)
    try {
      return await partitions.watch({ processor: name, batch, signal, front }, async () => {
        const failure = await handle(batch, signal, finished).then(
          () => undefined,
          (error: unknown) => ({ error }),
        )
        const next = front()
        // What goes on behind it is delivered again, and so told then.
        const settled = finished.filter(({ offset }) => offset < next)
        countResults(telemetry, name, settled)
        if (failure && settled.length === 0) throw failure.error
        return next
      })
    } finally {
      health.report()
      telemetry.time('batch_seconds', { processor: name }, (performance.now() - started) / 1000)
    }
  }

  /** Each record goes to `finished` as soon as it is; those that are keep that when others fail. */
  async function handle(batch: RecordBatch, signal: AbortSignal, finished: Finished[]): Promise<void> {
    const { decoded, unfit } = decodeBatch(batch, topics.get(batch.topic)!, broker.id)
    const place = `${batch.topic}/${batch.partition}`
    const { planned, unfit: unplanned } = await health.watch(place, signal, () =>
      planBatch(processor.plan, decoded),
    )
    const lanes = sideBySide(lanesOf(planned), mostLanes, ([stream, steps]) =>
      health.watch(stream, signal, (onStep) => runLane(steps, signal, finished, onStep)),
    )
    const dead = [...unfit, ...unplanned].map(({ record, fault }) =>
      health.watch(`${place}/${record.offset}`, signal, async () => {
        finished.push(await bury(record, fault))
      }),
    )
    const idle = planned
      .filter(({ plans }) => plans.length === 0)
      .map(async (one) => {
        finished.push(await settle(one))
      })
    health.report()
    await finishAll([lanes, finishAll(dead), finishAll(idle)])
  }

  /** Commands of one stream, one after the other; an aborted lane leaves the rest unfinished. */
  async function runLane(
    steps: readonly Step[],
    signal: AbortSignal,
    finished: Finished[],
    onStep: () => void,
  ): Promise<void> {
    for (const step of steps) {
      if (signal.aborted) break
      const { plans, results } = step.of
      results.push(await runStep(step))
      if (results.length === plans.length) finished.push(await settle(step.of))
      onStep()
    }
  }

  async function runStep(step: Step): Promise<StepResult> {
    const { plan } = step
    const { record, message } = step.of
    const span = startSpan(`process ${message.type}`, message.traceparent, {
      'messaging.destination.name': record.topic,
      'messaging.message.id': message.id,
      'fonds.stream': plan.stream,
    })
    try {
      const outcome = await execute(plan.decider, {
        stream: plan.stream,
        command: plan.command as never,
        causationId: causeOf(message),
        correlationId: message.correlationId ?? message.id,
        ...(message.origin && { origin: message.origin }),
        ...(span.traceparent && { traceparent: span.traceparent }),
      })
      if (isLeft(outcome)) return { stream: plan.stream, fault: faultOf(outcome.left) }
      if (outcome.right.kind !== 'rejected') return outcome.right.kind
      const refused = { record, message, stream: plan.stream }
      const fault = await noteRefusal(deps, name, refused, outcome.right.rejection)
      return fault ? { stream: plan.stream, fault } : 'rejected'
    } catch (error) {
      if (error instanceof Away) throw error
      // A bug is the message's problem alone: it is set aside with the error, the others go on.
      log.error({ err: error, topic: record.topic, offset: String(record.offset) }, 'a message had no effect')
      return { stream: plan.stream, fault: defect(error) }
    } finally {
      span.end()
    }
  }

  /** All its commands are finished. One that fell makes it a dead letter; the others keep their effect. */
  async function settle({ record, results }: Planned): Promise<Finished> {
    const fault = faultIn(results)
    return fault ? bury(record, fault) : { offset: record.offset, result: resultOf(results) }
  }

  async function bury(record: BrokerRecord, fault: Fault): Promise<Finished> {
    await buryRecord(deps, name, record, fault)
    return { offset: record.offset, result: 'dead' }
  }
}

/** Everything below it is finished for good. An empty batch finishes nothing. */
const firstUnfinished = ({ records }: RecordBatch, finished: readonly Finished[]): bigint => {
  const offsets = new Set(finished.map(({ offset }) => offset))
  const waiting = records.find(({ offset }) => !offsets.has(offset))
  return waiting?.offset ?? (records.at(-1)?.offset ?? -1n) + 1n
}

const countResults = (telemetry: Telemetry, processor: string, finished: readonly Finished[]) => {
  for (const [outcome, some] of Map.groupBy(finished, ({ result }) => result))
    telemetry.count('messages', { processor, outcome }, some.length)
}
