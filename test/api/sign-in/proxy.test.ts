import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { request as requestTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { listen } from '#src/api/create-api.ts'
import type { Config } from '#src/app/config/settings.ts'
import { tlsFiles } from '../../fixtures/tls/files.ts'
import { startServer } from '../server.ts'

const secret = 'a secret of the proxy'
const token = 'correct horse battery'
const views = '/api/v1/views'
const register = '/api/v1/commands/fixity.register-store'
const wish = { input: { store: 'main', kind: 'external' }, reason: 'a new store' }

const started = async (settings: Partial<Config> = {}) => {
  const server = await startServer({
    settings: { token, proxySecret: secret, signInRead: 'staff', signInAdminister: 'admins', ...settings },
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  return { ...server, ask: (path: string, headers: Headers) => asked({ port, path, headers }) }
}
type Headers = Readonly<Record<string, string | readonly string[]>>

/** Over a socket, line by line: a name can come twice. */
const asked = ({ port, path, headers }: { port: number; path: string; headers: Headers }) =>
  new Promise<{ readonly status: number; readonly body: { readonly code?: string } }>((resolve, reject) => {
    const lines = Object.entries({ host: 'fonds.example', ...headers }).flatMap(([name, values]) =>
      [values].flat().flatMap((value) => [name, value]),
    )
    const sent = request({ host: '127.0.0.1', port, path, headers: lines, agent: false }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, body: JSON.parse(await text(answer)) })
    })
    sent.on('error', reject).end()
  })

const proven = { 'fonds-proxy-secret': secret }
const ada = { 'remote-user': 'ada', 'remote-groups': 'staff,admins', 'remote-name': 'Ada Example' }

describe('who signed in at a proxy', () => {
  it('is believed where the proxy proves itself, and is the actor of what they do', async () => {
    const { get, post, system } = await started()
    const headers = { ...proven, ...ada, 'remote-email': 'ada@archive.example' }
    expect((await get('/session', headers)).body).toMatchObject({
      permission: 'administer',
      person: { reference: 'proxy#ada', name: 'Ada Example', mail: 'ada@archive.example' },
    })
    expect((await post(register, wish, headers)).status).toBe(200)
    expect((await post(register, { ...wish, actor: 'bob' }, headers)).body.code).toBe('other-actor')
    const { body } = await get('/api/v1/streams/fixityStore-main', headers)
    expect(body.events[0].metadata.actor).toBe('proxy#ada')
    const kept = await system.people.find(['proxy#ada'])()
    expect(isRight(kept) && kept.right).toMatchObject([{ name: 'Ada Example' }])
  })

  it.each([
    ['without the secret', ada],
    ['with another', { ...ada, 'fonds-proxy-secret': 'another secret of it' }],
    ['with the secret twice', { ...ada, 'fonds-proxy-secret': [secret, secret] }],
    ['with the secret under a name that only looks so', { ...ada, fonds_proxy_secret: secret }],
    ['with the secret as token', { ...ada, authorization: `Bearer ${secret}` }],
    ['from this machine', { ...ada, 'x-forwarded-for': '127.0.0.1' }],
    ['with nobody named', proven],
    ['with nobody’s name', { ...proven, ...ada, 'remote-user': ' ' }],
    ['with a name in other spellings', { ...proven, remote_user: 'ada', Remote_Groups: 'admins' }],
  ])('is nobody %s', async (_, headers) => {
    const { ask } = await started()
    expect((await ask(views, headers)).status).toBe(401)
  })

  it('a name that came twice is refused: one of them is the client’s', async () => {
    const { ask } = await started()
    const twice = { ...proven, ...ada, 'remote-groups': ['staff', 'admins'] }
    expect(await ask(views, twice)).toMatchObject({ status: 400, body: { code: 'ambiguous-proxy' } })
  })

  it('has the groups that the proxy names, and no others', async () => {
    const { ask, post } = await started()
    const as = (groups: string) => ({ ...proven, 'remote-user': 'ada', 'remote-groups': groups })
    expect(await ask(views, as('guests'))).toMatchObject({ status: 403, body: { code: 'no-permission' } })
    expect((await ask(views, { ...proven, 'remote-user': 'ada' })).status).toBe(403)
    expect((await ask(views, { ...as('staff'), remote_groups: 'admins' })).status).toBe(200)
    expect((await post(register, wish, { ...as('staff'), remote_groups: 'admins' })).body.code).toBe(
      'no-permission',
    )
    expect((await ask(views, as('guests|staff'))).status).toBe(200)
  })

  it('a page of another site writes nothing in their name', async () => {
    const { post } = await started()
    const headers = { ...proven, ...ada, origin: 'https://evil.example', host: 'fonds.example' }
    expect((await post(register, wish, headers)).body.code).toBe('foreign-origin')
  })

  it('a token in the request counts before the proxy’s word', async () => {
    const { get } = await started()
    const headers = { ...proven, ...ada, authorization: `Bearer ${token}` }
    expect((await get('/session', headers)).body.person).toBe(null)
  })

  it('names of all letters become references of visible ASCII', async () => {
    const { get } = await started()
    const name = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
    const headers = { ...proven, ...ada, 'remote-user': name('åsa berg'), 'remote-name': name('Åsa Berg') }
    expect((await get('/session', headers)).body.person).toMatchObject({
      ...{ reference: 'proxy#%C3%A5sa%20berg', name: 'Åsa Berg' },
    })
  })

  it('leaves where the proxy says', async () => {
    const { request } = await started({ proxyHeaders: 'user=X-User groups=X-Groups leave=/oauth2/sign_out' })
    const headers = { ...proven, 'x-user': 'ada', 'x-groups': 'staff' }
    const left = await request({ method: 'DELETE', url: '/session', headers })
    expect(left.body).toEqual({ entered: false, leads: '/oauth2/sign_out' })
  })
})

