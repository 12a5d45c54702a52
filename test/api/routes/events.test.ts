import { left } from 'fp-ts/lib/Either.js'
import { v4 as uuid } from 'uuid'
import { describe, expect, it, vi } from 'vitest'
import { startRoles } from '#src/app/roles.ts'
import { startServer } from '../server.ts'

const withStores = async (...names: readonly string[]) => {
  const server = await startServer()
  for (const store of names)
    await server.post('/api/v1/commands/fixity.register-store', {
      input: { store, kind: 'external' },
      actor: 'r.vermeer',
      reason: 'a test',
    })
  const streams = async (url: string) =>
    (await server.get(url)).body.events.map(({ stream }: { stream: string }) => stream)
  return { ...server, streams }
}

describe('the log', () => {
  it('is read page by page, positions as text', async () => {
    const { get } = await withStores('a', 'b', 'c')
    const first = (await get('/api/v1/events?limit=2')).body
    expect(first.events).toMatchObject([
      { stream: 'fixityStore-a', type: 'StoreRegistered', revision: '0' },
      { stream: 'fixityStore-b' },
    ])
    expect(first.more).toBe(true)
    const rest = (await get(`/api/v1/events?limit=2&from=${first.next}`)).body
    expect(rest.events).toMatchObject([{ stream: 'fixityStore-c' }])
    expect(rest.more).toBe(false)
    expect((await get(`/api/v1/events?from=${rest.next}`)).body).toEqual({
      events: [],
      next: rest.next,
      more: false,
    })
  })

  it('is narrowed by category, type and stream', async () => {
    const { streams, get } = await withStores('a', 'b')
    expect(await streams('/api/v1/events?category=fixityStore&type=StoreRegistered')).toHaveLength(2)
    expect(await streams('/api/v1/events?category=fixity')).toEqual([])
    expect(await streams('/api/v1/events?category=fixity&category=fixityStore')).toHaveLength(2)
    expect(await streams('/api/v1/events?stream=fixityStore-b')).toEqual(['fixityStore-b'])
    expect(await streams('/api/v1/events?stream=fixityStore-b&type=Other')).toEqual([])
    const { next } = (await get('/api/v1/events?stream=fixityStore-b')).body
    expect(await streams(`/api/v1/events?stream=fixityStore-b&from=${next}`)).toEqual([])
  })
})

describe('the newest', () => {
  it('come first, page by page, from the end or from before a position', async () => {
    const { streams, get } = await withStores('a', 'b', 'c')
    const first = (await get('/api/v1/events?before=end&limit=2')).body
    expect(first.events).toMatchObject([{ stream: 'fixityStore-c' }, { stream: 'fixityStore-b' }])
    expect(first.more).toBe(true)
    expect(await streams(`/api/v1/events?before=${first.next}`)).toEqual(['fixityStore-a'])
    expect((await get('/api/v1/events?before=0')).body).toEqual({ events: [], next: '-1', more: false })
    expect(await streams('/api/v1/events?before=end&category=fixity')).toEqual([])
    expect(await streams('/api/v1/events?before=end&type=StoreRegistered&limit=1')).toEqual(['fixityStore-c'])
  })

  it('of one stream are asked for elsewhere, and what is no place is refused', async () => {
    const { get } = await withStores('a')
    expect(await get('/api/v1/events?before=end&stream=fixityStore-a')).toMatchObject({
      status: 400,
      body: { path: 'before', detail: expect.stringContaining('direction=backward') },
    })
    expect(await get('/api/v1/events?before=yesterday')).toMatchObject({
      status: 400,
      body: { path: 'before' },
    })
  })

  it('of what is rare are looked for a stretch at a time', async () => {
    const { get } = await withLongStream(25_000)
    const found: string[] = []
    let pages = 0
    for (let before = 'end'; ; pages++) {
      const { body } = await get(`/api/v1/events?before=${before}&type=StoreRegistered`)
      found.push(...body.events.map(({ stream }: { stream: string }) => stream))
      if (!body.more) break
      before = body.next
    }
    expect(found).toEqual(['fixityStore-a'])
    expect(pages).toBeGreaterThan(1)
  })
})

