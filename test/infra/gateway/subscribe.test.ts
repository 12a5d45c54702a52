import { once } from 'node:events'
import {
  END,
  ErrorType,
  eventTypeFilter,
  excludeSystemEvents,
  type Filter,
  type ReadPosition,
  START,
  streamNameFilter,
} from '@eventstore/db-client'
import * as either from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSqliteEventStore } from '../../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../../infra/sqlite/database.ts'
import { event } from '../../contracts/new-event.ts'
import { type Running, runGateway, some } from './running-gateway.ts'

let running: Running
beforeEach(async () => {
  running = await runGateway()
})
afterEach(() => running.dispose())

type Seen = string | number

/** Follows a subscription: positions of events, and what else it is told, in the order of arrival. */
const follow = (fromPosition: ReadPosition, filter?: Filter) => {
  const seen: Seen[] = []
  const noted = filter && {
    ...filter,
    checkpointReached: async (_: unknown, { commit }: { commit: bigint }) => {
      seen.push(`checkpoint ${commit}`)
    },
  }
  const subscription = running.client.subscribeToAll({ fromPosition, ...(noted && { filter: noted }) })
  subscription.on('confirmation', () => seen.push('confirmed'))
  subscription.on('caughtUp', () => seen.push('live'))
  subscription.on('error', (error) => seen.push(String('type' in error && error.type)))
  subscription.on('data', ({ event: one }) => seen.push(Number(one?.position?.commit)))
  const events = () => seen.filter((one) => typeof one === 'number')
  return { seen, events, subscription }
}
const until = (condition: () => void) => vi.waitFor(condition, { interval: 5 })
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

