import * as either from 'fp-ts/lib/Either.js'
import kafkajs from 'kafkajs'
import { describe, expect, it, vi } from 'vitest'
import { openKafkaBroker } from '../../../../infra/broker/kafka/broker.ts'
import { createOutageLog, kafkajsLog } from '../../../../infra/broker/kafka/log.ts'
import { createNames } from '../../../../infra/broker/kafka/names.ts'
import { timingOf } from '../../../../infra/broker/kafka/timing.ts'
import { backoffMillis } from '../../../../src/async/backoff.ts'

const settings = {
  // A port that no one listens at: any connection would fail.
  brokers: ['127.0.0.1:1'],
  clientId: 'test',
  topicPrefix: '',
  replication: -1,
  compression: 'none' as const,
  lingerMillis: 0,
}
const linesOf = ({ info, warn, error }: ReturnType<typeof spies>) =>
  [info, warn, error].flatMap((line) => line.mock.calls)
const spies = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() })

describe('kafka broker', () => {
  it('makes no connection when it is opened and closed', async () => {
    const log = spies()
    const broker = openKafkaBroker(settings, { log })
    expect(await broker.produce([])()).toEqual(either.right([]))
    await broker.close()
    await broker.close()
    expect([log.debug.mock.calls, log.warn.mock.calls]).toEqual([[], []])
  })

  it('does not know its id before the first call', () => {
    expect(() => openKafkaBroker(settings).id).toThrow('first call')
  })

  it('refuses a batch size that is none, and everything once it is closed', async () => {
    const broker = openKafkaBroker(settings)
    const consume = (batchSize: number) =>
      broker.consume({ group: 'g', topics: ['t'], batchSize }, async () => 0n)
    await expect(consume(0)).rejects.toThrow(RangeError)
    await broker.close()
    await expect(consume(1)).rejects.toThrow('closed')
    const record = { topic: 't', key: null, headers: {}, value: '' }
    expect(await broker.produce([record])()).toMatchObject({ left: { kind: 'Unavailable' } })
  })
})

describe('names', () => {
  it('carry the prefix in Kafka alone', () => {
    const names = createNames('archive.')
    expect(names.full('t')).toBe('archive.t')
    expect(names.bare('archive.t')).toBe('t')
    expect(['t', 'archive.', 'other.t', '__consumer_offsets'].map(names.bare)).toEqual(
      Array(4).fill(undefined),
    )
    expect(createNames('').bare('t')).toBe('t')
    expect(createNames('').bare('__consumer_offsets')).toBeUndefined()
  })
})

describe('log', () => {
  it('says once that Kafka is away and once that it is back', () => {
    const log = spies()
    let now = 0
    const outage = createOutageLog(log, () => now)
    outage.back()
    for (const reason of ['refused', 'refused', 'reset']) outage.away(reason)
    outage.back()
    outage.back()
    now = 60_000
    outage.away('refused')
    expect(linesOf(log)).toHaveLength(3)
  })

  it('says it at most once a minute where a part of Kafka is away', () => {
    const log = spies()
    let now = 0
    const outage = createOutageLog(log, () => now)
    for (; now < 180_000; now += 1000) {
      outage.away('one of three is down')
      outage.back()
    }
    expect(linesOf(log)).toHaveLength(6)
  })

  it('has the words of kafkajs for those who debug', () => {
    const log = spies()
    const entry = { timestamp: '', message: 'Connection error', broker: 'a:1' }
    kafkajsLog(log)(kafkajs.logLevel.ERROR)({
      namespace: 'Connection',
      level: kafkajs.logLevel.ERROR,
      label: 'ERROR',
      log: entry,
    })
    expect(log.debug).toHaveBeenCalledWith(
      expect.objectContaining({ broker: 'a:1', level: 'ERROR' }),
      'Connection error',
    )
    expect(log.error).not.toHaveBeenCalled()
  })
})

describe('timing', () => {
  it('keeps its proportions', () => {
    expect(timingOf({})).toMatchObject({
      sessionMillis: 45_000,
      heartbeatMillis: 3000,
      rebalanceMillis: 120_000,
    })
    expect(timingOf({ sessionMillis: 6000 })).toMatchObject({ heartbeatMillis: 400, rebalanceMillis: 16_000 })
  })

  it('pauses longer after each failure, up to a limit, and not alike for all', () => {
    for (const failures of [0, 3, 50]) {
      const most = Math.min(15_000, 100 * 2 ** failures)
      const pauses = Array.from({ length: 50 }, () => backoffMillis(failures, { maxMillis: 15_000 }))
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(most / 2)
      expect(Math.max(...pauses)).toBeLessThanOrEqual(most)
      expect(new Set(pauses).size).toBeGreaterThan(1)
    }
  })
})
