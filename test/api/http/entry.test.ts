import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'

/* How a browser, which sends no token of its own accord, enters. */

const token = 'correct horse battery'
const ticket = 'printed once'
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

let server: Awaited<ReturnType<typeof startServer>>
beforeEach(async () => {
  server = await startServer({ settings: { token }, options: { ticket } })
})

const enter = (headers: Record<string, string>) =>
  server.request({ method: 'POST', url: '/session', headers })
const cookieOf = async (headers: Record<string, string>) =>
  String((await enter(headers)).headers['set-cookie']).split(';')[0]!
const read = async (cookie: string) => (await server.get('/api/v1/views', { cookie })).status

describe('a session', () => {
  it('begins with the token; its cookie is for this site and for no script, and is not the token', async () => {
    const { status, headers } = await enter(bearer(token))
    expect(status).toBe(200)
    expect(headers['set-cookie']).toMatch(/^fonds-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(headers['set-cookie']).not.toContain(token)
  })

  it('over TLS, its cookie stays there', async () => {
    const { headers } = await enter({ ...bearer(token), 'x-forwarded-proto': 'https' })
    expect(headers['set-cookie']).toMatch(/; Secure$/)
  })

  it.each(['wrong', ''])('does not begin with %j', async (wrong) => {
    expect(await enter(bearer(wrong))).toMatchObject({ status: 401, body: { code: 'no-token' } })
    expect((await enter({})).headers).not.toHaveProperty('set-cookie')
  })

  it('begins with the ticket of the printed link, once', async () => {
    expect(await read(await cookieOf(bearer(ticket)))).toBe(200)
    expect((await enter(bearer(ticket))).status).toBe(401)
    expect((await enter(bearer(token))).status).toBe(200)
  })

  it('the ticket is good for nothing else', async () => {
    expect((await server.get('/api/v1/views', bearer(ticket))).status).toBe(401)
    expect(await read(`fonds-session=${ticket}`)).toBe(401)
  })

  it('reads; it writes for pages of this server alone', async () => {
    const cookie = await cookieOf(bearer(token))
    expect(await read(cookie)).toBe(200)
    expect(await read(`other=1; ${cookie}; more=2`)).toBe(200)
    for (const wrong of ['', 'fonds-session=', `${cookie}x`, `x${cookie}`, `fonds-session=${token}`])
      expect(await read(wrong), wrong).toBe(401)
    const write = (origin: string) =>
      server.post('/api/v1/dead-letters/x/discard', { actor: 'a', reason: 'b' }, { cookie, origin })
    expect((await write('http://localhost:80')).status).toBe(404)
    expect(await write('http://localhost:3000')).toMatchObject({
      status: 403,
      body: { code: 'foreign-origin' },
    })
  })

  it('of another token is none', async () => {
    const cookie = await cookieOf(bearer(token))
    const other = await startServer({ settings: { token: 'another token altogether' } })
    expect((await other.get('/api/v1/views', { cookie })).status).toBe(401)
  })
})

it('a cookie of a version before sign-in is good', async () => {
  const stored = 'fonds-session=kKvnciapa1VT8fwbCC9CJA4z2a63dKYbZJ-yEFkbJDg'
  expect(await read(stored)).toBe(200)
  const { body } = await server.get('/session', { cookie: stored })
  expect(body).toMatchObject({ permission: 'administer', person: null })
})

describe('a token that may only read', () => {
  const readToken = 'only looking at it'

  it('begins a session that reads, and is refused whatever writes', async () => {
    const { get, post, request } = await startServer({ settings: { token, readToken } })
    const begun = await request({ method: 'POST', url: '/session', headers: bearer(readToken) })
    const cookie = String(begun.headers['set-cookie']).split(';')[0]!
    for (const headers of [bearer(readToken), { cookie }]) {
      expect((await get('/session', headers)).body).toMatchObject({
        ...{ mayWrite: false, needsToken: true, permission: 'read', person: null },
        refused: expect.arrayContaining(['fixity.check', 'settings.set']),
      })
      expect((await get('/api/v1/views', headers)).status).toBe(200)
      const written = await post('/api/v1/dead-letters/x/discard', { actor: 'a', reason: 'b' }, headers)
      expect(written).toMatchObject({ status: 403, body: { code: 'read-only' } })
    }
    expect((await get('/session', bearer(token))).body).toMatchObject({
      ...{ mayWrite: true, needsToken: true, permission: 'administer', person: null, refused: [] },
    })
  })
})

it('a session ends: the browser forgets its cookie', async () => {
  const { status, headers } = await server.request({ method: 'DELETE', url: '/session' })
  expect(status).toBe(200)
  expect(headers['set-cookie']).toEqual(['fonds-session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'])
})

describe('the page that asks for the token', () => {
  it('is open to all, loads nothing and runs nothing but what stands in it', async () => {
    const { status, headers, text } = await server.get('/enter')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'sha256-/)
    expect(text).not.toContain(token)
    expect(text).not.toContain(ticket)
  })

  it.each([
    ['', '/'],
    ['?to=%2Flog%3Ftype%3DA', '/log?type=A'],
    ['?to=https%3A%2F%2Fevil.example%2Flog', '/'],
    ['?to=%2F%2Fevil.example', '/'],
    ['?to=%5C%5Cevil.example', '/'],
    ['?to=javascript%3Aalert(1)', '/'],
    ['?to=%2F.%2F%2Fevil.example', '/'],
    ['?to=%2Fa%2F..%2F%2Fevil.example', '/'],
  ])('sends what the link brings along behind #, forgets it, and goes from %j to %s', async (search, to) => {
    const { text } = await server.get('/enter')
    const fetched: unknown[] = []
    const gone = new Promise<string>((replace) => {
      runInNewContext(/<script>([\s\S]+)<\/script>/.exec(text)![1]!, {
        URL,
        URLSearchParams,
        document: { querySelector: () => ({ addEventListener: () => {} }) },
        location: {
          origin: 'https://fonds.example',
          pathname: '/enter',
          search,
          hash: `#${ticket}`,
          replace,
        },
        history: { replaceState: (...[, , address]: string[]) => fetched.push(`shows ${address}`) },
        fetch: async (...call: unknown[]) => {
          fetched.push(call)
          return { ok: true }
        },
      })
    })
    expect(await gone).toBe(to)
    expect(fetched).toEqual([
      'shows /enter',
      ['/session', { method: 'POST', headers: { authorization: `Bearer ${ticket}` } }],
    ])
  })

  it('is what a browser gets in the place of any page that it may not see', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const { statusCode, body, headers } = await server.app.inject({ url: '/api/v1', headers: { accept } })
    expect(statusCode).toBe(401)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('type="password"')
    expect((await server.get('/')).body).toMatchObject({ code: 'no-token' })
  })
})

it('where no token is set everybody has entered', async () => {
  const open = await startServer()
  const { status, headers } = await open.request({ method: 'POST', url: '/session' })
  expect(status).toBe(200)
  expect(headers).not.toHaveProperty('set-cookie')
  expect((await open.get('/session')).body).toEqual({
    ...{ mayWrite: true, needsToken: false, permission: 'administer', person: null, refused: [] },
  })
})
