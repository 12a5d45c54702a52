import type { Broker, Cluster } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UnreadableBatch } from '#infra/broker/kafka/codecs/output.ts'
import { fetchApart } from '#infra/broker/kafka/fetch-apart.ts'
import { createStops } from '#infra/broker/kafka/stops.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const protocolError = (type: string) =>
  Object.assign(new Error(`Kafka says ${type}`), { name: 'KafkaJSProtocolError', type })

/** Fetches of four partitions, of which some fail as the test says. */
const fetching = async () => {
  const failing = new Map<number, Error>()
  const empty = new Map<number, { readonly end: string; readonly stable: string }>()
  const asked: string[] = []
  type Request = Parameters<Broker['fetch']>[0]
  const broker = {
    fetch: async ({ topics }: Request) => {
      const places = topics.flatMap(({ partitions }) => partitions)
      asked.push(places.map(({ partition, maxBytes }) => `${partition}:${maxBytes}`).join(' '))
      const failed = places.find(({ partition }) => failing.has(partition))
      if (failed) throw failing.get(failed.partition)
      const partitions = places.map(({ partition, fetchOffset }) => {
        const held = empty.get(partition)
        const messages = held ? [] : [{ offset: fetchOffset, key: null }]
        return { partition, messages, highWatermark: held?.end ?? '9', lastStableOffset: held?.stable ?? '9' }
      })
      return { responses: [{ topicName: 't', partitions }] }
    },
  }
  const cluster = { findBroker: async () => broker } as unknown as Cluster
  const stops = createStops()
  const told: string[] = []
  const sleep = vi.fn(async () => {})
  const onStop = (place: { topic: string; partition: number; offset: bigint }, error: unknown) => {
    if (stops.add(place, (error as Error).message)) told.push(`${place.partition}@${place.offset}`)
  }
  fetchApart(cluster, { stops, clock: { sleep }, onStop })
  const fetch = async () => {
    const found = await cluster.findBroker({ nodeId: '1' })
    asked.length = 0
    const partitions = [0, 1, 2, 3].map((partition) => ({ partition, fetchOffset: '5', maxBytes: 100 }))
    const { responses } = await found.fetch({ maxWaitTime: 300, topics: [{ topic: 't', partitions }] })
    return responses
      .flatMap((one: { partitions: readonly { partition: number }[] }) => one.partitions)
      .map(({ partition }: { partition: number }) => partition)
      .sort()
  }
  return { failing, empty, asked, stops, told, sleep, fetch }
}

describe('a partition that cannot be read', () => {
  it.each([
    new UnreadableBatch('damaged'),
    new RangeError('out of range'),
    protocolError('TOPIC_AUTHORIZATION_FAILED'),
    protocolError('KAFKA_STORAGE_ERROR'),
  ])('is left out, and told with place and cause: %s', async (error) => {
    const { failing, asked, stops, told, fetch } = await fetching()
    failing.set(2, error)
    expect(await fetch()).toEqual([0, 1, 3])
    expect(asked).toEqual(['0:100 1:100 2:100 3:100', '0:1', '1:1', '2:1', '3:1'])
    expect(stops.all()).toMatchObject([{ topic: 't', partition: 2, offset: 5n, because: error.message }])
    expect(await fetch()).toEqual([0, 1, 3])
    expect(asked).toEqual(['0:100 1:100 3:100'])
    expect(told).toEqual(['2@5'])
  })

  it('is tried again after a pause, apart from the others, and goes on once it can be read', async () => {
    const { failing, asked, stops, told, fetch } = await fetching()
    failing.set(2, new UnreadableBatch('damaged'))
    await fetch()
    await vi.advanceTimersByTimeAsync(1000)
    expect(await fetch()).toEqual([0, 1, 3])
    expect(asked).toEqual(['2:1', '0:100 1:100 3:100'])
    const [{ since } = { since: '' }] = stops.all()
    failing.clear()
    await vi.advanceTimersByTimeAsync(2000)
    expect(stops.all()).toMatchObject([{ since }])
    expect(await fetch()).toEqual([0, 1, 2, 3])
    expect(stops.all()).toEqual([])
    expect(told).toEqual(['2@5'])
  })

  it('costs no busy loop where it is the only one', async () => {
    const { failing, sleep, fetch } = await fetching()
    for (const partition of [0, 1, 2, 3]) failing.set(partition, new UnreadableBatch('damaged'))
    await fetch()
    expect(await fetch()).toEqual([])
    expect(sleep).toHaveBeenCalledWith(300)
  })

  it('is forgotten when another member has it', async () => {
    const { failing, stops, fetch } = await fetching()
    failing.set(1, new UnreadableBatch('a')).set(2, new UnreadableBatch('b'))
    await fetch()
    stops.keep((_, partition) => partition === 2)
    expect(stops.all()).toMatchObject([{ partition: 2 }])
  })
})

describe('what kafkajs mends by itself', () => {
  it.each([
    protocolError('NOT_LEADER_FOR_PARTITION'),
    Object.assign(new Error('gone'), { name: 'KafkaJSOffsetOutOfRange', type: 'OFFSET_OUT_OF_RANGE' }),
    Object.assign(new Error('closed'), { name: 'KafkaJSConnectionClosedError' }),
    Object.assign(new Error('timeout'), { name: 'KafkaJSRequestTimeoutError' }),
  ])('is left to it: %s', async (error) => {
    const { failing, stops, fetch } = await fetching()
    failing.set(2, error)
    await expect(fetch()).rejects.toBe(error)
    expect(stops.all()).toEqual([])
  })
})

describe('a partition that gives nothing though more is there', () => {
  it('is told once that has lasted a minute, with the open transaction', async () => {
    const { empty, stops, fetch } = await fetching()
    empty.set(3, { end: '9', stable: '5' })
    for (let seconds = 0; seconds < 60; seconds += 10) {
      await fetch()
      expect(stops.all()).toEqual([])
      await vi.advanceTimersByTimeAsync(10_000)
    }
    expect(await fetch()).toEqual([0, 1, 2, 3])
    expect(stops.all()).toMatchObject([
      { partition: 3, offset: 5n, because: expect.stringContaining('transaction') },
    ])
    empty.clear()
    await fetch()
    expect(stops.all()).toEqual([])
  })

  it('is at its end where nothing is behind it', async () => {
    const { empty, stops, fetch } = await fetching()
    empty.set(3, { end: '5', stable: '5' })
    await fetch()
    await vi.advanceTimersByTimeAsync(120_000)
    await fetch()
    expect(stops.all()).toEqual([])
  })
})
