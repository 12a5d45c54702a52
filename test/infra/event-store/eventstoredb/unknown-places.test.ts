import { status } from '@grpc/grpc-js'
import * as either from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import type { EventStore } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { type Served, serve } from './gateway.ts'
import { inFront } from './in-front.ts'

/* EventStoreDB's positions are places in its files: from one that it never gave out it cannot read. */

/** A gateway as strict as EventStoreDB. */
const strict = async (served: Served, fault: { readonly code: status; readonly details: string }) => {
  const given = new Set<string>()
  const refused: string[] = []
  const server = await inFront(served.port, {
    read: (call) => {
      const place = call.request.getOptions()?.getAll()?.getPosition()?.getCommitPosition()
      if (place === undefined || given.has(place)) return false
      refused.push(place)
      return call.emit('error', Object.assign(new Error(fault.details), fault))
    },
    told: (answer) => {
      const position = answer.getEvent()?.getCommitPosition() ?? answer.getCheckpoint()?.getCommitPosition()
      if (position !== undefined) given.add(position)
      return [answer]
    },
  })
  return { ...server, refused }
}

describe.each([
  ['23.10', { code: status.INVALID_ARGUMENT, details: 'Trying to read from an invalid position.' }],
  ['22.10', { code: status.UNKNOWN, details: 'Unexpected FilteredReadAllResult: Error' }],
])('a position that the server never gave out (EventStoreDB %s)', (_, fault) => {
  let served: Served
  let server: Awaited<ReturnType<typeof strict>>
  let store: EventStore
  beforeEach(async () => {
    served = await serve()
    const writer = openEventStoreDb(served.address)
    for (let n = 0; n < 30; n++) await writer.append(`a-${n}`, 'none', [event(n % 2 ? 'Odd' : 'Even')])()
    await writer.close()
    server = await strict(served, fault)
    store = openEventStoreDb(server.address)
  })
  afterEach(async () => {
    await store.close()
    server.close()
    await served.dispose()
  })

  it('reads on from it', async () => {
    const found = await store.readAll(7n, {}, 3)()
    expect(either.isRight(found) && found.right.events.map(({ position }) => position)).toEqual([8n, 9n, 10n])
    const odd = await store.readAll(27n, { types: ['Odd'] }, 9)()
    expect(odd).toMatchObject(
      either.right({ events: [{ position: 28n }, { position: 30n }], caughtUp: true }),
    )
    expect(server.refused).toEqual(['7'])
  })
  it('reads on from it, with a filter, to the end', async () => {
    const odd = await store.readAll(27n, { types: ['Odd'] }, 9)()
    expect(odd).toMatchObject(
      either.right({ events: [{ position: 28n }, { position: 30n }], caughtUp: true }),
    )
    expect(server.refused).toEqual(['27'])
  })
  it('reads back from it', async () => {
    const found = await store.readBack(7n, 3)()
    expect(either.isRight(found) && found.right.map(({ position }) => position)).toEqual([6n, 5n, 4n])
    expect(server.refused).toEqual(['7'])
  })
  it.each([[{}], [{ types: ['Even', 'Odd'] }]])('follows from it: %j', async (filter) => {
    const abort = new AbortController()
    const positions: bigint[] = []
    for await (const { events, caughtUp } of store.subscribe(7n, filter, abort.signal)) {
      positions.push(...events.map(({ position }) => position))
      if (caughtUp) abort.abort()
    }
    expect(positions).toEqual(Array.from({ length: 23 }, (_, n) => BigInt(n + 8)))
    expect(server.refused[0]).toBe('7')
  })
})

describe('positions that no log has', () => {
  it.each([-5n, 2n ** 63n, 2n ** 64n, 10n ** 30n])('%d', async (position) => {
    const served = await serve()
    const store = openEventStoreDb(served.address)
    await store.append('a-1', 'none', [event()])()
    const count = async (task: ReturnType<EventStore['readBack']>) => {
      const found = await task()
      return either.isRight(found) ? found.right.length : found.left
    }
    expect(await count(store.readBack(position, 9))).toBe(position < 0n ? 0 : 1)
    const found = await store.readAll(position, {}, 9)()
    expect(either.isRight(found) && found.right.events.length).toBe(position < 0n ? 1 : 0)
    await store.close()
    await served.dispose()
  })
})
