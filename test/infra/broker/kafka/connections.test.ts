import * as either from 'fp-ts/lib/Either.js'
import type { Admin, Kafka, Producer } from 'kafkajs'
import { describe, expect, it, vi } from 'vitest'
import { openCluster } from '../../../../infra/broker/kafka/cluster.ts'
import { openKafkaProducer } from '../../../../infra/broker/kafka/producer.ts'
import { createIdempotentSender } from '../../../../infra/broker/kafka/sender.ts'
import type { TopicFacts } from '../../../../infra/broker/kafka/topic-facts.ts'
import { systemClock } from '../../../../src/async/system-clock.ts'
import type { BrokerFailure } from '../../../../src/ports/broker-failure.ts'

const outage = { away: () => {}, back: () => {} }
const call = { what: 'look', grant: 'nothing' }
const refused = new Error('refused')

/** kafkajs with connections that open and close as the test says. */
const fakeKafka = (fakes: { admin?: Partial<Admin>; producer?: Partial<Producer> }): Kafka =>
  ({ admin: () => fakes.admin, producer: () => fakes.producer }) as unknown as Kafka

describe('the administrator’s connection', () => {
  it('ends with the broker, though its first call had failed', async () => {
    const disconnect = vi.fn(async () => {})
    const admin = { connect: async () => {}, describeCluster: () => Promise.reject(refused), disconnect }
    const cluster = openCluster(fakeKafka({ admin }), 1000, outage)
    expect(either.isLeft(await cluster.call(call, async () => 1)())).toBe(true)
    await cluster.close()
    expect(disconnect).toHaveBeenCalledTimes(1)
  })

  it('ends with the broker, though it is still being made', async () => {
    const order: string[] = []
    const { promise: slow, resolve: connected } = Promise.withResolvers<void>()
    const admin = {
      connect: () => slow.then(() => void order.push('connected')),
      describeCluster: async () => ({ brokers: [], controller: 1, clusterId: 'c' }),
      disconnect: async () => void order.push('disconnected'),
    }
    const cluster = openCluster(fakeKafka({ admin }), 1000, outage)
    const calling = cluster.call(call, async () => 1)()
    const closing = cluster.close()
    connected()
    await Promise.all([calling, closing])
    expect(order).toEqual(['connected', 'disconnected'])
  })
})

describe('a call that finds a topic gone', () => {
  const gone = Object.assign(new Error('gone'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' })
  const openWith = () => {
    const admins: { connect(): Promise<void> }[] = []
    const admin = () => {
      const one = {
        connect: async () => {},
        describeCluster: async () => ({ brokers: [], controller: 1, clusterId: 'c' }),
        disconnect: async () => {},
      }
      admins.push(one)
      return one
    }
    return { admins, cluster: openCluster({ admin } as unknown as Kafka, 1000, outage) }
  }

  it('is made again on a connection that never knew it, one for all', async () => {
    const { admins, cluster } = openWith()
    const onNew = async (admin: unknown) => {
      if (admin === admins[0]) throw gone
      return admins.indexOf(admin as Admin)
    }
    const results = await Promise.all([1, 2, 3].map(() => cluster.call(call, onNew)()))
    expect(results).toEqual(Array(3).fill(either.right(1)))
    expect(admins).toHaveLength(2)
    await cluster.close()
  })

  it('fails at once where it is about that topic', async () => {
    const { admins, cluster } = openWith()
    const found = await cluster.call({ ...call, topic: 't' }, () => Promise.reject(gone))()
    expect(found).toEqual(either.left({ kind: 'UnknownTopic', topic: 't' }))
    expect(admins).toHaveLength(1)
    await cluster.close()
  })
})

describe('a producer', () => {
  it('that Kafka gives no identity is disconnected', async () => {
    const disconnect = vi.fn(async () => {})
    const producer = { connect: () => Promise.reject(refused), disconnect }
    const sender = createIdempotentSender(fakeKafka({ producer }), 0, 1000)
    await expect(sender.send([])).rejects.toBe(refused)
    await sender.renew()
    expect(disconnect).toHaveBeenCalledTimes(1)
  })

  it('lets callers wait together for what Kafka says of their topic, not one behind the other', async () => {
    const away: BrokerFailure = { kind: 'Unavailable', reason: 'away' }
    const answers: (() => void)[] = []
    const find = () => () =>
      new Promise<either.Either<BrokerFailure, TopicFacts>>((resolve) =>
        answers.push(() => resolve(either.left(away))),
      )
    const topics = { find, forget: () => {} }
    const sender = { send: () => Promise.reject(refused), renew: async () => {} }
    const producer = openKafkaProducer({ sender, topics, lingerMillis: 0, clock: systemClock, outage })
    const record = { topic: 't', key: 'k', headers: {}, value: 'v' }
    const calls = [1, 2, 3].map(() => producer.produce([record])())
    await vi.waitFor(() => expect(answers).toHaveLength(3))
    for (const answer of answers) answer()
    expect(await Promise.all(calls)).toEqual([1, 2, 3].map(() => either.left(away)))
  })
})
