import * as either from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import type { EventStore } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { as2410 } from './as-24-10.ts'
import { type Served, serve } from './gateway.ts'

/* EventStoreDB 24.10 says a checkpoint at 2^64−1 where a filtered subscription has come to the end and nothing passed. */

let served: Served
let server: Awaited<ReturnType<typeof as2410>>
let store: EventStore
let writer: EventStore
beforeEach(async () => {
  served = await serve()
  server = await as2410(served.port)
  writer = openEventStoreDb(served.address)
  store = openEventStoreDb(server.address)
})
afterEach(async () => {
  await Promise.all([store.close(), writer.close()])
  server.close()
  await served.dispose()
})

describe('a position that no log can have moves nobody', () => {
  it.each([
    ['an empty log', 0, {}],
    ['an empty log, with a filter', 0, { types: ['Wanted'] }],
    ['a log of which nothing passes', 5, { types: ['Wanted'] }],
    ['a log of which no category passes', 5, { categories: ['w'] }],
  ])('%s', async (_, others, filter) => {
    for (let n = 0; n < others; n++) await writer.append(`a-${n}`, 'none', [event('Other')])()
    const head = await writer.head()()
    const abort = new AbortController()
    const positions: bigint[] = []
    const seen: string[] = []
    for await (const batch of store.subscribe(-1n, filter, abort.signal)) {
      positions.push(batch.position)
      seen.push(...batch.events.map(({ type }) => type))
      if (batch.caughtUp && seen.length === 0 && positions.length > 0)
        await writer.append('w-1', 'any', [event('Wanted')])()
      if (seen.includes('Wanted')) abort.abort()
    }
    expect(seen).toEqual(['Wanted'])
    expect(positions[0]! <= (either.isRight(head) ? head.right : -1n)).toBe(true)
    expect(positions.every((position) => position < 100n)).toBe(true)
  })
})
