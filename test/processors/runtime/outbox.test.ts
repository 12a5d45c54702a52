import { left, right } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { ProducerRecord } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import { type Outbox, outbox } from '../../../src/processors/runtime/outbox.ts'
import { event } from '../../contracts/new-event.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'

/* The tests of the relay, too, show what all outboxes share. */

let sent: string[]
let calls: number
let refuse: (records: readonly ProducerRecord[]) => BrokerFailure | undefined
let telemetry: ReturnType<typeof recordedTelemetry>

beforeEach(() => {
  sent = []
  calls = 0
  refuse = () => undefined
  telemetry = recordedTelemetry()
})

const broker = {
  produce: (records: readonly ProducerRecord[]) => async () => {
    calls++
    const failure = refuse(records)
    if (failure) return left(failure)
    sent.push(...records.map(({ value }) => String(value)))
    return right([])
  },
}
const record = (value: string): ProducerRecord => ({ topic: 'out', key: 'k', headers: {}, value })
/** An event becomes the words of its type. */
const words: Outbox = {
  name: 'words',
  checkpoint: 'words/2',
  filter: { types: ['a b'] },
  batchSize: 7,
  recordsOf: ({ type }) => type.split(' ').filter(Boolean).map(record),
}
const handle = (out: Outbox, types: readonly string[], isLeader = () => true) =>
  outbox(out, { broker, telemetry }).handle(
    {
      events: types.map(
        (type): RecordedEvent => ({
          ...event(type),
          stream: 's-1',
          revision: 0n,
          position: 0n,
          recordedAt: '2026-01-01T00:00:00.000Z',
        }),
      ),
      position: 0n,
      caughtUp: true,
    },
    isLeader,
    new AbortController().signal,
  )
const tooLarge: BrokerFailure = { kind: 'TooLarge', bytes: 9, limit: 8 }

test('follows what it is told to follow', () => {
  const { name, checkpoint, filter, batchSize, ownCheckpoint: place } = outbox(words, { broker, telemetry })
  expect({ name, checkpoint, filter, batchSize, place }).toEqual({
    name: 'words',
    checkpoint: 'words/2',
    filter: { types: ['a b'] },
    batchSize: 7,
    place: undefined,
  })
})

test('events may lead to several messages or to none; a batch is sent at once', async () => {
  expect(await handle(words, ['a b', '', 'c'])).toBe(true)
  expect(sent).toEqual(['a', 'b', 'c'])
  expect(calls).toBe(1)
  expect(telemetry.counted('messages', 'processor')).toEqual({ words: 3 })
})

test('nothing to be said is not sent', async () => {
  expect(await handle(words, [''])).toBe(true)
  expect(calls).toBe(0)
})

test('what is too large together goes in parts, in order', async () => {
  refuse = (records) => (records.length > 2 ? tooLarge : undefined)
  expect(await handle(words, ['a b c', 'd e'])).toBe(true)
  expect(sent).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('stops between parts once it is to stop', async () => {
  refuse = (records) => (records.length > 1 ? tooLarge : undefined)
  expect(await handle(words, ['a b c d'], () => sent.length < 2)).toBe(false)
  expect(sent).toEqual(['a', 'b'])
})

describe('a message too large for its topic', () => {
  const isLarge = (records: readonly ProducerRecord[]) => records.some(({ value }) => value === 'large')

  test('holds it up, with a sentence that says what to do', async () => {
    refuse = (records) => (isLarge(records) ? tooLarge : undefined)
    await expect(handle(words, ['a large b'])).rejects.toThrow(
      'out accepts at most 8 bytes, a message has 9; raise its limit',
    )
    expect(sent).toEqual(['a'])
  })

  test('goes as another, where there is one', async () => {
    refuse = (records) => (isLarge(records) ? tooLarge : undefined)
    const instead = ({ value }: ProducerRecord) => (value === 'large' ? record('small') : undefined)
    expect(await handle({ ...words, instead }, ['a large b'])).toBe(true)
    expect(sent).toEqual(['a', 'small', 'b'])
  })
})

test.each<[BrokerFailure, RegExp]>([
  [{ kind: 'UnknownTopic', topic: 'out' }, /the topic out is missing/],
  [{ kind: 'Unavailable', reason: 'no leader' }, /no leader/],
  [{ kind: 'Forbidden', reason: 'grant Write on out' }, /grant Write on out/],
])('%o is waited for', async (failure, sentence) => {
  refuse = () => failure
  await expect(handle(words, ['a'])).rejects.toThrow(sentence)
})
