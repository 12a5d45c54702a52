import { describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'

const token = 'correct horse battery'
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const read = { url: '/api/v1/views' }
const write = {
  method: 'POST',
  url: '/api/v1/dead-letters/x/discard',
  payload: '{"actor":"a","reason":"b"}',
} as const
const asked = (
  what: typeof write | { readonly url: string },
  headers: Record<string, string> = {},
  remoteAddress = '127.0.0.1',
) => ({
  ...what,
  headers: { 'content-type': 'application/json', ...headers },
  remoteAddress,
})
const elsewhere = '203.0.113.7'

describe('without a token', () => {
  it.each([{}, { host: '127.0.0.1:7070' }, { host: '[::1]:7070' }, { host: 'fonds.localhost' }])(
    'this machine may read and write (%j)',
    async (headers) => {
      const { request } = await startServer()
      expect((await request(asked(read, headers))).status).toBe(200)
      expect((await request(asked(write, headers))).status).toBe(404)
      expect((await request(asked(read, headers, '::ffff:127.0.0.1'))).status).toBe(200)
    },
  )

  it.each<[string, Record<string, string>, string?]>([
    ['from elsewhere', {}, elsewhere],
    ['through a proxy', { 'x-forwarded-for': elsewhere }],
    ['through a proxy that says so as RFC 7239 does', { forwarded: `for=${elsewhere}` }],
    ['through nginx', { 'x-real-ip': elsewhere }],
    ['through a proxy that tells its name alone', { via: '1.1 cache' }],
    ['through a proxy that tells the scheme alone', { 'x-forwarded-proto': 'https' }],
    ['through a content network', { 'cf-connecting-ip': elsewhere }],
    ['under another name (DNS rebinding)', { host: 'evil.example:7070' }],
    ['under a name that looks like an address', { host: '127.0.0.1.evil.example' }],
    ['under a name that looks like ours', { host: '127.evil.example' }],
  ])('nobody is answered %s', async (_, headers, address) => {
    const { request } = await startServer()
    const refused = {
      status: 403,
      body: { code: 'not-from-here', detail: expect.stringContaining('FONDS_TOKEN') },
    }
    expect(await request(asked(read, headers, address))).toMatchObject(refused)
    expect(await request(asked(write, headers, address))).toMatchObject(refused)
  })

  it.each(['https://evil.example', 'http://localhost:3000', 'null', 'http://127.0.0.1:7070.evil.example'])(
    'a page of %s may not write',
    async (origin) => {
      const { request } = await startServer()
      const headers = { origin, host: 'localhost:7070' }
      expect(await request(asked(write, headers))).toMatchObject({
        status: 403,
        body: { code: 'foreign-origin' },
      })
      const seen = await request(asked(read, headers))
      expect(seen.status).toBe(200)
      expect(seen.headers).not.toHaveProperty('access-control-allow-origin')
    },
  )

  it('a page of this server may write', async () => {
    const { request } = await startServer()
    const headers = { origin: 'http://localhost:7070', host: 'localhost:7070' }
    expect((await request(asked(write, headers))).status).toBe(404)
  })
})

it.each([undefined, token])('probes are answered, whoever asks (token %s)', async (token) => {
  const { app } = await startServer({
    roles: ['projections'],
    settings: token === undefined ? {} : { token },
  })
  for (const url of ['/healthz', '/readyz'])
    for (const method of ['GET', 'HEAD'] as const) {
      const headers = { host: '10.1.2.3:7070', 'x-forwarded-for': elsewhere }
      const { statusCode } = await app.inject({ url, method, headers, remoteAddress: elsewhere })
      expect([200, 503]).toContain(statusCode)
    }
})

describe('with a token', () => {
  const started = () => startServer({ settings: { token } })

  it.each(['/', '/metrics', '/api/v1/views', '/api/v1/openapi.json', '/api/v1/events'])(
    'reads need it, from this machine too: a proxy on it cannot be told apart (%s)',
    async (url) => {
      const { app } = await started()
      const status = async (headers = {}, address = '127.0.0.1') =>
        (await app.inject(asked({ url }, headers, address))).statusCode
      expect(await status()).toBe(401)
      expect(await status({}, elsewhere)).toBe(401)
      expect(await status({ host: 'evil.example' })).toBe(401)
      expect(await status(bearer('wrong'))).toBe(401)
      expect(await status(bearer(token))).toBe(200)
      expect(await status({ ...bearer(token), 'x-forwarded-for': elsewhere }, elsewhere)).toBe(200)
    },
  )

  it('writes need it', async () => {
    const { request } = await started()
    const refused = await request(asked(write))
    expect(refused).toMatchObject({ status: 401, body: { code: 'no-token' } })
    expect(refused.headers['www-authenticate']).toBe('Bearer')
    for (const wrong of ['wrong', '', `${token} `.repeat(2), token.slice(1)])
      expect(await request(asked(write, bearer(wrong))), wrong).toMatchObject({ status: 401 })
    expect((await request(asked(write, { authorization: `Basic ${token}` }))).status).toBe(401)
    expect((await request(asked(write, bearer(token)))).status).toBe(404)
  })

  it('and what is not there is not told apart from what is', async () => {
    const { app } = await started()
    const { statusCode } = await app.inject(asked({ url: '/nothing' }, {}, elsewhere))
    expect(statusCode).toBe(401)
  })

  it('a refused body is not even read', async () => {
    const { request } = await started()
    const payload = 'x'.repeat(10 * 1024 * 1024 + 1)
    expect((await request({ ...asked(write), payload })).status).toBe(401)
  })
})
