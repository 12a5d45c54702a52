import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { Metadata, status } from '@grpc/grpc-js'
import * as either from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../../../infra/event-store/eventstoredb/connection.ts'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import { UnavailableError } from '../../../../src/async/unavailable.ts'
import type { EventStore } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { type Served, serve } from './gateway.ts'
import { inFront, type Otherwise } from './in-front.ts'

/* Whatever the client throws in a callback ends one call. Thrown past it, each of these would end the run of the tests. */

let served: Served
let server: Awaited<ReturnType<typeof inFront>>
let store: EventStore
beforeEach(async () => {
  served = await serve()
})
afterEach(async () => {
  await store?.close()
  server.close()
  await served.dispose()
})

const answering = async (otherwise: Otherwise): Promise<EventStore> => {
  server = await inFront(served.port, otherwise)
  store = openEventStoreDb(server.address)
  return store
}

/** What a server says at the end of a call. */
const ended = (
  trailers: Readonly<Record<string, string>>,
  details = '',
  code = status.FAILED_PRECONDITION,
) => {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value)
  return Object.assign(new Error(details), { code, details, metadata })
}

/** As recorded of 23.10.6 and 24.10.0: the name `ends ` is lost on the way. */
const wrongVersion = { exception: 'wrong-expected-version', 'expected-version': '5', 'actual-version': '0' }
const deleted = { exception: 'stream-deleted' }

describe('a trailer that the client expects is missing', () => {
  it('delete at a wrong revision: a conflict', async () => {
    const store = await answering({ remove: (_, callback) => callback(ended(wrongVersion)) })
    expect(await store.deleteStream('ends ', 5n, 'soft')()).toEqual(
      either.left({ kind: 'Conflict', stream: 'ends ', actual: 0n }),
    )
  })
  it('append to a tombstone: the stream is deleted', async () => {
    const store = await answering({ append: (_, callback) => callback(ended(deleted)) })
    expect(await store.append('ends ', 'any', [event()])()).toEqual(
      either.left({ kind: 'StreamDeleted', stream: 'ends ' }),
    )
  })
  it('read of a tombstone: the stream is deleted', async () => {
    const store = await answering({ read: (call) => call.emit('error', ended(deleted)) })
    expect(await store.read('ends ', 'start', 'forward', 9)()).toEqual(
      either.left({ kind: 'StreamDeleted', stream: 'ends ' }),
    )
  })
  it.each([
    [{ exception: 'not-leader' }, status.NOT_FOUND],
    [{ exception: 'wrong-expected-version' }, status.FAILED_PRECONDITION],
    [{ ...wrongVersion, 'expected-version': 'five' }, status.FAILED_PRECONDITION],
    [{ exception: 'maximum-append-size-exceeded' }, status.INVALID_ARGUMENT],
    [{ exception: 'missing-required-metadata-property' }, status.INVALID_ARGUMENT],
    [{ exception: 'user-not-found' }, status.NOT_FOUND],
    [{ exception: 'scavenge-not-found' }, status.NOT_FOUND],
  ])('%j: what it is by its code, in the words of the server', async (trailers, code) => {
    const store = await answering({
      append: (_, callback) => callback(ended(trailers, 'so it is', code)),
      read: (call) => call.emit('error', ended(trailers, 'so it is', code)),
    })
    const unavailable = either.left({
      kind: 'Unavailable',
      reason: expect.stringContaining('failed: so it is'),
    })
    const refused = either.left({
      kind: 'Refused',
      stream: 'a-1',
      reason: expect.stringContaining('so it is'),
    })
    expect(await store.append('a-1', 'any', [event()])()).toEqual(
      code === status.INVALID_ARGUMENT ? refused : unavailable,
    )
    expect(await store.read('a-1', 'start', 'forward', 9)()).toEqual(unavailable)
  })
})

describe('a message that is no event', () => {
  const withoutId = (): streams.ReadResp => {
    const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    const name = new shared.StreamIdentifier()
    name.setStreamName(Buffer.from('a-1'))
    recorded.setStreamIdentifier(name)
    const event = new streams.ReadResp.ReadEvent()
    event.setEvent(recorded)
    const answer = new streams.ReadResp()
    answer.setEvent(event)
    return answer
  }
  beforeEach(() =>
    answering({
      read: (call) => {
        const options = call.request.getOptions()
        // Where the log ends is asked before it is followed.
        if (!options?.hasStream() && !options?.hasSubscription()) return false
        call.write(withoutId())
        return true
      },
    }),
  )

  it('read: unavailable', async () => {
    expect(await store.read('a-1', 'start', 'forward', 9)()).toEqual(
      either.left({ kind: 'Unavailable', reason: expect.stringContaining('an event has no id') }),
    )
  })
  it('subscription: away', async () => {
    const follow = () => store.subscribe(-1n, {}, AbortSignal.timeout(120_000))[Symbol.asyncIterator]().next()
    await expect(follow()).rejects.toThrow(UnavailableError)
    await expect(follow()).rejects.toThrow(/an event has no id/)
  })
})

it('an answer that says neither yes nor no: unavailable, when time is up', async () => {
  const store = await answering({ append: (_, callback) => callback(null, new streams.AppendResp()) })
  expect(await store.append('a-1', 'any', [event()])()).toEqual(
    either.left({ kind: 'Unavailable', reason: expect.stringContaining('did not answer in time') }),
  )
})

describe('the connection changes under a call', () => {
  it('closed between two steps of the client: the call fails', async () => {
    await answering({})
    const { client, credentials, close } = connect(server.address)
    const inside = client as unknown as { getGRPCClient: (...of: unknown[]) => Promise<{ close(): void }> }
    const { getGRPCClient } = inside
    inside.getGRPCClient = async (...of) => {
      const made = await getGRPCClient(...of)
      made.close()
      return made
    }
    const one = { type: 'A', contentType: 'application/json', id: event().id, data: {} } as never
    await expect(client.appendToStream('a-1', one, { ...credentials })).rejects.toThrow(/shut ?down/)
    await close()
  })

  it('the server that is to be next cannot be found: nobody waits for that', async () => {
    await answering({})
    const { client, close } = connect('esdb+discover://127.0.0.1:1?tls=false&maxDiscoverAttempts=1')
    const inside = client as unknown as {
      getChannel: () => Promise<unknown>
      handleError: (failed: unknown, error: Error) => Promise<void>
    }
    const searching = inside.getChannel()
    const handled = inside.handleError({ getChannel: () => 'another' }, ended({}, '', status.UNAVAILABLE))
    await expect(searching).rejects.toThrow(/discover/)
    await expect(handled).resolves.toBeUndefined()
    await close()
  })
})
