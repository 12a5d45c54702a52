import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { finishAll } from '../../async/finish-all.ts'
import { sideBySide } from '../../async/side-by-side.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { InvalidMessage } from '../../domain/kernel/invalid-message.ts'
import { causeOf, type Message, type TopicSpec } from '../../domain/kernel/message.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type {
  BatchHandler,
  Broker,
  BrokerRecord,
  ConsumeOptions,
  Consumption,
  RecordBatch,
} from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { deadLetterRecord } from './dead-letter-record.ts'
import type { Execute } from './execute.ts'
import { defect, invalidBy, noteRejection } from './outcomes.ts'
import type { PartitionWatch } from './resting.ts'
import { invalidIn, type Result, resultOf, type StepResult } from './results.ts'
import { decodeBatch, type Routed, routeBatch, type Step, streamQueues } from './steps.ts'
import { streamHealth } from './stream-health.ts'
import { startSpan } from './tracing.ts'

/** One command aimed at one stream, with the decider that judges it. */
export interface Route<
  S = never,
  C extends Command = Command,
  E extends DomainEvent = DomainEvent,
  R extends Rejection = Rejection,
> {
  readonly decider: Decider<S, C, E, R, unknown>
  readonly stream: string
  readonly command: C
}

/** A consumer group's work: messages of some topics become commands. */
export interface Processor {
  /** As rejections, dead letters and metrics say it. */
  readonly name: string
  /** Its consumer group, `fonds.<workflow>.<processor>`, where that is not its name. */
  readonly group?: string
  readonly topics: readonly TopicSpec[]
  /**
   * The commands that each message asks for, on different streams; may look things up for the whole batch at once. Same
   * length, same order. Throws `UnavailableError` when something it needs is, `InvalidMessageError` for what can never be used; whatever
   * else it throws is a bug, held against the message. Asked for one message alone when it failed for several.
   */
  readonly route: (messages: readonly Message[]) => Promise<readonly (readonly Route[])[]>
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
const maxStreams = 500

interface Finished {
  readonly offset: bigint
  readonly result: Result
}

/** Until groups were named one way, a processor's was called as the processor. */
export const groupOf = ({ name, group = name }: Processor): Pick<ConsumeOptions, 'group' | 'formerGroup'> =>
  group === name ? { group } : { group, formerGroup: name }

/** Joins the group and works until stopped. At least once in, effectively once out. */
export const runProcessor = (processor: Processor, deps: ProcessorDependencies): Promise<Consumption> =>
  deps.broker.consume(
    { ...groupOf(processor), topics: processor.topics.map((topic) => topic.name) },
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
        const done = finished.filter(({ offset }) => offset < next)
        countResults(telemetry, name, done)
        if (failure && done.length === 0) throw failure.error
        return next
      })
    } finally {
      health.report()
      telemetry.time('batch_seconds', { processor: name }, (performance.now() - started) / 1000)
    }
  }

  /** Each record goes to `finished` as soon as it is; those that are keep that when others fail. */
  async function handle(batch: RecordBatch, signal: AbortSignal, finished: Finished[]): Promise<void> {
    const { decoded, invalid } = decodeBatch(batch, topics.get(batch.topic)!, broker.id)
    const place = `${batch.topic}/${batch.partition}`
    const { routed, invalid: unrouted } = await health.watch(place, signal, () =>
      routeBatch(processor.route, decoded),
    )
    const done = sideBySide(streamQueues(routed), maxStreams, ([stream, steps]) =>
      health.watch(stream, signal, (onStep) => runQueue(steps, signal, finished, onStep)),
    )
    const dead = [...invalid, ...unrouted].map(({ record, why }) =>
      health.watch(`${place}/${record.offset}`, signal, async () => {
        finished.push(await deadLetter(record, why))
      }),
    )
    const idle = routed
      .filter(({ routes }) => routes.length === 0)
      .map(async (one) => {
        finished.push(await finish(one))
      })
    health.report()
    await finishAll([done, finishAll(dead), finishAll(idle)])
  }

  /** Commands of one stream, one after the other; an aborted queue leaves the rest unfinished. */
  async function runQueue(
    steps: readonly Step[],
    signal: AbortSignal,
    finished: Finished[],
    onStep: () => void,
  ): Promise<void> {
    for (const step of steps) {
      if (signal.aborted) break
      const { routes, results } = step.of
      results.push(await runStep(step))
      if (results.length === routes.length) finished.push(await finish(step.of))
      onStep()
    }
  }

  async function runStep(step: Step): Promise<StepResult> {
    const { route } = step
    const { record, message } = step.of
    const span = startSpan(`process ${message.type}`, message.traceparent, {
      'messaging.destination.name': record.topic,
      'messaging.message.id': message.id,
      'fonds.stream': route.stream,
    })
    try {
      const outcome = await execute(route.decider, {
        stream: route.stream,
        command: route.command as never,
        causationId: causeOf(message),
        correlationId: message.correlationId ?? message.id,
        ...(message.origin && { origin: message.origin }),
        ...(span.traceparent && { traceparent: span.traceparent }),
      })
      if (isLeft(outcome)) return { stream: route.stream, invalid: invalidBy(outcome.left) }
      if (outcome.right.kind !== 'rejected') return outcome.right.kind
      const rejected = { record, message, stream: route.stream }
      const invalid = await noteRejection(deps, name, rejected, outcome.right.rejection)
      return invalid ? { stream: route.stream, invalid } : 'rejected'
    } catch (error) {
      if (error instanceof UnavailableError) throw error
      // A bug is the message's problem alone: it is set aside with the error, the others go on.
      log.error({ err: error, topic: record.topic, offset: String(record.offset) }, 'a message had no effect')
      return { stream: route.stream, invalid: defect(error) }
    } finally {
      span.end()
    }
  }

  /** All its commands are finished. One that fell makes it a dead letter; the others keep their effect. */
  async function finish({ record, results }: Routed): Promise<Finished> {
    const invalid = invalidIn(results)
    return invalid ? deadLetter(record, invalid) : { offset: record.offset, result: resultOf(results) }
  }

  async function deadLetter(record: BrokerRecord, why: InvalidMessage): Promise<Finished> {
    await deadLetterRecord(deps, name, record, why)
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
