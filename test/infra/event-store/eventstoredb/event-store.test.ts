import { EventStoreDBClient } from '@eventstore/db-client'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid, v4 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import type { NewEvent, RecordedEvent } from '../../../../src/domain/kernel/event.ts'
import type { EventStore } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { type Served, serve } from './gateway.ts'

let served: Served
let store: EventStore
beforeEach(async () => {
  served = await serve()
  store = openEventStoreDb(served.address)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await store.close()
  await served.dispose()
})

const right = async <F, A>(task: () => Promise<either.Either<F, A>>): Promise<A> => {
  const result = await task()
  if (either.isLeft(result))
    throw new Error(JSON.stringify(result.left, (_, v) => (typeof v === 'bigint' ? `${v}` : v)))
  return result.right
}

describe('the address', () => {
  it.each([
    ['http://localhost:2113', /http.*esdb:\/\//],
    ['esdb://', /host/],
    ['esdb://fonds:secret@localhost:door', /port number/],
    ['esdb://localhost:2113?tlsCAFile=/no/such/file', /not found/i],
  ])('%s is refused, and no password is told', (address, says) => {
    expect(() => openEventStoreDb(address)).toThrow(says)
    expect(() => openEventStoreDb(address)).not.toThrow(/secret/)
  })

  it('a deadline in the address is kept to', async () => {
    const remove = vi.spyOn(EventStoreDBClient.prototype, 'deleteStream')
    const store = openEventStoreDb(`${served.address.replace('esdb', 'kurrentdb')}&defaultDeadline=4321`)
    await right(store.append('a-1', 'none', [event()]))
    await right(store.deleteStream('a-1', 'any', 'soft'))
    expect(remove.mock.calls[0]?.[1]).toMatchObject({ deadline: 4321 })
    await store.close()
    const hasty = openEventStoreDb(served.address, { deadlineMillis: 3000 })
    await right(hasty.append('a-1', 'any', [event()]))
    await right(hasty.deleteStream('a-1', 'any', 'soft'))
    expect(remove.mock.calls[1]?.[1]).toMatchObject({ deadline: 3000 })
    await hasty.close()
  })

  it('opening makes no call', async () => {
    const nowhere = openEventStoreDb('esdb://127.0.0.1:1?tls=false')
    await nowhere.close()
  })

  it('two stores at one address share clients, which live until both are closed', async () => {
    const make = vi.spyOn(EventStoreDBClient, 'connectionString')
    const address = `${served.address}&connectionName=shared`
    const [one, other] = [openEventStoreDb(address), openEventStoreDb(address)]
    expect(make).toHaveBeenCalledTimes(2)
    await one.close()
    await one.close()
    await right(other.append('a-1', 'none', [event()]))
    await other.close()
  })
})

describe('events', () => {
  it('metadata come back as they were given, with what is optional', async () => {
    const full: NewEvent = {
      ...event('Full', { a: [1, null, 'x'] }),
      metadata: {
        actor: 'me',
        causationId: 'c',
        correlationId: 'd',
        schema: 3,
        origin: { log: 'l', topic: 't', partition: 2, offset: '9007199254740993' },
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
    }
    await right(store.append('a-1', 'none', [full]))
    const [found] = await right(store.read('a-1', 'start', 'forward', 1))
    expect(found).toEqual({
      ...full,
      stream: 'a-1',
      revision: 0n,
      position: found?.position,
      recordedAt: found?.recordedAt,
    })
  })

  it.each([[null], [0], [false], [''], ['text'], [[]], [{}]])('data may be any JSON: %j', async (data) => {
    await right(store.append('a-1', 'none', [event('Odd', data)]))
    expect((await right(store.read('a-1', 'start', 'forward', 1)))[0]?.data).toEqual(data)
  })

  it('a time in stored metadata is the time of the event', async () => {
    const recordedAt = '1999-12-31T23:59:59.999Z'
    const copied = event()
    const metadata = { ...copied.metadata, recordedAt }
    await right(store.append('a-1', 'none', [{ ...copied, metadata }]))
    const [found] = await right(store.read('a-1', 'start', 'forward', 1))
    expect(found).toMatchObject({ ...copied, recordedAt })
    expect(found?.metadata).toEqual(copied.metadata)
  })

  it('tools of EventStoreDB find the conversation', async () => {
    await right(store.append('a-1', 'none', [event()]))
    const client = EventStoreDBClient.connectionString(served.address)
    for await (const { event: raw } of client.readStream('a-1', { maxCount: 1 }))
      expect(raw?.metadata).toMatchObject({ $correlationId: 'conversation', $causationId: 'cause' })
    await client.dispose()
  })

  it('whatever others write can be read', async () => {
    const client = EventStoreDBClient.connectionString(served.address)
    const write = (type: string, content: object) =>
      client.appendToStream('foreign-1', {
        id: v4(),
        type,
        contentType: 'application/json',
        data: {},
        metadata: undefined,
        ...content,
      })
    await write('Bare', {})
    await write('Bytes', { contentType: 'application/octet-stream', data: Uint8Array.from([0, 255, 128]) })
    await write('JsonAsBytes', { contentType: 'application/octet-stream', data: Buffer.from('{"a":1}') })
    await write('NumberAsMetadata', { metadata: Buffer.from('7').valueOf() })
    await write('BytesAsMetadata', { metadata: Uint8Array.from([1, 2, 3]) })
    await write('OddMetadata', {
      metadata: { actor: 7, schema: 'x', recordedAt: 'yesterday', origin: 1, $correlationId: 'k' },
    })
    await write('Text', { data: 'just text' })
    await client.dispose()

    const events = await right(store.read('foreign-1', 'start', 'forward', 100))
    const unknown = { actor: 'unknown', causationId: 'unknown', correlationId: 'unknown', schema: 1 }
    expect(events.map(({ type, data, metadata }) => [type, data, metadata])).toEqual([
      ['Bare', {}, unknown],
      ['Bytes', { $base64: 'AP+A' }, unknown],
      ['JsonAsBytes', { a: 1 }, unknown],
      ['NumberAsMetadata', {}, unknown],
      ['BytesAsMetadata', {}, unknown],
      ['OddMetadata', {}, { ...unknown, correlationId: 'k' }],
      ['Text', 'just text', unknown],
    ])
    for (const { recordedAt } of events)
      expect(recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await right(store.readAll(-1n, {}, 100))).events).toEqual(events)
  })

  it("the server's own events are never shown, and are not the end of the log", async () => {
    expect(await right(store.head())).toBe(-1n)
    const { position } = await right(store.append('a-1', 'none', [event()]))
    await right(store.keepLatest('b-1', 3))
    expect(await right(store.head())).toBe(position)
    for (let n = 0; n < 40; n++) await right(store.keepLatest(`b-${n}`, 3))
    expect(await right(store.head())).toBe(position)
    const later = await right(store.append('a-1', 0n, [event()]))
    expect(await right(store.head())).toBe(later.position)
    const { events } = await right(store.readAll(-1n, {}, 100))
    expect(events.map(({ stream }) => stream)).toEqual(['a-1', 'a-1'])
    expect((await right(store.readBack('end', 5))).map(({ revision }) => revision)).toEqual([1n, 0n])
  })

  it('categories match whole: neither longer ones nor what an expression would mean', async () => {
    for (const stream of ['a.b-1', 'axb-1', 'a.bc-1', 'a.b', 'xa.b-1'])
      await right(store.append(stream, 'none', [event('T.1'), event('Tx1')]))
    const streams = async (filter: object) =>
      (await right(store.readAll(-1n, filter, 100))).events.map(({ stream, type }) => `${stream} ${type}`)
    expect(await streams({ categories: ['a.b'], types: ['T.1'] })).toEqual(['a.b-1 T.1', 'a.b T.1'])
    const abort = new AbortController()
    const found: RecordedEvent[] = []
    for await (const batch of store.subscribe(-1n, { categories: ['a.b'] }, abort.signal)) {
      found.push(...batch.events)
      if (batch.caughtUp) abort.abort()
    }
    expect(found.map(({ stream }) => stream)).toEqual(['a.b-1', 'a.b-1', 'a.b', 'a.b'])
  })
})

describe('rules of a stream', () => {
  const rules = async (stream: string) => {
    const client = EventStoreDBClient.connectionString(served.address)
    const found: unknown[] = []
    for await (const { event: raw } of client.readStream(`$$${stream}`))
      found.push([raw?.revision, raw?.data])
    await client.dispose()
    return found
  }

  it('keepLatest says it once, and keeps what else was said', async () => {
    const client = EventStoreDBClient.connectionString(served.address)
    await client.setStreamMetadata('a-1', { acl: { readRoles: ['ops'] }, colour: 'red' })
    await client.dispose()
    await right(store.keepLatest('a-1', 2))
    await right(store.keepLatest('a-1', 2))
    expect(await rules('a-1')).toEqual([[1n, { $acl: { $r: ['ops'] }, colour: 'red', $maxCount: 2 }]])
  })

  it('the log is named once, however many ask', async () => {
    const others = Array.from({ length: 5 }, () =>
      openEventStoreDb(`${served.address}&connectionName=${uuid()}`),
    )
    const names = await Promise.all(others.map((other) => right(other.identity())))
    expect(new Set(names).size).toBe(1)
    expect(await right(store.identity())).toBe(names[0])
    await Promise.all(others.map((other) => other.close()))
    expect(await right(store.readAll(-1n, {}, 10))).toEqual({
      events: [],
      position: expect.any(BigInt),
      caughtUp: true,
    })
  })
})

describe('deleting', () => {
  it("'exists' on no stream: conflict; else the stream is gone", async () => {
    const gone = { kind: 'Conflict', stream: 'a-1', actual: 'none' }
    expect(await store.deleteStream('a-1', 'exists', 'soft')()).toEqual(either.left(gone))
    await right(store.append('a-1', 'none', [event()]))
    await right(store.deleteStream('a-1', 'exists', 'soft'))
    expect(await right(store.read('a-1', 'start', 'forward', 9))).toEqual([])
  })
  it.each(['soft', 'tombstone'] as const)(
    '%s at a wrong revision: conflict with the actual one',
    async (mode) => {
      await right(store.append('a-1', 'none', [event(), event()]))
      const wrong = await store.deleteStream('a-1', 0n, mode)()
      expect(wrong).toEqual(either.left({ kind: 'Conflict', stream: 'a-1', actual: 1n }))
    },
  )
})

describe('size', () => {
  it('what the server counts is counted: bytes of data and metadata, type names twice', async () => {
    const small = openEventStoreDb(served.address, { maxAppendSize: 2000 })
    const fits = (text: string) => small.append('a-1', 'any', [event('T', { text })])()
    const refused = await fits('é'.repeat(1200))
    const bytes =
      Buffer.byteLength(JSON.stringify({ text: 'é'.repeat(1200) })) +
      Buffer.byteLength(
        JSON.stringify({ ...event().metadata, $correlationId: 'conversation', $causationId: 'cause' }),
      ) +
      2
    expect(refused).toEqual(either.left({ kind: 'TooLarge', bytes, limit: 2000 }))
    expect(either.isRight(await fits('é'.repeat(700)))).toBe(true)
    await small.close()
  })
  it('an append just below the limit arrives', async () => {
    const text = 'x'.repeat(1024 * 1024 - 1024 - 400)
    await right(store.append('a-1', 'none', [event('Large', { text })]))
    expect(
      await store.append('a-1', 'any', [event('Large', { text: `${text}${'x'.repeat(400)}` })])(),
    ).toMatchObject({
      left: { kind: 'TooLarge' },
    })
  })
})

describe('a server that is away', () => {
  it('everything is Unavailable, at once and by name; and works again by itself', async () => {
    await right(store.append('a-1', 'none', [event()]))
    await served.stop()
    const calls = [
      store.append('a-1', 'any', [event()]),
      store.read('a-1', 'start', 'forward', 1),
      store.readAll(-1n, {}, 1),
      store.readBack('end', 1),
      store.head(),
      store.identity(),
      store.deleteStream('a-1', 'any', 'soft'),
      store.keepLatest('a-1', 1),
    ]
    for (const result of await Promise.all(calls.map((call) => call())))
      expect(result).toMatchObject({
        left: {
          kind: 'Unavailable',
          reason: expect.stringContaining(`127.0.0.1:${served.port} cannot be reached`),
        },
      })
    await served.start()
    await vi.waitFor(async () => {
      expect(either.isRight(await store.append('a-1', 'any', [event()])())).toBe(true)
    })
    expect(await right(store.read('a-1', 'start', 'forward', 9))).toHaveLength(2)
  })

  it('appends under way when it goes are told, not lost in silence', async () => {
    const outcomes = Promise.all(
      Array.from({ length: 200 }, (_, n) => store.append(`a-${n}`, 'none', [event()])()),
    )
    await served.stop()
    const results = await outcomes
    await served.start()
    for (const [n, result] of results.entries()) {
      if (either.isLeft(result)) expect(result.left.kind).toBe('Unavailable')
      else
        await vi.waitFor(async () => {
          expect(await right(store.read(`a-${n}`, 'start', 'forward', 1))).toHaveLength(1)
        })
    }
  })
})