it('confirmed first, then everything that is there, then live, then what comes', async () => {
  await running.client.appendToStream('a-1', some(3))
  const { seen } = follow(START)
  await until(() => expect(seen).toEqual(['confirmed', 1, 2, 3, 'live']))
  await running.client.appendToStream('a-1', some(2))
  await until(() => expect(seen.slice(5)).toEqual([4, 5]))
})
it('from a position: what lies behind it; from the end: what comes', async () => {
  await running.client.appendToStream('a-1', some(3))
  const behind = follow({ commit: 2n, prepare: 2n })
  const atEnd = follow(END)
  await until(() => expect(behind.seen).toContain('live'))
  await until(() => expect(atEnd.seen).toContain('live'))
  await running.client.appendToStream('a-1', some(1))
  await until(() => expect(behind.events()).toEqual([3, 4]))
  await until(() => expect(atEnd.events()).toEqual([4]))
})
it('no gap and no duplicate while others write', async () => {
  const writing = Promise.all(
    Array.from({ length: 60 }, (_, n) => running.client.appendToStream(`w-${n % 7}`, some(10))),
  )
  const followers = [follow(START), follow(START, excludeSystemEvents()), follow(START)]
  await writing
  for (const { events } of followers) await until(() => expect(events()).toEqual(upTo(600)))
})
it('a reader that stops for a while loses nothing and is not waited for', async () => {
  const subscription = running.client.subscribeToAll({ fromPosition: START })
  const seen: number[] = []
  await once(subscription, 'confirmation')
  for (let n = 0; n < 20; n++) await running.client.appendToStream('a-1', some(300))
  for await (const { event: one } of subscription) {
    seen.push(Number(one?.position?.commit))
    if (seen.length === 6000) break
  }
  expect(seen).toEqual(upTo(6000))
})
it('filters by prefixes and expressions of streams and of types', async () => {
  await running.client.appendToStream('order-1', some(1, 'Placed'))
  await running.client.appendToStream('border-1', some(1, 'Placed'))
  await running.client.appendToStream('order-2', some(1, 'Paid'))
  await running.client.setStreamMetadata('order-2', { maxCount: 5 })
  const filters: [Filter, number[]][] = [
    [streamNameFilter({ prefixes: ['order-', 'x'] }), [1, 3]],
    [streamNameFilter({ regex: 'rder-1$' }), [1, 2]],
    [eventTypeFilter({ prefixes: ['Pai'] }), [3]],
    [eventTypeFilter({ regex: '^(?:Placed|Other)$' }), [1, 2]],
    [excludeSystemEvents(), [1, 2, 3]],
  ]
  for (const [filter, expected] of filters) {
    const { seen, events } = follow(START, filter)
    await until(() => expect(seen).toContain('live'))
    expect(events()).toEqual(expected)
  }
})
it('checkpoints every window times interval events looked at', async () => {
  for (let n = 0; n < 3; n++) await running.client.appendToStream('a-1', some(10))
  const { seen } = follow(
    START,
    streamNameFilter({ prefixes: ['b'], maxSearchWindow: 4, checkpointInterval: 3 }),
  )
  await until(() => expect(seen).toEqual(['confirmed', 'checkpoint 12', 'checkpoint 24', 'live']))
  await running.client.appendToStream('a-1', some(7))
  await until(() => expect(seen.slice(4)).toEqual(['checkpoint 36']))
})
it('checkpoints come behind the events before them', async () => {
  await running.client.appendToStream('a-1', some(70))
  const { seen } = follow(START, streamNameFilter({ prefixes: ['a'] }))
  await until(() => expect(seen).toContain('live'))
  // The client tells of checkpoints as they pass, ahead of what it still holds: never before they were sent.
  expect(seen.filter((one) => typeof one === 'string')).toEqual([
    'confirmed',
    'checkpoint 32',
    'checkpoint 64',
    'live',
  ])
})
it('one stream: from a revision, also before it is there, across deletion, until its tombstone', async () => {
  const seen: Seen[] = []
  const subscription = running.client.subscribeToStream('later-1', { fromRevision: START })
  subscription.on('caughtUp', () => seen.push('live'))
  subscription.on('error', (error) => seen.push(String('type' in error && error.type)))
  subscription.on('data', ({ event: one }) => seen.push(Number(one?.revision)))
  await until(() => expect(seen).toEqual(['live']))
  await running.client.appendToStream('other-1', some(3))
  await running.client.appendToStream('later-1', some(2))
  await until(() => expect(seen).toEqual(['live', 0, 1]))
  await running.client.deleteStream('later-1')
  await running.client.appendToStream('later-1', some(1))
  await until(() => expect(seen).toEqual(['live', 0, 1, 2]))

  const behind: number[] = []
  const second = running.client.subscribeToStream('later-1', { fromRevision: 2n })
  second.on('data', ({ event: one }) => behind.push(Number(one?.revision)))
  second.on('error', () => {})
  await running.client.appendToStream('later-1', some(1))
  await until(() => expect(behind).toEqual([3]))

  await running.client.tombstoneStream('later-1')
  await until(() => expect(seen.at(-1)).toBe(ErrorType.STREAM_DELETED))
})
it("what Fonds itself and another process write arrives, with EventStoreDB's names for cause and correlation", async () => {
  const metadata: unknown[] = []
  const subscription = running.client.subscribeToAll({ fromPosition: END })
  subscription.on('data', (one) => metadata.push(one.event?.metadata))
  await once(subscription, 'caughtUp')
  const own = event('Tested', { a: 1 })
  expect(either.isRight(await running.store.append('own-1', 'none', [own])())).toBe(true)
  const db = openDatabase(running.file)
  const other = openSqliteEventStore(db)
  expect(either.isRight(await other.append('own-1', 0n, [event('Tested', {})])())).toBe(true)
  await other.close()
  await until(() => expect(metadata).toHaveLength(2))
  const { correlationId: $correlationId, causationId: $causationId } = own.metadata
  expect(metadata[0]).toEqual({ ...own.metadata, $correlationId, $causationId })
})
it('one that leaves is forgotten', async () => {
  let listening = 0
  const onChange = running.db.onChange
  vi.spyOn(running.db, 'onChange').mockImplementation((listener) => {
    listening++
    const stop = onChange(listener)
    return () => {
      listening--
      stop()
    }
  })
  const { seen, subscription } = follow(START)
  await until(() => expect(seen).toContain('live'))
  expect(listening).toBe(1)
  await subscription.unsubscribe()
  await until(() => expect(listening).toBe(0))
})
