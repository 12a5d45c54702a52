import { describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'

const token = 'correct horse'
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

describe('with a token', () => {
  const started = () => startServer({ settings: { token } })

  it('this machine may read without it', async () => {
    const { request } = await started()
    expect((await request(asked(read))).status).toBe(200)
  })

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

  it('everything needs it from elsewhere', async () => {
    const { request } = await started()
    for (const url of ['/', '/metrics', '/healthz', '/api/v1/views']) {
      expect((await request(asked({ url }, {}, elsewhere))).status, url).toBe(401)
      expect((await request(asked({ url }, bearer(token), elsewhere))).status, url).not.toBe(401)
    }
    expect((await request(asked(read, { host: 'evil.example' }))).status).toBe(401)
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
