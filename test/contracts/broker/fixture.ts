import * as either from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, vi } from 'vitest'
import type {
  BatchHandler,
  Broker,
  BrokerRecord,
  ConsumeOptions,
  ProducerRecord,
  RecordBatch,
} from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'

export interface BrokerUnderTest {
  readonly broker: Broker
  /** Another client of the same topics and groups, as a second process would have it. */
  readonly other: () => Promise<Broker>
  readonly dispose: () => Promise<void>
  /** Most bytes that a record may have. */
  readonly maxMessageBytes: number
}

export const orThrow = async <A>(task: TaskEither<BrokerFailure, A>): Promise<A> => {
  const result = await task()
  if (either.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

export const record = (topic: string, key: string | null, value: string | Uint8Array): ProducerRecord => ({
  topic,
  key,
  headers: {},
  value,
})

export const endOf = (batch: RecordBatch): bigint => batch.records.at(-1)!.offset + 1n

export const bytesOf = (value: string | Uint8Array) => Buffer.from(value as string).toString('hex')
export const place = ({ partition, offset }: Pick<BrokerRecord, 'partition' | 'offset'>) =>
  `${partition}@${offset}`
export const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** A topic and a group of each test's own, and the calls that tests make on them. */
export const brokerFixture = (open: () => Promise<BrokerUnderTest>) => {
  let under: BrokerUnderTest
  let broker: Broker
  let topic: string
  let group: string

  beforeEach(async () => {
    under = await open()
    broker = under.broker
    topic = `contract-${uuid()}`
    group = `group-${uuid()}`
  })
  afterEach(() => under.dispose())

  const until = <A>(condition: () => A | Promise<A>) => vi.waitFor(condition, { interval: 10 })
  const make = (partitions: number) => orThrow(broker.ensureTopics([{ name: topic, partitions }]))
  const produce = (records: readonly ProducerRecord[]) => orThrow(broker.produce(records))
  const fill = (count: number, keys = 20) =>
    produce(numbers(count).map((n) => record(topic, `key-${n % keys}`, String(n))))
  const peekAll = async (partitions: number) => {
    const found = await Promise.all(
      numbers(partitions).map((n) => orThrow(broker.peek(topic, n, 0n, 1_000_000))),
    )
    return found.flat()
  }
  const groupNow = async (of = group) =>
    (await orThrow(broker.groups())).find((one) => one.group === of) ?? {
      group: of,
      members: [],
      partitions: [],
    }
  const lag = async () =>
    (await groupNow()).partitions.reduce((sum, partition) => sum + Number(partition.lag), 0)

  /** A consumption that keeps all it was handed. */
  const collect = async (client: Broker, options: Partial<ConsumeOptions> = {}, handler?: BatchHandler) => {
    const batches: RecordBatch[] = []
    const consumption = await client.consume({ group, topics: [topic], ...options }, (batch, signal) => {
      batches.push(batch)
      return handler ? handler(batch, signal) : Promise.resolve(endOf(batch))
    })
    return {
      ...consumption,
      batches,
      records: () => batches.flatMap((batch) => batch.records),
      /** Each record once, by place. */
      distinct: () => new Set(batches.flatMap((batch) => batch.records).map(place)),
    }
  }

  const together = (consumers: readonly { distinct(): Set<string> }[]) =>
    new Set(consumers.flatMap((one) => [...one.distinct()]))

  const now = () => ({ under, broker, topic, group })
  return { now, until, make, produce, fill, peekAll, groupNow, lag, collect, together }
}

export type BrokerFixture = ReturnType<typeof brokerFixture>
