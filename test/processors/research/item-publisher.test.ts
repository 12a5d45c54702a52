import { left, right } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { readMessage } from '../../../src/domain/kernel/cloud-event.ts'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { Condition, Row } from '../../../src/domain/kernel/view.ts'
import { clipStream, episodeStream } from '../../../src/domain/research/terms.ts'
import { type WorkItem, workItemsTopic } from '../../../src/domain/research/work-item.ts'
import type { ProducerRecord } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { createItemPublisher } from '../../../src/processors/research/item-publisher.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeClock, fakeClock } from '../../fakes/clock.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'

let clock: FakeClock
let sent: ProducerRecord[]
let refuse: (records: readonly ProducerRecord[]) => BrokerFailure | undefined
/** Rows by view and key; how many were looked up; how far they are folded. */
let rows: Map<string, Row>
let lookedUp: string[]
let warnings: string[]
let reached: bigint
let position: bigint

const media = (title: string, more: Row = {}): Row => ({
  title,
  mediaUri: `https://media.example/${title}.mp3`,
  mediaType: 'audio/mpeg',
  description: null,
  ...more,
})

beforeEach(() => {
  clock = fakeClock()
  sent = []
  refuse = () => undefined
  lookedUp = []
  warnings = []
  reached = 1000n
  position = 0n
  rows = new Map([
    ['research-episodes e1', media('One', { description: 'The first of them.' })],
    ['research-clips c1', media('Gurgle')],
    ['research-clips c2', media('Cough')],
  ])
})

const broker = {
  produce: (records: readonly ProducerRecord[]) => async () => {
    const failure = refuse(records)
    if (failure) return left(failure)
    sent.push(...records)
    return right([])
  },
}
const lookUp = (view: string, { where = [] }: { readonly where?: readonly Condition[] }) => {
  const [first, ...others] = where
  const values = first?.is === 'in' ? first.value : [first?.value]
  return values.flatMap((value) => {
    const key = `${view} ${value}`
    lookedUp.push(key)
    const row = rows.get(key)
    return row && others.every((other) => row[other.column] === other.value) ? [row] : []
  })
}
const viewStore: Pick<ViewStore, 'query' | 'tally'> = { query: lookUp, tally: lookUp }
const newSender = () =>
  createItemPublisher({
    broker,
    viewStore,
    clock,
    log: pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) }),
    telemetry: recordedTelemetry(),
    viewsReach: async (wanted) => {
      if (reached < wanted) throw new UnavailableError('the views are behind')
    },
  })

const recorded = (stream: string, type: string, data: object = {}): RecordedEvent => ({
  ...event(type, data),
  stream,
  revision: 0n,
  position: ++position,
  recordedAt: clock.now(),
})
const granted = (lease: string, clips: readonly string[] = ['c1', 'c2'], episode = 'e1') =>
  recorded(episodeStream(episode), 'LeaseGranted', {
    lease,
    fence: 1,
    clips,
    deadline: '2026-01-01T02:00:00.000Z',
    notAfter: '2026-01-01T01:00:00.000Z',
    leaseSeconds: 7200,
    policy: 0,
    at: clock.now(),
  })
const hand = (events: readonly RecordedEvent[], sender = newSender()) =>
  sender.handle({ events, position, caughtUp: true }, () => true, new AbortController().signal)
const itemOf = (record: ProducerRecord): WorkItem => {
  const message = readMessage(
    { ...record, log: 'l', partition: 0, offset: 0n, timestamp: clock.now() },
    workItemsTopic,
  )
  if (message._tag === 'Left') throw new Error(JSON.stringify(message.left))
  return message.right.data as WorkItem
}
const leases = () => sent.map((record) => itemOf(record).lease)

