import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { BrokerRecord } from '../../../src/ports/broker.ts'
import { eventsOf, rejectionsIn, streamOf, summaryOf, useFolder } from './log.ts'
import { order, startProcess } from './world.ts'

const { openLog } = useFolder()

/** As Spring writes it: the source is a `URI`, and so in quotes. */
const quoted = (record: BrokerRecord): BrokerRecord => ({
  ...record,
  headers: {
    ...record.headers,
    ce_source: '"/my/source"',
    spring_json_header_types: '{"ce_source":"java.net.URI"}',
  },
})
const plain = (record: BrokerRecord): BrokerRecord => ({
  ...record,
  headers: { ...record.headers, ce_source: '/my/source' },
})
/** The same message, sent again: behind all others of another partition. */
const again = (record: BrokerRecord, offset: number): BrokerRecord => ({
  ...record,
  partition: 1,
  offset: BigInt(offset),
  timestamp: '2026-01-02T00:00:00.000Z',
})

const deposit = order(0, 'deposit', 'a', 5)
const withdrawal = order(1, 'withdraw', 'b', 5)

/** What version 0.1 stored of those two, when it took the quotes for a part of the source. */
const metadata = (id: string, offset: string): RecordedEvent['metadata'] => ({
  actor: '"/my/source"',
  causationId: `"/my/source"#${id}`,
  correlationId: id,
  schema: 1,
  origin: {
    log: 'log-1',
    topic: 'fonds.accounts.orders',
    partition: 0,
    offset,
    at: '2026-01-01T00:00:00.000Z',
  },
})
const stored = [
  {
    stream: 'account-a',
    type: 'Deposited',
    id: '6b7f1c3e-7a1e-5c55-9c1f-2f5e0f0f0a01',
    data: { amount: 5, at: '2026-01-01T00:00:00.000Z' },
    metadata: metadata('order-0', '0'),
  },
  {
    // Its id is made of processor, cause and stream, in version 0.1 as now.
    stream: 'refusal-17d268bd-a397-5fa0-861e-d319897f3d97',
    type: 'MessageRejected',
    id: '6b7f1c3e-7a1e-5c55-9c1f-2f5e0f0f0a02',
    data: {
      processor: 'fonds.accounts',
      topic: 'fonds.accounts.orders',
      message: 'order-1',
      source: '"/my/source"',
      type: 'withdraw',
      stream: 'account-b',
      code: 'overdrawn',
      because: 'it holds 0; ask for less',
      at: '2026-01-01T00:00:00.000Z',
    },
    metadata: { ...metadata('order-1', '1'), actor: 'fonds.accounts', origin: undefined },
  },
]

const upgraded = async () => {
  const store = openLog()
  for (const { stream, type, id, data, metadata } of stored) {
    const event = {
      id,
      type,
      data,
      json: JSON.stringify(data),
      metadata: JSON.parse(JSON.stringify(metadata)),
    }
    await store.append(stream, 'none', [event])()
  }
  return store
}

test('a message that is repeated across the upgrade acts once, in quotes or without', async () => {
  const store = await upgraded()
  const { deliver, telemetry } = startProcess(store)
  await deliver([again(quoted(deposit), 10)])
  expect(telemetry.counted('messages', 'outcome')).toEqual({ repeated: 1 })
  expect(summaryOf(await streamOf(store, 'account-a'))).toEqual(['Deposited 5'])
})

test('its rejection of before is not stored again', async () => {
  const store = await upgraded()
  await startProcess(store).deliver([again(quoted(withdrawal), 10)])
  expect(await rejectionsIn(store)).toHaveLength(1)
})

test('one that came after the upgrade acts once, in quotes and without', async () => {
  const store = openLog()
  const { deliver, telemetry } = startProcess(store)
  await deliver([quoted(deposit), quoted(withdrawal)])
  await deliver([again(plain(deposit), 10), again(plain(withdrawal), 11), again(quoted(deposit), 12)])
  expect(telemetry.counted('messages', 'outcome')).toMatchObject({ done: 1, repeated: 2 })
  const [event] = await streamOf(store, 'account-a')
  expect(event?.metadata).toMatchObject({ actor: '/my/source', causationId: '/my/source#order-0' })
  expect(await rejectionsIn(store)).toMatchObject([{ source: '/my/source' }])
  expect(await eventsOf(store)).toHaveLength(2)
})
