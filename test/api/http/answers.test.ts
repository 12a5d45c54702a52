import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { event } from '../../contracts/new-event.ts'
import { startServer } from '../server.ts'

/* What HTTP clients, caches and proxies expect of any server. */

const withStores = async (count: number) => {
  const server = await startServer({ roles: ['projections'] })
  let position = ''
  for (let n = 0; n < count; n++) {
    const { body } = await server.post('/api/v1/commands/fixity.register-store', {
      input: { store: `store-${n}`, kind: 'external' },
      actor: 'r.vermeer',
      reason: 'a test',
    })
    position = body.position
  }
  await server.get(`/api/v1/views/fixity-stores?after=${position}`)
  return server
}
const linkOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
  /^<(.+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]

describe('a method that a path does not take', () => {
  it.each([
    ['POST', '/api/v1/views', 'GET, HEAD'],
    ['DELETE', '/api/v1/views/fixity-items', 'GET, HEAD'],
    ['GET', '/api/v1/commands/fixity.register-store', 'POST'],
    ['PUT', '/healthz', 'GET, HEAD'],
  ] as const)('%s %s: 405, with what it takes', async (method, url, allow) => {
    const { request } = await startServer()
    const answer = await request({ method, url })
    expect(answer).toMatchObject({ status: 405, headers: { allow }, body: { code: 'no-such-method' } })
    expect(answer.body.detail).toContain(`it takes ${allow}`)
  })

  it('where there is no such path, it is 404', async () => {
    const { get } = await startServer()
    expect(await get('/api/v1/nothing')).toMatchObject({ status: 404, body: { code: 'no-such-route' } })
  })
})

describe('an answer that the client has already', () => {
  it.each([
    '/api/v1/openapi.json',
    '/api/v1/schemas',
    '/api/v1/views/fixity-stores',
    '/api/v1/reports/fixity',
  ])('%s: 304 without a body', async (url) => {
    const { get } = await withStores(1)
    // A report says when it was made: as of then it is the same for ever.
    const asked = url.includes('reports') ? `${url}?asOf=2026-01-01T00:00:00Z` : url
    const first = await get(asked)
    expect(first.headers.etag).toMatch(/^W\/"[\w-]{22}"$/)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const etag = String(first.headers.etag)
    for (const tag of [etag, `"other", ${etag}`, etag.slice(2), '*'])
      expect(await get(asked, { 'if-none-match': tag })).toMatchObject({
        status: 304,
        text: '',
        headers: { etag },
      })
    expect(await get(asked, { 'if-none-match': '"other"' })).toMatchObject({ status: 200, text: first.text })
  })

  it('it is another once the view has moved on', async () => {
    const { get, post } = await withStores(1)
    const url = '/api/v1/views/fixity-stores'
    const { headers } = await get(url)
    const { body } = await post('/api/v1/commands/fixity.register-store', {
      input: { store: 'another', kind: 'external' },
      actor: 'r.vermeer',
      reason: 'a test',
    })
    const then = await get(`${url}?after=${body.position}`, { 'if-none-match': String(headers.etag) })
    expect(then.status).toBe(200)
    expect(then.body.rows).toHaveLength(2)
  })

  it('HEAD has the same tag; what was refused has none', async () => {
    const { app, get } = await startServer()
    const url = '/api/v1/schemas'
    const head = await app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers.etag).toBe((await get(url)).headers.etag)
    expect((await get('/api/v1/views/nothing')).headers.etag).toBeUndefined()
  })
})

describe('gzip', () => {
  const url = '/api/v1/openapi.json'

  it.each(['gzip', 'br;q=1.0, gzip;q=0.8', '*'])('for who accepts %s', async (accepted) => {
    const { app, get } = await startServer()
    const answer = await app.inject({ url, headers: { 'accept-encoding': accepted } })
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    const plain = await get(url)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.text)
    expect(answer.rawPayload.length).toBeLessThan(plain.text.length / 4)
    expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length))
    expect(answer.headers.etag).toBe(plain.headers.etag)
  })

  it.each([undefined, 'identity', 'gzip;q=0', 'br'])('not for who accepts %s', async (accepted) => {
    const { app } = await startServer()
    const answer = await app.inject({ url, headers: accepted ? { 'accept-encoding': accepted } : {} })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.json().openapi).toBe('3.1.0')
  })

  it('not what is short', async () => {
    const { get } = await startServer()
    expect((await get('/healthz', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined()
  })

  it('not streams, which would be held back', async () => {
    const { app } = await startServer({ roles: ['projections'] })
    const address = await app.listen({ port: 0 })
    const over = new AbortController()
    const headers = { accept: 'text/event-stream', 'accept-encoding': 'gzip' }
    const answer = await fetch(`${address}/api/v1/changes`, { headers, signal: over.signal })
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(answer.headers.get('content-encoding')).toBeNull()
    over.abort()
  })
})

describe('links to the next page', () => {
  it.each([
    ['/api/v1/views/fixity-stores?limit=2&where=kind%3Dexternal&order=store', 'rows', 'store'],
    ['/api/v1/events?limit=2&category=fixityStore', 'events', 'stream'],
  ])('%s: following them gives all, once', async (url, list, name) => {
    const { get } = await withStores(5)
    const found: string[] = []
    let pages = 0
    for (let next: string | undefined = url; next !== undefined; pages++) {
      const answer = await get(next)
      expect(answer.status).toBe(200)
      found.push(...answer.body[list].map((one: Record<string, string>) => one[name]))
      expect(linkOf(answer) !== undefined).toBe(answer.body.more)
      next = linkOf(answer)
    }
    expect(found.map((one) => one.replace(/^fixityStore-/, '')).sort()).toEqual(
      [0, 1, 2, 3, 4].map((n) => `store-${n}`),
    )
    expect(pages).toBe(3)
  })

  it.each(['forward', 'backward'])('of one stream, %s', async (direction) => {
    const { get, system } = await startServer()
    await system.eventStore.append(
      'thing-1',
      'none',
      Array.from({ length: 5 }, () => event()),
    )()
    const revisions: string[] = []
    for (let next: string | undefined = `/api/v1/streams/thing-1?limit=2&direction=${direction}`; next; ) {
      const answer = await get(next)
      revisions.push(...answer.body.events.map(({ revision }: { revision: string }) => revision))
      next = linkOf(answer)
    }
    const all = ['0', '1', '2', '3', '4']
    expect(revisions).toEqual(direction === 'forward' ? all : all.reverse())
  })
})