describe('a proxy that proves itself by a certificate', () => {
  const { client, server } = tlsFiles
  const shown = ({ cert, key }: typeof client) => ({ cert: readFileSync(cert), key: readFileSync(key) })
  const startTls = async () => {
    const settings = { tlsCertFile: server.cert, tlsKeyFile: server.key, proxyCertFile: client.cert }
    const started = await startServer({ settings: { token, signInRead: 'staff', ...settings } })
    const address = await listen(started.app, { host: '127.0.0.1', port: 0 })
    return (headers: Record<string, string>, certificate: object = {}) =>
      new Promise<number>((resolve, reject) => {
        const trust = { ca: readFileSync(tlsFiles.authority), servername: 'localhost', agent: false }
        const sent = requestTls(`${address}${views}`, { headers, ...trust, ...certificate }, (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        })
        sent.on('error', reject).end()
      })
  }

  it('is believed with that one alone, whoever signed others', async () => {
    const ask = await startTls()
    expect(await ask(ada, shown(client))).toBe(200)
    expect(await ask(ada, shown(server))).toBe(401)
    expect(await ask(ada)).toBe(401)
    expect(await ask({ ...ada, 'fonds-proxy-secret': secret })).toBe(401)
  })

  it('others have their token, over TLS', async () => {
    const ask = await startTls()
    expect(await ask({ authorization: `Bearer ${token}` })).toBe(200)
  })
})

it('refused attempts are in the log of the process, without what was sent', async () => {
  const lines: object[] = []
  const { ask, system } = await started()
  system.log.warn = ((...line: object[]) => lines.push(line)) as never
  await ask(views, { ...ada, 'fonds-proxy-secret': 'another secret of it' })
  await ask(views, { authorization: 'Bearer QZ-not-this' })
  await ask(views, {})
  expect(lines).toMatchObject([
    [
      { code: 'wrong-proxy-secret', method: 'GET', route: views, remoteAddress: '127.0.0.1' },
      expect.any(String),
    ],
    [{ code: 'no-token' }, expect.any(String)],
  ])
  expect(JSON.stringify(lines)).not.toMatch(/QZ|another secret|ada/)
  for (let i = 0; i < 50; i++) await ask(views, { authorization: 'Bearer QZ-not-this' })
  expect(lines).toHaveLength(31)
})
