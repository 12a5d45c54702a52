import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createOpenIdProvider } from '#infra/identity/openid-provider.ts'

/* A provider that answers whatever a test wants: what a real one never does. */

const back = 'https://fonds.example/sign-in/return'
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = (claims: object, header: object = { alg: 'RS256', kid: 'k' }, key = keys.privateKey) => {
  const body = `${part(header)}.${part(claims)}`
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`
}

interface Answers {
  readonly idToken: (usual: Readonly<Record<string, unknown>>) => string
  readonly userinfo?: object
  readonly tokenStatus?: number
}

const start = async ({ idToken, userinfo, tokenStatus = 200 }: Answers) => {
  let nonce = ''
  const asked: { authorization: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    const answer = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return answer({
          ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
          ...{ jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'] },
          ...{ subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
          ...(userinfo && { userinfo_endpoint: `${issuer}/userinfo` }),
        })
      case '/jwks':
        return answer({
          keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
        })
      case '/userinfo':
        return answer(userinfo)
      default: {
        asked.push(await heard(request))
        const now = Math.floor(Date.now() / 1000)
        const usual = { iss: issuer, aud: 'fonds', sub: 'a7', iat: now, exp: now + 60, nonce }
        if (tokenStatus !== 200) return answer({ error: 'invalid_client' }, tokenStatus)
        return answer({ access_token: 'QZtoken', token_type: 'Bearer', id_token: idToken(usual) })
      }
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { issuer, clientId: 'fonds', clientSecret: 'QZ+secret/of it', scopes: 'openid' }
  const provider = createOpenIdProvider(settings)
  const begun = await provider.begin(back)()
  if (isLeft(begun)) return expect.fail('it does not begin')
  const { secrets } = begun.right
  nonce = secrets.nonce
  const finish = (more = '') =>
    provider.finish(new URL(`${back}?code=c&state=${secrets.state}${more}`), secrets)()
  return { finish, secrets, asked, issuer, provider }
}

const heard = async (request: IncomingMessage) => ({
  authorization: request.headers.authorization,
  body: await text(request),
})

describe('an ID token', () => {
  it('that is right names somebody; the provider’s answer about the user adds to it', async () => {
    const userinfo = { sub: 'a7', groups: ['staff'], email: 'ada@archive.example' }
    const { finish, issuer, asked, secrets } = await start({ idToken: signed, userinfo })
    expect(await finish()).toMatchObject({
      right: { issuer, subject: 'a7', claims: { groups: ['staff'], email: 'ada@archive.example' } },
    })
    expect(Buffer.from(asked[0]!.authorization!.slice(6), 'base64').toString()).toBe(
      'fonds:QZ%2Bsecret%2Fof+it',
    )
    const sent = new URLSearchParams(asked[0]!.body)
    expect(sent.get('code_verifier')).toBe(secrets.verifier)
    expect(createHash('sha256').update(secrets.verifier).digest('base64url')).toHaveLength(43)
  })

  const later = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
  it.each<[string, Answers['idToken']]>([
    ['for another audience', (usual) => signed({ ...usual, aud: 'another' })],
    [
      'for several audiences, and authorised for another',
      (usual) => signed({ ...usual, aud: ['fonds', 'x'], azp: 'x' }),
    ],
    ['of another issuer', (usual) => signed({ ...usual, iss: 'https://evil.example' })],
    ['for another sign-in', (usual) => signed({ ...usual, nonce: 'another' })],
    ['without a nonce', ({ nonce: _, ...usual }) => signed(usual)],
    ['that is over', (usual) => signed({ ...usual, exp: later(-40) })],
    ['that begins later', (usual) => signed({ ...usual, nbf: later(60) })],
    ['without a subject', ({ sub: _, ...usual }) => signed(usual)],
    ['signed by somebody else', (usual) => signed(usual, undefined, stranger.privateKey)],
    ['signed by nobody', (usual) => `${part({ alg: 'none' })}.${part(usual)}.`],
    [
      'that was changed',
      (usual) => signed(usual).replace(/\.(.+)\./, `.${part({ ...usual, sub: 'admin' })}.`),
    ],
  ])('%s names nobody', async (_, idToken) => {
    const { finish } = await start({ idToken })
    const failure = await finish()
    expect(failure).toMatchObject({ left: { kind: 'Invalid' } })
    expect(JSON.stringify(failure)).not.toContain('QZ')
  })

  it('may be some seconds over: clocks differ', async () => {
    const { finish } = await start({ idToken: (usual) => signed({ ...usual, exp: later(-20) }) })
    expect(await finish()).toMatchObject({ right: { subject: 'a7' } })
  })

  it('of one, with claims of another user, names nobody', async () => {
    const { finish } = await start({ idToken: signed, userinfo: { sub: 'admin', groups: ['admins'] } })
    expect(await finish()).toMatchObject({ left: { kind: 'Invalid' } })
  })
})

it('a provider that refuses Fonds itself is said, without the secret', async () => {
  const { finish } = await start({ idToken: signed, tokenStatus: 401 })
  const failure = await finish()
  expect(failure).toMatchObject({
    left: { kind: 'Unavailable', reason: expect.stringContaining('invalid_client') },
  })
  expect(JSON.stringify(failure)).not.toContain('QZ')
})

it('another state is none of ours', async () => {
  const { provider, secrets } = await start({ idToken: signed })
  const answer = new URL(`${back}?code=c&state=another`)
  expect(await provider.finish(answer, secrets)()).toMatchObject({ left: { kind: 'Invalid' } })
})

it('one that does not answer is asked again the next time', async () => {
  let isUp = false
  const server = createServer((_, response) => {
    if (!isUp) return response.writeHead(503).end()
    const about = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(about))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = createOpenIdProvider({ issuer, clientId: 'f', clientSecret: 's', scopes: 'openid' })
  expect(await provider.begin(back)()).toMatchObject({ left: { kind: 'Unavailable' } })
  isUp = true
  expect(await provider.begin(back)()).toMatchObject({
    right: { address: expect.stringContaining(`${issuer}/auth?`) },
  })
  expect(await provider.leave(back)()).toMatchObject({ right: undefined })
})