describe('a work item', () => {
  test('L26: has the lease, the clips in their order, and what is needed to fetch them', async () => {
    const grant = granted('lease-1', ['c2', 'c1'])
    expect(await hand([grant])).toBe(true)
    expect(sent.map(({ key, topic }) => [topic, key])).toEqual([['fonds.research.work-items', 'e1']])
    expect(sent[0]!.headers).toMatchObject({
      ce_id: 'lease-1',
      ce_source: 'fonds://research',
      ce_type: 'work.item',
      ce_time: grant.recordedAt,
      ce_correlationid: 'conversation',
    })
    expect(itemOf(sent[0]!)).toEqual({
      lease: 'lease-1',
      episode: {
        id: 'e1',
        title: 'One',
        mediaUri: 'https://media.example/One.mp3',
        mediaType: 'audio/mpeg',
        description: 'The first of them.',
      },
      clips: [
        { id: 'c2', title: 'Cough', mediaUri: 'https://media.example/Cough.mp3', mediaType: 'audio/mpeg' },
        { id: 'c1', title: 'Gurgle', mediaUri: 'https://media.example/Gurgle.mp3', mediaType: 'audio/mpeg' },
      ],
      notAfter: '2026-01-01T01:00:00.000Z',
      deadline: '2026-01-01T02:00:00.000Z',
    })
  })

  test('says which media a stranger to this machine named', async () => {
    rows.set('research-clips c1', media('Gurgle', { foreign: 1 }))
    await hand([granted('lease-1', ['c1', 'c2'])])
    const { clips } = itemOf(sent[0]!)
    expect(clips.map(({ id, foreign }) => [id, foreign])).toEqual([
      ['c1', true],
      ['c2', undefined],
    ])
  })

  test('F4: is not sent when it could not be taken any more', async () => {
    const grants = [granted('lease-1')]
    await clock.advance(3_599_999)
    await hand(grants)
    await clock.advance(1)
    await hand(grants)
    expect(leases()).toEqual(['lease-1'])
  })

  test('is not sent when its lease has ended; one that is waiting or taken is', async () => {
    for (const state of ['waiting', 'taken', 'ended'])
      rows.set(`research-leases ${state}`, { lease: state, state })
    await hand(['waiting', 'ended', 'taken'].map((lease) => granted(lease)))
    expect(leases()).toEqual(['waiting', 'taken'])
  })

  test('F3, F5: after a crash it is sent, and one sent twice is the same', async () => {
    const grants = [granted('lease-1'), granted('lease-2')]
    refuse = () => ({ kind: 'Unavailable', reason: 'no leader' })
    await expect(hand(grants)).rejects.toThrow('no leader')
    refuse = () => undefined
    await hand(grants)
    await hand(grants)
    expect(leases()).toEqual(['lease-1', 'lease-2', 'lease-1', 'lease-2'])
    expect(sent[2]).toEqual(sent[0])
  })
})

describe('what items say', () => {
  test('waits until the views know what the log does', async () => {
    const sender = newSender()
    const grants = [granted('lease-1'), granted('lease-2')]
    reached = position - 1n
    await expect(hand(grants, sender)).rejects.toBeInstanceOf(UnavailableError)
    expect(sent).toEqual([])
    reached = position
    await hand(grants, sender)
    expect(leases()).toEqual(['lease-1', 'lease-2'])
  })

  test('a clip and an episode are looked up once, and again when they have changed', async () => {
    const sender = newSender()
    await hand([granted('lease-1'), granted('lease-2')], sender)
    expect(lookedUp.filter((key) => key === 'research-clips c1')).toHaveLength(1)
    expect(lookedUp.filter((key) => key === 'research-episodes e1')).toHaveLength(1)
    rows.set('research-clips c1', media('Gargle'))
    rows.set('research-episodes e1', media('Another'))
    const amended = [clipStream('c1'), episodeStream('e1')].map((stream) => recorded(stream, 'Amended'))
    await hand([granted('lease-3'), ...amended], sender)
    const { episode, clips } = itemOf(sent[2]!)
    expect([episode, ...clips].map(({ title }) => title)).toEqual(['Another', 'Gargle', 'Cough'])
  })

  test('what was leased and is unknown to the views holds it up, with a sentence', async () => {
    await expect(hand([granted('lease-1', ['c9'])])).rejects.toThrow(
      'clip c9 was leased, but the view research-clips does not know it; rebuild the research views',
    )
    await expect(hand([granted('lease-1', ['c1'], 'e9')])).rejects.toThrow(/episode e9 was leased/)
  })

  test('descriptions are left out where the topic finds the item too large', async () => {
    refuse = ([record]) =>
      record!.value.toString().includes('description') ? { kind: 'TooLarge', bytes: 9, limit: 8 } : undefined
    await hand([granted('lease-1')])
    expect(itemOf(sent[0]!).episode).toEqual({
      id: 'e1',
      title: 'One',
      mediaUri: 'https://media.example/One.mp3',
      mediaType: 'audio/mpeg',
    })
  })

  test('one that is too large even so holds up no other, and is told of with what to do', async () => {
    refuse = (records) =>
      records.some(({ value }) => value.toString().includes('lease-2'))
        ? { kind: 'TooLarge', bytes: 9, limit: 8 }
        : undefined
    await hand([granted('lease-1'), granted('lease-2'), granted('lease-3')])
    expect(sent.map((record) => itemOf(record).lease)).toEqual(['lease-1', 'lease-3'])
    expect(warnings).toEqual([expect.stringMatching(/item of 9 bytes is not sent.* takes 8; lower maxClips/)])
  })

  test('a grant that cannot be read is stood before', async () => {
    await expect(hand([recorded(episodeStream('e1'), 'LeaseGranted', { lease: 7 })])).rejects.toThrow(
      /episode-e1 at position 1: LeaseGranted/,
    )
  })
})
