import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it, vi } from 'vitest'
import { livePosition } from '#src/async/caught-up.ts'
import { listen } from '../../../src/api/create-api.ts'
import { orThrow, UnavailableError } from '../../../src/async/unavailable.ts'
import { event } from '../../contracts/new-event.ts'
import { startServer } from '../server.ts'

interface Frame {
  readonly id?: string
  readonly data?: unknown
  readonly comment?: string
}

type Started = Awaited<ReturnType<typeof startServer>>

const listening = async (given: Parameters<typeof startServer>[0] = {}) => {
  const server = await startServer(given)
  const address = await listen(server.app, { host: '127.0.0.1', port: 0 })
  return { ...server, address }
}

const register = async ({ post }: Pick<Started, 'post'>, store: string): Promise<string> =>
  (
    await post('/api/v1/commands/fixity.register-store', {
      input: { store, kind: 'external' },
      actor: 'r.vermeer',
      reason: 'a test',
    })
  ).body.position

/** Opens a stream of changes over a real socket; `next` waits for the next event that carries data. */
const follow = async (url: string, headers: Record<string, string> = {}) => {
  const leaving = new AbortController()
  const response = await fetch(url, { headers, signal: leaving.signal })
  const frames = framesOf(response.body as ReadableStream<Uint8Array>)
  const frame = async (): Promise<Frame | undefined> => (await frames.next()).value
  const next = async (): Promise<Frame | undefined> => {
    for (;;) {
      const found = await frame()
      if (!found || found.data !== undefined) return found
    }
  }
  return { response, frame, next, leave: () => leaving.abort() }
}

async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield frameOf(text.slice(0, end))
      text = text.slice(end + 2)
    }
  }
}

const frameOf = (text: string): Frame => {
  const fields = text.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line) ?? [])
  const field = (name: string) => fields.find(([, found]) => found === name)?.[2]
  const [id, data, comment] = [field('id'), field('data'), field('')]
  return {
    ...(id !== undefined && { id }),
    ...(data !== undefined && { data: JSON.parse(data) }),
    ...(comment !== undefined && { comment }),
  }
}

describe('changes of the log', () => {
  it('come as they happen, from now on', async () => {
    const server = await listening()
    await register(server, 'before')
    const stream = await follow(`${server.address}/api/v1/changes`)
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    // The first frames are the pause to come again after and the place it starts from: then it listens.
    await stream.frame()
    await stream.frame()
    const position = await register(server, 'main')
    expect(await stream.next()).toMatchObject({
      id: position,
      data: { type: 'StoreRegistered', stream: 'fixityStore-main', position, revision: '0' },
    })
    stream.leave()
  })

  it('go on where the client was, and nothing is missed or told twice', async () => {
    const server = await listening()
    for (const store of ['a', 'b', 'c']) await register(server, store)
    const first = await follow(`${server.address}/api/v1/changes?after=-1`)
    const seen = [await first.next(), await first.next()]
    first.leave()
    await register(server, 'd')
    const second = await follow(`${server.address}/api/v1/changes?after=-1`, {
      'last-event-id': seen[1]?.id ?? '',
    })
    seen.push(await second.next(), await second.next())
    second.leave()
    expect(seen).toMatchObject(
      ['a', 'b', 'c', 'd'].map((store) => ({ data: { stream: `fixityStore-${store}` } })),
    )
  })

  it('that only tell who has a duty come to who asks', async () => {
    const server = await listening({ roles: ['reactions'] })
    const all = await follow(`${server.address}/api/v1/changes?after=-1`)
    const duty = await follow(`${server.address}/api/v1/changes?after=-1&category=duty`)
    expect(await duty.next()).toMatchObject({ data: { type: 'DutyTaken' } })
    await register(server, 'main')
    expect(await all.next()).toMatchObject({ data: { stream: 'fixityStore-main' } })
    all.leave()
    duty.leave()
  })

  it('are narrowed by category and type, and still say how far the log is', async () => {
    const server = await listening()
    const position = await register(server, 'main')
    const stream = await follow(
      `${server.address}/api/v1/changes?after=-1&category=fixity&type=FixityDecided`,
    )
    await stream.frame()
    expect(await stream.frame()).toEqual({ id: position })
    stream.leave()
  })

  it('are told to all who follow, whoever comes and goes, each once', async () => {
    const server = await listening()
    await register(server, 'a')
    const first = await follow(`${server.address}/api/v1/changes?after=-1`)
    const second = await follow(`${server.address}/api/v1/changes?after=-1`)
    const told = async (stream: typeof first, ...stores: readonly string[]) => {
      for (const store of stores)
        expect(await stream.next()).toMatchObject({ data: { stream: `fixityStore-${store}` } })
    }
    await told(first, 'a')
    await register(server, 'b')
    await told(first, 'b')
    first.leave()
    await told(second, 'a', 'b')
    second.leave()
    await register(server, 'c')
    const third = await follow(`${server.address}/api/v1/changes?after=-1`)
    await told(third, 'a', 'b', 'c')
    await register(server, 'd')
    await told(third, 'd')
    third.leave()
  })

  it('are the newest alone of many at once for who asks so, and how many others there are', async () => {
    const server = await listening()
    const positions: string[] = []
    for (const store of ['a', 'b', 'c', 'd']) positions.push(await register(server, store))
    const stream = await follow(`${server.address}/api/v1/changes?after=-1&newest=1`)
    expect(await stream.next()).toEqual({
      id: positions[2],
      data: { after: '-1', upTo: positions[2], events: 3 },
    })
    expect(await stream.next()).toMatchObject({ id: positions[3], data: { stream: 'fixityStore-d' } })
    stream.leave()
  })

  it('say in silence that the line is alive', async () => {
    const server = await listening({ options: { heartbeatMillis: 5 } })
    const stream = await follow(`${server.address}/api/v1/changes`)
    for (let frame = await stream.frame(); ; frame = await stream.frame())
      if (frame?.comment !== undefined) break
    stream.leave()
  })

  it('stop being read when the client leaves', async () => {
    let left = () => {}
    const over = new Promise<void>((resolve) => {
      left = resolve
    })
    const server = await listening({
      replace: ({ eventStore }) => ({
        eventStore: {
          ...eventStore,
          subscribe: (after, filter, signal) => {
            signal.addEventListener('abort', left)
            return eventStore.subscribe(after, filter, signal)
          },
        },
      }),
    })
    const stream = await follow(`${server.address}/api/v1/changes`)
    await stream.frame()
    stream.leave()
    await over
  })

  it('end when the server closes', async () => {
    const server = await listening()
    const stream = await follow(`${server.address}/api/v1/changes`)
    await stream.frame()
    await server.app.close()
    expect(await stream.next()).toBe(undefined)
    await expect(fetch(`${server.address}/healthz`)).rejects.toThrow()
  })

  it('end when the log goes away', async () => {
    const server = await listening({
      replace: ({ eventStore }) => ({
        eventStore: {
          ...eventStore,
          // biome-ignore lint/correctness/useYield: it fails before there is anything
          async *subscribe() {
            throw new UnavailableError('no disk')
          },
        },
      }),
    })
    const stream = await follow(`${server.address}/api/v1/changes?after=-1`)
    expect(await stream.next()).toBe(undefined)
  })

  it('are refused from what is no place', async () => {
    const { get } = await startServer()
    const headers = { 'last-event-id': 'somewhere' }
    expect(await get('/api/v1/changes', headers)).toMatchObject({
      status: 400,
      body: { code: 'wrong-parameter', path: 'last-event-id' },
    })
  })
})

