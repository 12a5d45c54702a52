import type { TopicMessages } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { deliverBatch, type Outgoing } from '../../../../infra/broker/kafka/deliver.ts'
import { maxRecords, nextBatchSize } from '../../../../infra/broker/kafka/producer.ts'
import type { RecordPlace } from '../../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../../src/ports/broker-failure.ts'

const fault = (type: string) => Object.assign(new Error(type), { type })

/** A Kafka that keeps everything but the values it is told to refuse. */
const server = (refuse: (value: string, topic: string) => string | undefined = () => undefined) => {
  const kept: string[] = []
  const ends = new Map<string, number>()
  let renewals = 0
  const sender = {
    renew: async () => {
      renewals++
    },
    send: async (topicMessages: TopicMessages[]) => {
      const all = topicMessages.flatMap(({ topic, messages }) => messages.map((one) => ({ topic, one })))
      for (const { topic, one } of all) {
        const type = refuse(String(one.value), topic)
        if (type) throw fault(type)
      }
      const written = new Map<string, { topicName: string; partition: number; baseOffset: string }>()
      for (const { topic, one } of all) {
        const partition = one.partition ?? 0
        const place = `${topic}-${partition}`
        const end = ends.get(place) ?? 0
        if (!written.has(place)) written.set(place, { topicName: topic, partition, baseOffset: String(end) })
        ends.set(place, end + 1)
        kept.push(String(one.value))
      }
      return [...written.values()].map((one) => ({ ...one, errorCode: 0 }))
    },
  }
  return { sender, kept, renewals: () => renewals }
}

const caller = () => {
  const places: RecordPlace[] = []
  const failures: BrokerFailure[] = []
  const call: Outgoing['call'] = {
    failed: () => failures.length > 0,
    written: (index, place) => {
      places[index] = place
    },
    fail: (failure) => failures.push(failure),
  }
  const item = (index: number, value: string, topic = 't', partition = 0): Outgoing => ({
    call,
    index,
    topic,
    facts: { full: `p-${topic}`, partitions: 2, maxBytes: 1000 },
    bytes: value.length,
    message: { value, partition },
  })
  return { item, places, failures }
}

const deliver = (
  lot: readonly Outgoing[],
  { sender }: ReturnType<typeof server>,
  waiting: Outgoing[] = [],
) => {
  const told: string[] = []
  const outage = { away: () => told.push('away'), back: () => told.push('back') }
  const forgotten: string[] = []
  const topics = { forget: (topic: string) => forgotten.push(topic) }
  return deliverBatch(lot, { sender, topics, outage, waiting: () => waiting }).then(() => ({
    told,
    forgotten,
  }))
}

describe('deliver', () => {
  it('tells each caller the places of its records, without the prefix', async () => {
    const [one, two] = [caller(), caller()]
    const kafka = server()
    await deliver(
      [one.item(0, 'a'), two.item(0, 'b', 't', 1), two.item(1, 'c'), one.item(1, 'd', 'u'), one.item(2, 'e')],
      kafka,
    )
    expect(one.places).toEqual([
      { topic: 't', partition: 0, offset: 0n },
      { topic: 'u', partition: 0, offset: 0n },
      { topic: 't', partition: 0, offset: 2n },
    ])
    expect(two.places).toEqual([
      { topic: 't', partition: 1, offset: 0n },
      { topic: 't', partition: 0, offset: 1n },
    ])
    expect(kafka.renewals()).toBe(0)
  })

  it('finds the record that is too large and lets the others through, in order', async () => {
    const [one, two, three] = [caller(), caller(), caller()]
    const kafka = server((value) => (value.length > 5 ? 'MESSAGE_TOO_LARGE' : undefined))
    await deliver(
      [
        one.item(0, 'a'),
        one.item(1, 'b'),
        two.item(0, 'much too large'),
        three.item(0, 'c'),
        three.item(1, 'd'),
      ],
      kafka,
    )
    expect(kafka.kept).toEqual(['a', 'b', 'c', 'd'])
    expect(two.failures).toEqual([{ kind: 'TooLarge', bytes: 14, limit: 13 }])
    expect([one.failures, three.failures]).toEqual([[], []])
    expect(three.places.map(({ offset }) => offset)).toEqual([2n, 3n])
    expect(kafka.renewals()).toBeGreaterThan(0)
  })

  it('fails only those who write to the topic that is refused, and names it', async () => {
    const [one, two] = [caller(), caller()]
    const kafka = server((_, topic) => (topic === 'p-u' ? 'TOPIC_AUTHORIZATION_FAILED' : undefined))
    const { forgotten } = await deliver([one.item(0, 'a'), two.item(0, 'b', 'u')], kafka)
    expect(one.places).toHaveLength(1)
    expect(two.failures).toMatchObject([{ kind: 'Forbidden', reason: expect.stringContaining('topic p-u') }])
    expect(forgotten).toEqual(['u'])
  })

  it('fails what waits behind it as well when Kafka is away, so that nothing overtakes', async () => {
    const [one, two] = [caller(), caller()]
    const kafka = server(() => 'NETWORK_EXCEPTION')
    const { told } = await deliver([one.item(0, 'a')], kafka, [two.item(0, 'b')])
    expect([one.failures, two.failures]).toMatchObject([[{ kind: 'Unavailable' }], [{ kind: 'Unavailable' }]])
    expect(told).toEqual(['away'])
    expect(kafka.renewals()).toBe(1)
  })

  it('does not send the rest of a call that has failed', async () => {
    const one = caller()
    const kafka = server()
    one.failures.push({ kind: 'Unavailable', reason: 'before' })
    await deliver([one.item(1, 'b')], kafka)
    expect(kafka.kept).toEqual([])
  })

  it('takes no answer for a partition as a failure', async () => {
    const one = caller()
    const kafka = server()
    const sender = { ...kafka.sender, send: async () => [] }
    await deliver([one.item(0, 'a')], { ...kafka, sender })
    expect(one.failures).toMatchObject([{ kind: 'Unavailable' }])
    expect(kafka.renewals()).toBe(1)
  })
})

describe('batch size', () => {
  const { item } = caller()
  it('is what one partition takes in one piece, at least one record', () => {
    const large = (partition: number) => item(0, 'x'.repeat(400), 't', partition)
    expect(nextBatchSize([large(0), large(0), large(1), large(0), large(1)])).toBe(3)
    expect(nextBatchSize([item(0, 'x'.repeat(5000)), item(0, 'x')])).toBe(1)
  })

  it('has a limit', () => {
    expect(nextBatchSize(Array.from({ length: maxRecords + 1 }, (_, n) => item(0, '', 't', n)))).toBe(
      maxRecords,
    )
  })
})