describe('one event', () => {
  const note = (id: string, causationId: string, correlationId: string) => ({
    id,
    type: 'Noted',
    data: {},
    metadata: { actor: 'a', causationId, correlationId, schema: 1 },
  })

  it('is shown by its position, and with all that led to it and that it led to', async () => {
    const { get, system } = await startServer()
    const [first, second, other, third] = [uuid(), uuid(), uuid(), uuid()] as const
    const append = (...events: ReturnType<typeof note>[]) =>
      system.eventStore.append('note-1', 'any', events)()
    await append(note(first, 'm', 'm'), note(other, 'n', 'n'), note(second, first, 'm'))
    await append(note(third, second, 'm'))
    const { events } = (await get('/api/v1/events?type=Noted')).body
    const { position } = events[2]
    expect((await get(`/api/v1/events/${position}`)).body).toMatchObject({ id: second, position })
    const { body } = await get(`/api/v1/events/${position}/related`)
    expect(body).toMatchObject({ correlationId: 'm', isFromStart: true, isToEnd: true })
    expect(body.events.map(({ id }: { id: string }) => id)).toEqual([first, second, third])
  })

  it('says where others of its conversation were not looked for', async () => {
    const { get } = await withLongStream(25_000)
    const { body } = await get('/api/v1/events/12500/related')
    expect(body).toMatchObject({ isFromStart: false, isToEnd: false })
    expect(body.events).toHaveLength(1001)
  })

  it.each(['', '/related'])('that is not there is not found (%j)', async (what) => {
    const { get } = await startServer()
    expect(await get(`/api/v1/events/7${what}`)).toMatchObject({
      status: 404,
      body: { code: 'no-such-event', path: 'position' },
    })
  })
})

/** Many events of one stream, which nothing but the log itself knows. */
const withLongStream = async (count: number) => {
  const server = await withStores('a')
  const { eventStore } = server.system
  const note = (type: string) => ({
    id: uuid(),
    type,
    data: {},
    metadata: { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 },
  })
  for (let i = 0; i < count; i += 1000)
    await eventStore.append(
      'long-1',
      'any',
      Array.from({ length: 1000 }, () => note('Noted')),
    )()
  await eventStore.append('long-1', 'any', [note('Rare')])()
  return server
}

describe('what is rare, or not there at all', () => {
  /** The sizes of all pages, to the last one. */
  const sizes = async (get: Awaited<ReturnType<typeof withStores>>['get'], url: string) => {
    const found: number[] = []
    for (let from = '0'; ; ) {
      const { status, body } = await get(`${url}from=${from}`)
      expect(status).toBe(200)
      found.push(body.events.length)
      if (!body.more) return found
      expect(BigInt(body.next)).toBeGreaterThan(BigInt(from))
      from = body.next
    }
  }

  it('is looked for a stretch at a time, in the log and in a stream', async () => {
    const { get, system } = await withLongStream(25_000)
    const reads = vi.spyOn(system.eventStore, 'read')
    for (const filter of ['type=Rare', 'category=long&type=Rare', 'stream=long-1&type=Rare']) {
      const pages = await sizes(get, `/api/v1/events?${filter}&`)
      expect(pages.length).toBeGreaterThan(1)
      expect(pages.filter((size) => size > 0)).toEqual([1])
    }
    for (const filter of ['type=Nope', 'stream=long-1&type=Nope'])
      expect((await sizes(get, `/api/v1/events?${filter}&`)).some((size) => size > 0)).toBe(false)
    reads.mockClear()
    expect((await get('/api/v1/events?stream=long-1&type=Nope')).body).toMatchObject({
      events: [],
      more: true,
    })
    expect(reads.mock.calls.length).toBeLessThanOrEqual(10)
    // The end of a long stream is found without a walk through all of it.
    reads.mockClear()
    expect((await get('/api/v1/events?stream=long-1&from=24990&limit=5')).body.events).toHaveLength(5)
    expect(reads.mock.calls.length).toBeLessThan(25)
  })
})

it('events that only tell who has a duty are there for who asks', async () => {
  const { streams, system } = await withStores('a')
  const running = await startRoles(system, ['reactions'])
  await vi.waitUntil(async () => (await streams('/api/v1/events?category=duty')).length === 1)
  await running.stop()
  expect(await streams('/api/v1/events')).toEqual(['fixityStore-a'])
  expect(await streams('/api/v1/events?category=duty')).toEqual(['duty-reactions', 'duty-reactions'])
  expect(await streams('/api/v1/events?stream=duty-reactions')).toHaveLength(2)
})

