import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { readMessage } from '../../../src/domain/kernel/cloud-event.ts'
import { graphStream } from '../../../src/domain/matching/graph/events.ts'
import { mergedStream } from '../../../src/domain/matching/merged/events.ts'
import { graphsTopic, mergedTopic } from '../../../src/domain/matching/messages.ts'
import type { ProducerRecord } from '../../../src/ports/broker.ts'
import { graphPublisher } from '../../../src/processors/matching/graph-publisher.ts'
import { mergedPublisher } from '../../../src/processors/matching/merged-publisher.ts'
import type { Subscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { event } from '../../contracts/new-event.ts'
import { drive, eventsIn, matcherWorld, type World } from './matcher-world.ts'

let world: World
let sent: ProducerRecord[]
let away: boolean

beforeEach(() => {
  world = matcherWorld()
  sent = []
  away = false
})

const broker = {
  produce: (records: readonly ProducerRecord[]) => async () => {
    if (away) return left({ kind: 'Unavailable' as const, reason: 'no leader' })
    sent.push(...records)
    return right([])
  },
}
const run = async (sender: Subscription) => {
  const read = await world.store.readAll(-1n, sender.filter, 1000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  return sender.handle(read.right, () => true, new AbortController().signal)
}
const opened = (record: ProducerRecord, topic: typeof graphsTopic | typeof mergedTopic) =>
  readMessage({ ...record, log: 'l', partition: 0, offset: 0n, timestamp: '2026-01-01T00:00:00.000Z' }, topic)

describe('the graph publisher', () => {
  const sender = () => graphPublisher({ broker, eventStore: world.store, telemetry: world.telemetry })

  test('each group of a change becomes a message that names its place in the log', async () => {
    await world.observe('a', ['b'])
    await world.observe('b')
    await world.observe('é "quoted"')
    await drive(world, world.newMatcher())
    expect(await run(sender())).toBe(true)
    const [change] = await eventsIn(world.store, graphStream(1))
    expect(sent.map((record) => opened(record, graphsTopic))).toMatchObject([
      {
        right: {
          id: `${change!.id}/0`,
          source: 'fonds://matching',
          type: 'graph.changed',
          time: change!.recordedAt,
          correlationId: 'conversation',
          data: {
            generation: 1,
            version: Date.parse('2026-01-01T00:00:00.000Z') * 1000,
            timeSent: '2026-01-01T00:00:00.000Z',
            revision: 0,
            group: 0,
            component: 'a',
            size: 2,
            members: [
              ['a', 0],
              ['b', 0],
            ],
          },
        },
      },
      { right: { id: `${change!.id}/1`, data: { group: 1, component: 'é "quoted"' } } },
    ])
    expect(sent.map(({ key }) => key)).toEqual(['a', 'é "quoted"'])
  })

  test('Crash between commit and send: it is sent after a restart, and what comes twice is the same', async () => {
    await world.observe('a')
    await drive(world, world.newMatcher())
    away = true
    await expect(run(sender())).rejects.toThrow('no leader')
    away = false
    await run(sender())
    await run(sender())
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
  })

  test('a component with an id of 2,000 characters is read back', async () => {
    const id = 'ü'.repeat(2000)
    await world.observe(id)
    await drive(world, world.newMatcher())
    await run(sender())
    expect(opened(sent[0]!, graphsTopic)).toMatchObject({ right: { data: { component: id } } })
  })

  test('a piece of placeholders alone is not sent; the others keep their numbers', async () => {
    await world.observe(
      'a',
      Array.from({ length: 2500 }, (_, i) => `p${i}`),
    )
    await world.observe('b')
    await drive(world, world.newMatcher())
    await run(sender())
    expect(sent.map(({ key }) => key)).toEqual(['a', 'b'])
    const published = sent.map((record) => opened(record, graphsTopic))
    for (const message of published) expect(message._tag).toBe('Right')
  })

  test('the end of a listing is no message', async () => {
    await world.startGeneration(2)
    await drive(world, world.newMatcher())
    expect(await eventsIn(world.store, graphStream(2))).toHaveLength(1)
    await run(sender())
    expect(sent).toEqual([])
  })

  test('what it cannot read it waits before', async () => {
    await world.append(graphStream(1), event('GraphChanged', { version: 'two' }))
    await expect(run(sender())).rejects.toThrow(/graph-1 at position 0: GraphChanged/)
  })
})

describe('the merged publisher', () => {
  test('each document becomes a message, keyed by its work', async () => {
    const document = { kind: 'redirect', to: 'a', component: 'a' }
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const merged = event('WorkMerged', { generation: 2, version: 7, document, at: world.clock.now() })
    await world.append(mergedStream('b'), { ...merged, metadata: { ...merged.metadata, traceparent } })
    await run(mergedPublisher({ broker, telemetry: world.telemetry }))
    expect(sent).toHaveLength(1)
    expect(sent[0]!.key).toBe('b')
    expect(opened(sent[0]!, mergedTopic)).toMatchObject({
      right: {
        id: merged.id,
        source: 'fonds://matching',
        type: 'work.merged',
        correlationId: 'conversation',
        traceparent,
        data: { work: 'b', generation: 2, version: 7, document },
      },
    })
  })
})
