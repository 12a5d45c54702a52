import { isLeft } from 'fp-ts/lib/Either.js'
import kafkajs from 'kafkajs'
import { v7 as uuid } from 'uuid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { retryDeadLetter } from '../../src/app/dead-letter-service.ts'
import { restingPartitions } from '../../src/app/doctor/resting.ts'
import { groupPositions } from '../../src/app/lags.ts'
import type { System } from '../../src/app/system.ts'
import { ensureTopics } from '../../src/app/topics.ts'
import { contentTopic } from '../../src/domain/fixity/messages.ts'
import { started, testSystem } from '../app/archive.ts'
import { inHalves } from '../app/in-halves.ts'
import { limits, patience } from '../patience.ts'
import { server } from './servers.ts'

const kafka = server('kafka')
const brokers = 'absent' in kafka ? [] : kafka.address.split(',')

const onKafka = async (): Promise<System> => {
  const system = await testSystem({
    broker: `kafka://${brokers.join(',')}`,
    topicPrefix: `${uuid()}-`,
    partitions: 1,
  })
  await ensureTopics(system)
  return system
}

const areHandled = (system: System): Promise<void> =>
  vi.waitUntil(async () => (await groupPositions(system)).every(({ committed, end }) => committed === end), {
    timeout: patience,
    interval: 200,
  }) as Promise<never>

const letters = async (system: System, count: number) => {
  const all = () => system.viewStore.query('dead-letters', { orderBy: [{ column: 'offset' }] })
  await vi.waitUntil(() => all().length === count, patience)
  return all()
}

describe.skipIf('absent' in kafka)('what no one can use, on a real Kafka', () => {
  it('is kept, whatever text is in it, and what comes behind it is handled', limits, async () => {
    const system = await onKafka()
    const records = inHalves()
    const placed = await system.broker.produce(records)()
    if (isLeft(placed)) throw new Error(JSON.stringify(placed.left))
    await started(system, ['processors', 'projections'])
    await areHandled(system)
    await letters(system, records.length - 1)
  })

  it('is named by doctor in another process where a group does not come past it', limits, async () => {
    const system = await onKafka()
    let attempts = 0
    const consumption = await system.broker.consume(
      { group: 'readers', topics: [contentTopic.name] },
      async ({ records }) => {
        if (records[0]!.offset === 0n) return 1n
        attempts++
        throw new Error('never')
      },
    )
    onTestFinished(() => consumption.stop())
    const record = { topic: contentTopic.name, key: 'k', headers: {}, value: '{' }
    await system.broker.produce([record, record, record])()
    await vi.waitUntil(() => attempts > 1, patience)
    const anHourLater = () => new Date(Date.now() + 3_600_000).toISOString()
    const doctor = { ...system, clock: { ...system.clock, now: anHourLater } }
    await vi.waitUntil(async () => (await restingPartitions(doctor))[0]?.status === 'fail', patience)
    expect((await restingPartitions(doctor))[0]?.says).toContain('partition 0, offset 1, which came')
  })

  it('is kept and retried byte for byte where its key and headers are no text', limits, async () => {
    const system = await onKafka()
    const client = new kafkajs.Kafka({ brokers, clientId: 'any', logLevel: kafkajs.logLevel.NOTHING })
    const producer = client.producer()
    await producer.connect()
    onTestFinished(() => producer.disconnect())
    const key = Buffer.from([0xff, 0x00, 0x61])
    const headers = { twice: [Buffer.from([0xfe]), Buffer.from('b')], text: Buffer.from('ü') }
    const value = Buffer.from([0x7b, 0xff])
    const topic = `${system.config.topicPrefix}${contentTopic.name}`
    await producer.send({ topic, messages: [{ key, headers, value }] })
    await started(system, ['processors', 'projections'])
    const [letter] = await letters(system, 1)
    const settled = await retryDeadLetter(system, letter!.id as string, { actor: 'ada', reason: 'test' })
    if (isLeft(settled)) throw new Error(JSON.stringify(settled.left))

    const again = await system.broker.peek(contentTopic.name, 0, 0n, 10)()
    if (isLeft(again)) throw new Error(JSON.stringify(again.left))
    expect(again.right).toHaveLength(2)
    for (const record of again.right) {
      expect(record.value).toEqual(value)
      expect(record.raw).toEqual({
        key,
        headers: [
          { name: 'twice', value: headers.twice[0] },
          { name: 'twice', value: headers.twice[1] },
          { name: 'text', value: headers.text },
        ],
      })
    }
    // It is no better than before: a dead letter again, of its new place.
    // It may be refused again before its retry is told.
    await vi.waitUntil(async () => (await letters(system, 2))[0]?.status === 'retried', patience)
    expect(await letters(system, 2)).toMatchObject([{ status: 'retried' }, { status: 'waiting' }])
  })
})
