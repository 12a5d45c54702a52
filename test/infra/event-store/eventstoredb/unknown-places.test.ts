import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import { credentials, Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js'
import * as either from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import type { EventStore } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { type Served, serve } from './gateway.ts'

/* EventStoreDB's positions are places in its files: from one that it never gave out it cannot read. */

type Read = ServerWritableStream<streams.ReadReq, streams.ReadResp>

/** A gateway as strict as EventStoreDB. */
const strict = async (served: Served, fault: { readonly code: status; readonly details: string }) => {
  const behind = new streamServices.StreamsClient(`127.0.0.1:${served.port}`, credentials.createInsecure())
  const given = new Set<string>()
  const refused: string[] = []
  const read = (call: Read) => {
    const place = call.request.getOptions()?.getAll()?.getPosition()?.getCommitPosition()
    if (place !== undefined && !given.has(place)) {
      refused.push(place)
      return call.emit('error', Object.assign(new Error(fault.details), fault))
    }
    const answers = behind.read(call.request)
    call.on('cancelled', () => answers.cancel())
    answers.on('error', (error) => call.emit('error', error))
    answers.on('end', () => call.end())
    answers.on('data', (answer: streams.ReadResp) => {
      const position = answer.getEvent()?.getCommitPosition() ?? answer.getCheckpoint()?.getCommitPosition()
      if (position !== undefined) given.add(position)
      call.write(answer)
    })
  }
  const server = new Server()
  server.addService({ read: streamServices.StreamsService.read }, { read })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  return {
    address: `esdb://127.0.0.1:${port}?tls=false`,
    refused,
    close: () => {
      server.forceShutdown()
      behind.close()
    },
  }
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
