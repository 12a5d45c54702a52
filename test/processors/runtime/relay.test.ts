import { left, right } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ProducerRecord } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { RunningSubscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { runRelay } from '../../../src/processors/runtime/relay.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeClock, fakeClock, turns, until } from '../../fakes/clock.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { openTestViews } from '../../fakes/views.ts'
import { useFolder } from './log.ts'
import { silent } from './world.ts'

const folder = useFolder()
const topics = [
  { name: 'fonds.bank.events', source: 'fonds://log/bank', categories: ['account', 'branch'] },
  { name: 'fonds.house.events', source: 'fonds://log/house', categories: ['deadletter'] },
]

let store: FakeEventStore
let clock: FakeClock
let telemetry: ReturnType<typeof recordedTelemetry>
let running: RunningSubscription[]
/** What the broker has acknowledged. */
let sent: ProducerRecord[]
let calls: number[]
let refuse: (records: readonly ProducerRecord[]) => BrokerFailure | undefined
let valid: () => boolean

beforeEach(() => {
  clock = fakeClock()
  store = fakeEventStore({ now: clock.now, gap: 3n, batchSize: 1000 })
  telemetry = recordedTelemetry()
  running = []
  sent = []
  calls = []
  refuse = () => undefined
  valid = () => true
})
afterEach(async () => {
  await Promise.all(running.map((relay) => relay.stop()))
})

const broker = {
  produce: (records: readonly ProducerRecord[]) => async () => {
    calls.push(records.length)
    const failure = refuse(records)
    if (failure) return left(failure)
    sent.push(...records)
    return right([])
  },
}
const views = openViews()
function openViews() {
  const opened = new Map<string, ReturnType<typeof openTestViews>>()
  afterEach(() => {
    for (const view of opened.values()) view.close()
    opened.clear()
  })
  return (file = 'views.db') => {
    const known = opened.get(file) ?? openTestViews(folder.path(file))
    opened.set(file, known)
    return known
  }
}
const relay = ({ viewStore = views(), positions = {}, log = silent } = {}): RunningSubscription => {
  const started = runRelay(topics, 'relay/log-1', {
    eventStore: store,
    viewStore,
    broker,
    term: { isLeader: () => valid(), positions },
    clock,
    telemetry,
    log,
  })
  running.push(started)
  return started
}
const append = (stream: string, ...types: readonly string[]) =>
  store.append(
    stream,
    'any',
    types.map((type) => event(type, { stream })),
  )()
const types = () => sent.map(({ headers }) => headers.ce_type)
const positions = () => sent.map(({ headers }) => Number(headers.fonds_position))

describe('events go to the topic of their workflow', () => {
  test('each as a CloudEvent with its place', async () => {
    const { traceparent } = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    const opened = event('Opened', { owner: 'ada' })
    await store.append('account-a/1', 'none', [opened])()
    const traced = event('Deposited', { amount: 5 })
    await store.append('account-a/1', 0n, [
      { ...traced, metadata: { ...traced.metadata, traceparent, schema: 2 } },
    ])()
    relay()
    await until(() => sent.length === 2)
    expect(sent[0]).toEqual({
      topic: 'fonds.bank.events',
      key: 'account-a/1',
      value: '{"owner":"ada"}',
      headers: {
        'content-type': 'application/json',
        ce_specversion: '1.0',
        ce_id: opened.id,
        ce_source: 'fonds://log/bank',
        ce_type: 'Opened',
        ce_time: '2026-01-01T00:00:00.000Z',
        ce_subject: 'account-a/1',
        fonds_position: '0',
        fonds_revision: '0',
        fonds_actor: 'tester',
        fonds_cause: 'cause',
        fonds_correlation: 'conversation',
        fonds_schema: '1',
      },
    })
    expect(sent[1]?.headers).toMatchObject({
      fonds_position: '3',
      fonds_revision: '1',
      fonds_schema: '2',
      traceparent,
    })
  })

  test('of all its categories, in the order of the log; others stay', async () => {
    await append('branch-b', 'Founded')
    await append('duty-relay', 'DutyTaken')
    await append('deadletter-x', 'DeadLettered')
    await append('account-a', 'Opened')
    await append('unknown-a', 'Happened')
    relay()
    await until(() => sent.length === 3)
    await append('account-a', 'Deposited')
    await until(() => sent.length === 4)
    expect(types()).toEqual(['Founded', 'DeadLettered', 'Opened', 'Deposited'])
    expect(sent.map(({ topic }) => topic.split('.')[1])).toEqual(['bank', 'house', 'bank', 'bank'])
  })
})

describe('nothing is missing', () => {
  const many = Array.from({ length: 620 }, (_, i) => `E${i}`)

  test('batches of a few hundred, each acknowledged before the next and before the checkpoint moves', async () => {
    await append('account-a', ...many)
    const acknowledged = Promise.withResolvers<void>()
    const inTwo = broker.produce
    const slow = {
      produce: (records: readonly ProducerRecord[]) => async () => {
        if (calls.length === 1) await acknowledged.promise
        return inTwo(records)()
      },
    }
    const started = runRelay(topics, 'relay/log-1', {
      eventStore: store,
      viewStore: views(),
      broker: slow,
      term: { isLeader: valid, positions: {} },
      clock,
      telemetry,
      log: silent,
    })
    running.push(started)
    await until(() => calls.length === 1)
    await turns(20)
    expect(started.position()).toBe(249n * 3n)
    acknowledged.resolve()
    await until(() => started.position() === 619n * 3n)
    expect(calls).toEqual([250, 250, 120])
    expect(types()).toEqual(many)
  })

  test('the broker away: the same batch again, after pauses that grow to a second', async () => {
    await append('account-a', 'Opened', 'Deposited')
    const at: number[] = []
    let away = true
    refuse = () => {
      at.push(Date.parse(clock.now()))
      return away ? { kind: 'Unavailable', reason: 'no leader' } : undefined
    }
    const started = relay()
    await clock.advance(20_000)
    expect(sent).toEqual([])
    expect(started.position()).toBe(-1n)
    const pauses = at.slice(1).map((time, i) => time - at[i]!)
    for (const [i, pause] of [100, 200, 400, 800, 1000, 1000].entries()) {
      expect(pauses[i]).toBeGreaterThanOrEqual(pause * 0.5)
      expect(pauses[i]).toBeLessThanOrEqual(pause * 1.5)
    }
    expect(telemetry.counted('failures', 'reason')).toEqual({ away: at.length })
    away = false
    await clock.advance(15_000)
    await until(() => sent.length === 2)
    expect(types()).toEqual(['Opened', 'Deposited'])
  })

  test('the broker away for an hour is told once, and once more when it is away again', async () => {
    await append('account-a', 'Opened')
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    refuse = () => ({ kind: 'Unavailable', reason: 'no leader' })
    relay({ log })
    await clock.advance(3_600_000)
    expect(lines).toHaveLength(1)
    refuse = () => undefined
    await clock.advance(15_000)
    await until(() => sent.length === 1)
    refuse = () => ({ kind: 'Unavailable', reason: 'no leader' })
    await append('account-a', 'Deposited')
    await clock.advance(60_000)
    expect(lines).toHaveLength(2)
  })

  test('acknowledged but not noted: it comes again, the same in everything', async () => {
    await append('account-a', 'Opened', 'Deposited')
    relay({ viewStore: views('one.db') })
    await until(() => sent.length === 2)
    relay({ viewStore: views('another.db') })
    await until(() => sent.length === 4)
    expect(sent.slice(2)).toEqual(sent.slice(0, 2))
  })

  test('a batch that is too large goes in parts, in order', async () => {
    await append('account-a', ...many.slice(0, 100))
    refuse = (records) => (records.length > 30 ? { kind: 'TooLarge', bytes: 9, limit: 8 } : undefined)
    const started = relay()
    await until(() => started.position() === 99n * 3n)
    expect(types()).toEqual(many.slice(0, 100))
  })

  test('an event that is too large goes without its data, and says so; those beside it whole', async () => {
    await append('account-a', 'Small', 'Large', 'Small')
    const isLarge = ({ headers, value }: ProducerRecord) => headers.ce_type === 'Large' && value !== 'null'
    refuse = (records) => (records.some(isLarge) ? { kind: 'TooLarge', bytes: 9, limit: 8 } : undefined)
    const started = relay()
    await until(() => started.position() === 6n)
    expect(positions()).toEqual([0, 3, 6])
    expect(sent[1]).toMatchObject({
      key: 'account-a',
      value: 'null',
      headers: { ce_type: 'Large', fonds_data_left_out: '22', fonds_revision: '1' },
    })
    expect([sent[0]?.value, sent[2]?.value]).toEqual(['{"stream":"account-a"}', '{"stream":"account-a"}'])
    expect(telemetry.counted('failures', 'reason')).toEqual({ 'too-large': 1 })
  })

  test('one that does not even go without its data holds it up, and is tried again', async () => {
    await append('account-a', 'Large')
    refuse = () => ({ kind: 'TooLarge', bytes: 9, limit: 8 })
    const started = relay()
    await clock.advance(5_000)
    expect(started.position()).toBe(-1n)
    expect(telemetry.counted('failures', 'reason').away).toBeGreaterThan(2)
  })
})

describe('the term', () => {
  test('starts from where the duty says, when that is further than what is known here', async () => {
    await append('account-a', 'One', 'Two', 'Three')
    relay({ positions: { 'relay/log-1': '3', 'relay/another': '6' } })
    await until(() => sent.length === 1)
    expect(types()).toEqual(['Three'])
  })

  test('once it is over nothing more is produced', async () => {
    await append('account-a', 'One')
    const started = relay()
    await until(() => sent.length === 1)
    valid = () => false
    await append('account-a', 'Two')
    await turns(50)
    expect(types()).toEqual(['One'])
    await started.stop()
    valid = () => true
    relay()
    await until(() => sent.length === 2)
    expect(types()).toEqual(['One', 'Two'])
  })

  test('is looked at before every produce, also within a batch', async () => {
    await append('account-a', ...Array.from({ length: 40 }, (_, i) => `E${i}`))
    refuse = (records) => {
      if (records.length <= 10) valid = () => false
      return records.length > 10 ? { kind: 'TooLarge', bytes: 9, limit: 8 } : undefined
    }
    const started = relay()
    await until(() => sent.length > 0)
    await turns(50)
    expect(sent).toHaveLength(10)
    expect(started.position()).toBe(-1n)
  })
})