describe('changes of a view', () => {
  it('say each time how far it is', async () => {
    const server = await listening({ roles: ['projections'] })
    const stream = await follow(`${server.address}/api/v1/views/fixity-stores/changes`)
    const first = await stream.next()
    expect(first?.data).toEqual({ view: 'fixity-stores', position: first?.id })
    const position = await register(server, 'main')
    let last = first
    while (BigInt(last?.id ?? 0) < BigInt(position)) last = await stream.next()
    expect(last?.id).toBe(position)
    stream.leave()
  })

  it('come to all who listen, while anybody does, and anew to who comes later', async () => {
    const server = await listening({ roles: ['projections'] })
    const path = `${server.address}/api/v1/views/fixity-stores/changes`
    type Stream = Awaited<ReturnType<typeof follow>>
    const reach = async (stream: Stream, position: string) => {
      for (let told: string | undefined; told !== position; ) {
        told = (await stream.next())?.id
        expect(told).toBeDefined()
      }
    }
    const streams: readonly Stream[] = [await follow(path), await follow(path), await follow(path)]
    const first = await register(server, 'one')
    for (const stream of streams) await reach(stream, first)
    const [stays, ...others] = streams
    for (const stream of others) stream.leave()
    await reach(stays!, await register(server, 'two'))
    stays!.leave()
    const later = await follow(path)
    await reach(later, await register(server, 'three'))
    later.leave()
  })

  it('leave out what only tells which process has a duty', async () => {
    const server = await listening({ roles: ['projections'] })
    const { eventStore, viewStore } = server.system
    const stream = await follow(`${server.address}/api/v1/views/log-ends/changes`)
    await stream.next()
    for (const store of ['one', 'two']) {
      const held = event('DutyExtended', { holder: 'a', fence: 1, positions: {} })
      const appended = await orThrow(eventStore.append('duty-test', 'any', [held]))
      await vi.waitUntil(() => livePosition(viewStore, 'log-index') >= appended.position)
      const position = await register(server, store)
      for (let told = ''; told !== position; ) {
        told = (await stream.next())?.id ?? 'the end'
        expect(['the end', String(appended.position)]).not.toContain(told)
      }
    }
    stream.leave()
  })

  it('are told where the log is away, which alone knows what came', async () => {
    const away = TE.left({ kind: 'Unavailable', reason: 'no disk' } as const)
    const server = await listening({
      roles: ['projections'],
      replace: ({ eventStore }) => ({ eventStore: { ...eventStore, readBack: () => away } }),
    })
    const stream = await follow(`${server.address}/api/v1/views/fixity-stores/changes`)
    await stream.next()
    const position = await register(server, 'main')
    expect((await stream.next())?.id).toBe(position)
    stream.leave()
  })

  it('of a view that is not there are not found', async () => {
    const { get } = await startServer()
    expect(await get('/api/v1/views/nothing/changes')).toMatchObject({
      status: 404,
      body: { code: 'no-such-view', detail: expect.stringContaining('fixity-items') },
    })
  })
})
