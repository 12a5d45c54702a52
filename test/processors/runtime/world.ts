import { right } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { writeMessage } from '../../../src/domain/kernel/cloud-event.ts'
import type { BrokerRecord } from '../../../src/ports/broker.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import { type BatchDependencies, batchHandler } from '../../../src/processors/runtime/batch-handler.ts'
import { batchExecutor, executor } from '../../../src/processors/runtime/execute.ts'
import type { Processor } from '../../../src/processors/runtime/processor.ts'
import { partitionWatch } from '../../../src/processors/runtime/resting.ts'
import { type StreamStates, streamStates } from '../../../src/processors/runtime/stream-states.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { accountProcessor, type OrderType, ordersTopic } from './account.ts'

export const silent = pino({ level: 'silent' })

/** A process that handles batches; a second one on the same store is what a restart makes. */
export const startProcess = (
  store: EventStore,
  processor: Processor = accountProcessor,
  brokerId = 'log-1',
  replace: Partial<Pick<BatchDependencies, 'execute'>> = {},
) => {
  const states = streamStates(store)
  return start(processor, {
    ...dependencies(store, states, brokerId),
    executeBatch: batchExecutor({ ...store, appendEach: appendEachOf(store) }, states, async () => {}),
    ...replace,
  })
}

/** The same on a log that takes each append in a call of its own. */
export const startOnServer = (store: EventStore, processor: Processor = accountProcessor) =>
  start(processor, dependencies(store, streamStates(store), 'log-1'))

const dependencies = (store: EventStore, states: StreamStates, brokerId: string) => {
  const clock = fakeClock()
  return {
    broker: { id: brokerId },
    execute: executor(store, states, async () => {}),
    partitions: partitionWatch({ clock, log: silent }),
    clock,
    telemetry: recordedTelemetry(),
    log: silent,
  }
}

const start = <Deps extends ReturnType<typeof dependencies>>(
  processor: Processor,
  deps: Deps & BatchDependencies,
) => {
  const handler = batchHandler(processor, deps)
  return {
    deps,
    clock: deps.clock,
    telemetry: deps.telemetry,
    deliver: (records: readonly BrokerRecord[], signal: AbortSignal = new AbortController().signal) =>
      handler({ topic: ordersTopic.name, partition: records[0]?.partition ?? 0, records }, signal),
  }
}

/** As a log that takes many appends in one call, where the store is one that fails an append now and then. */
const appendEachOf =
  ({ append }: EventStore): NonNullable<EventStore['appendEach']> =>
  (appends) =>
  async () =>
    right(
      await Promise.all(appends.map(({ stream, expected, events }) => append(stream, expected, events)())),
    )

/** An order as its record; the offset is its place in the list, from `first` on. */
export type Ordered = readonly [type: OrderType, account: string, amount?: number]

export const records = (orders: readonly Ordered[], first = 0): readonly BrokerRecord[] =>
  orders.map(([type, account, amount], i) => order(first + i, type, account, amount))

export const order = (
  offset: number,
  type: OrderType,
  account: string,
  amount?: number,
  traceparent?: string,
): BrokerRecord => ({
  ...writeMessage(
    {
      id: `order-${offset}`,
      source: 'bank',
      type,
      time: '2026-01-01T00:00:00.000Z',
      data: { account, ...(amount !== undefined && { amount }) },
      ...(traceparent && { traceparent }),
    },
    ordersTopic,
  ),
  partition: 0,
  offset: BigInt(offset),
  timestamp: '2026-01-01T00:00:00.000Z',
})

/** The same place on the topic, other content. */
export const spoilt = (offset: number, change: Partial<BrokerRecord>): BrokerRecord => ({
  ...order(offset, 'deposit', 'a', 1),
  ...change,
})