describe('a stream', () => {
  it('is read both ways', async () => {
    const { get, post } = await withStores('a')
    for (const reason of ['first', 'second'])
      await post('/api/v1/commands/fixity.check-store', { input: { store: 'a' }, actor: 'x', reason })
    const revisions = async (query: string) => {
      const { body } = await get(`/api/v1/streams/fixityStore-a?${query}`)
      return [body.events.map(({ revision }: { revision: string }) => revision), body.more]
    }
    expect(await revisions('')).toEqual([['0', '1', '2'], false])
    expect(await revisions('direction=backward&limit=2')).toEqual([['2', '1'], true])
    expect(await revisions('from=1')).toEqual([['1', '2'], false])
    expect(await revisions('direction=backward&from=0')).toEqual([['0'], false])
  })

  it('of a name as long as a path may be is found', async () => {
    const { get } = await withStores()
    const name = encodeURIComponent(`fixity-main/${'ä/'.repeat(1000)}x`)
    expect(await get(`/api/v1/streams/${name}`)).toMatchObject({
      status: 404,
      body: { code: 'no-such-stream' },
    })
  })

  it('that is not there, or has nothing there, is not found', async () => {
    const { get } = await withStores('a')
    expect(await get('/api/v1/streams/fixityStore-z')).toMatchObject({
      status: 404,
      body: { code: 'no-such-stream', detail: 'fixityStore-z has no events' },
    })
    expect(await get('/api/v1/streams/fixityStore-a?from=7')).toMatchObject({ status: 404 })
  })

  it('that was deleted for good is gone', async () => {
    const { get, system } = await withStores('a')
    await system.eventStore.deleteStream('fixityStore-a', 'any', 'tombstone')()
    const gone = { status: 410, body: { code: 'stream-deleted' } }
    expect(await get('/api/v1/streams/fixityStore-a')).toMatchObject(gone)
    expect(await get('/api/v1/events?stream=fixityStore-a')).toMatchObject(gone)
    expect(await get('/api/v1/history/a')).toMatchObject(gone)
  })

  it('with a wrong direction is refused', async () => {
    const { get } = await withStores('a')
    expect(await get('/api/v1/streams/fixityStore-a?direction=up')).toMatchObject({
      status: 400,
      body: { code: 'wrong-parameter', path: 'direction' },
    })
  })
})

describe('a history', () => {
  it('is all that happened to a thing, wherever', async () => {
    const { get, post } = await withStores('a', 'b')
    await post('/api/v1/commands/fixity.check-store', { input: { store: 'a' }, actor: 'x', reason: 'a test' })
    const { body } = await get('/api/v1/history/a?limit=1')
    expect(body).toMatchObject({
      id: 'a',
      streams: [
        'fixityStore-a',
        'fixityComparison-a',
        'work-a',
        'merged-a',
        'verdict-a',
        'episode-a',
        'clip-a',
        'researcher-a',
        'dossier-a',
        'earlierEvent-a',
      ],
      more: true,
    })
    const rest = await get(`/api/v1/history/a?from=${body.next}`)
    expect(rest.body).toMatchObject({ more: false, events: [{ revision: '1' }] })
  })

  it('begins with the newest where it is asked so, page by page', async () => {
    const { get, post } = await withStores('a', 'b')
    for (const store of ['a', 'b', 'a'])
      await post('/api/v1/commands/fixity.check-store', { input: { store }, actor: 'x', reason: 'a test' })
    const revisions = (body: { events: readonly { revision: string }[] }) =>
      body.events.map(({ revision }) => revision)
    const { body } = await get('/api/v1/history/a?before=end&limit=2')
    expect([revisions(body), body.more]).toEqual([['2', '1'], true])
    const rest = await get(`/api/v1/history/a?before=${body.next}&limit=2`)
    expect([revisions(rest.body), rest.body.more]).toEqual([['0'], false])
    expect(await get('/api/v1/history/a?before=0')).toMatchObject({ status: 404 })
  })

  it('of what nobody knows is not found', async () => {
    const { get } = await withStores('a')
    expect(await get('/api/v1/history/main%2Fnever.tif')).toMatchObject({
      status: 404,
      body: { code: 'nothing-known', detail: expect.stringContaining('fixity-main/never.tif') },
    })
  })
})

it('nothing is read while the log is away', async () => {
  const unavailable = () => async () => left({ kind: 'Unavailable', reason: 'no disk' } as const)
  const { get } = await startServer({
    replace: ({ eventStore }) => ({ eventStore: { ...eventStore, read: unavailable, readAll: unavailable } }),
  })
  for (const url of ['events', 'events?stream=a-b', 'streams/a-b', 'history/a'])
    expect(await get(`/api/v1/${url}`)).toMatchObject({ status: 503, body: { code: 'away' } })
})
