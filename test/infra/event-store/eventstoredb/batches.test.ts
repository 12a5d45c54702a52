import codes from '@eventstore/db-client/generated/code_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import * as either from 'fp-ts/lib/Either.js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { batchingServer } from './batching-server.ts'
import { type Served, serve } from './gateway.ts'

/* Appends share one call: what happens to it, or to one of them, is told to those whom it concerns. */

let served: Served
beforeEach(async () => {
  served = await serve()
})
afterEach(() => served.dispose())

const use = async (behaviour: Parameters<typeof batchingServer>[1], deadlineMillis = 10_000) => {
  const server = await batchingServer(served.port, behaviour)
  const store = openEventStoreDb(server.address, { deadlineMillis })
  const direct = openEventStoreDb(served.address)
  onTestFinished(async () => {
    await Promise.all([store.close(), direct.close()])
    server.close()
  })
  return { store, direct, calls: server.calls }
}

const streamIn = (request: streams.BatchAppendReq): string =>
  Buffer.from(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()

const unavailable = (reason: string) => ({
  left: { kind: 'Unavailable', reason: expect.stringContaining(reason) },
})

describe('one call', () => {
  it('carries all appends, in the order in which they were made', async () => {
    const { store, direct, calls } = await use({})
    const made = Array.from({ length: 300 }, (_, n) =>
      store.append(`a-${n % 7}`, 'any', [event('T', { n })])(),
    )
    const positions = (await Promise.all(made)).map((one) => (either.isRight(one) ? one.right.position : -1n))
    expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)))
    const read = await direct.readAll(-1n, {}, 1000)()
    expect(read).toMatchObject({
      right: { events: Array.from({ length: 300 }, (_, n) => ({ data: { n } })) },
    })
    expect(calls).toEqual({ batched: 1, alone: 0 })
  })

  it('is not used of a server that gives it no deadline, or does not speak of it', async () => {
    for (const says of [[], ['something_else']]) {
      const { store, calls } = await use({ says })
      expect(either.isRight(await store.append(`a-${says.length}`, 'none', [event()])())).toBe(true)
      expect(calls).toEqual({ batched: 0, alone: 1 })
    }
  })

  it('is not used for an id that is no UUID, which would end it', async () => {
    const { store, calls } = await use({})
    await store.append('a-1', 'any', [{ ...event(), id: 'seven' }])()
    expect(calls).toEqual({ batched: 0, alone: 1 })
  })

  it('large appends go in pieces', async () => {
    const { store, calls } = await use({})
    const large = Array.from({ length: 3 }, () => event('Large', { text: 'x'.repeat(2_000_000) }))
    const roomy = openEventStoreDb(served.address, { maxAppendSize: 100_000_000 })
    onTestFinished(() => roomy.close())
    expect(await roomy.append('a-1', 'any', large)()).toMatchObject({
      left: { kind: 'TooLarge', limit: 1048576 },
    })
    const huge = [event('Large', { text: 'x'.repeat(17_000_000) })]
    const [refused, taken] = await Promise.all([
      roomy.append('a-1', 'any', huge)(),
      roomy.append('a-2', 'any', [event()])(),
    ])
    expect(refused).toMatchObject({ left: { kind: 'TooLarge' } })
    expect(either.isRight(taken)).toBe(true)
    expect(either.isRight(await store.append('a-3', 'any', [event()])())).toBe(true)
    expect(calls.batched).toBe(1)
  })
})

describe('one append among others', () => {
  it('that is never answered is unavailable when its time is up; the others are answered', async () => {
    const { store } = await use({ otherwise: (request) => streamIn(request) === 'mute-1' }, 500)
    const [mute, other] = await Promise.all([
      store.append('mute-1', 'any', [event()])(),
      store.append('a-1', 'any', [event()])(),
    ])
    expect(mute).toMatchObject(unavailable('did not answer in time'))
    expect(either.isRight(other)).toBe(true)
    expect(either.isRight(await store.append('a-1', 'any', [event()])())).toBe(true)
  })

  it('that conflicts, or is refused, tells nobody else', async () => {
    const { store, calls } = await use({})
    await store.append('a-1', 'none', [event()])()
    const results = await Promise.all([
      store.append('a-1', 'none', [event()])(),
      store.append('a-1', 0n, [event()])(),
      store.append('a-1', 7n, [event()])(),
    ])
    expect(results).toMatchObject([
      { left: { kind: 'Conflict', actual: 0n } },
      { right: { revision: 1n } },
      { left: { kind: 'Conflict', actual: 1n } },
    ])
    expect(calls.batched).toBe(1)
  })
})

describe('the call breaks', () => {
  it('all that were under way are unavailable, the next append opens another; another store notices nothing', async () => {
    let breaks = true
    const { store, direct, calls } = await use({
      otherwise: (_, call) => {
        if (breaks) call.end()
        return breaks
      },
    })
    const lost = [1, 2, 3].map((n) => store.append(`a-${n}`, 'none', [event()])())
    const kept = direct.append('b-1', 'none', [event()])()
    for (const one of await Promise.all(lost)) expect(one).toMatchObject(unavailable('cannot be reached'))
    expect(either.isRight(await kept)).toBe(true)
    breaks = false
    expect(either.isRight(await store.append('a-1', 'none', [event()])())).toBe(true)
    expect(calls.batched).toBe(2)
  })

  it('a server that is no leader says so in words alone: it is left, and looked for anew', async () => {
    let isLeader = false
    const { store, calls } = await use({
      otherwise: (request, call) => {
        if (!isLeader) call.write(inWords(request, 'No leader info available in response'))
        return !isLeader
      },
    })
    const [first, second] = await Promise.all([
      store.append('a-1', 'none', [event()])(),
      store.append('a-2', 'none', [event()])(),
    ])
    expect(first).toMatchObject(unavailable('No leader info'))
    expect(second).toMatchObject(unavailable('No leader info'))
    isLeader = true
    await vi.waitFor(async () => {
      expect(either.isRight(await store.append('a-1', 'none', [event()])())).toBe(true)
    })
    expect(calls.batched).toBe(2)
  })
})

/** As EventStoreDB answers what it does not handle: without a code, and without details. */
const inWords = (request: streams.BatchAppendReq, words: string): streams.BatchAppendResp => {
  const details = new any.Any()
  details.pack(new empty.Empty().serializeBinary(), 'google.protobuf.Empty')
  const status = new statuses.Status()
  status.setCode(codes.Code.OK)
  status.setMessage(words)
  status.setDetails(details)
  const answer = new streams.BatchAppendResp()
  answer.setCorrelationId(request.getCorrelationId())
  answer.setError(status)
  return answer
}
