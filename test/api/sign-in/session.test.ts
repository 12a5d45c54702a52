import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { HOUR } from '#src/domain/kernel/time.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { startServer } from '../server.ts'
import { ada, walk } from './provider.ts'
import { host, publicUrl, setCookies, startWithProvider } from './world.ts'

const views = '/api/v1/views'

const startWithClock = async () => {
  const clock = fakeClock(new Date().toISOString())
  return { clock, ...(await startWithProvider({}, { replace: () => ({ clock }) })) }
}

describe('a session of who signed in', () => {
  it('is over after its hours, whatever the browser keeps', async () => {
    const { signIn, get, asks, clock } = await startWithClock()
    const { session } = await signIn()
    await clock.advance(10 * HOUR - 1000)
    expect((await get(views, asks(session))).status).toBe(200)
    await clock.advance(1000)
    expect((await get(views, asks(session))).status).toBe(401)
  })

  it('is a new one each time: one that came before is not taken up', async () => {
    const { signIn, get, asks, open } = await startWithProvider()
    const planted = (await signIn()).session
    const { address, cookie } = await beginWith(open, planted)
    const { headers } = await open(
      (await walk(address, publicUrl)).slice(publicUrl.length),
      `${planted}; ${cookie}`,
    )
    const fresh = setCookies(headers)
      .find((set) => set.startsWith('fonds-signed-in='))!
      .split(';')[0]!
    expect(fresh).not.toBe(planted)
    expect((await get(views, asks(fresh))).status).toBe(200)
  })

  it('ends with the person’s leave, for good, and leads to the provider to leave there as well', async () => {
    const { signIn, request, get, asks, provider } = await startWithProvider()
    const { session } = await signIn()
    const left = await request({ method: 'DELETE', url: '/session', headers: asks(session) })
    expect(left.body).toMatchObject({
      entered: false,
      leads: expect.stringContaining(`${provider.issuer}/session/end?`),
    })
    const leads = new URL(left.body.leads)
    expect(leads.searchParams.get('post_logout_redirect_uri')).toBe(`${publicUrl}/enter`)
    expect(setCookies(left.headers)).toContainEqual(expect.stringMatching(/^fonds-signed-in=;.*Max-Age=0$/))
    expect((await get(views, asks(session))).status).toBe(401)
    await provider.stop()
    expect((await request({ method: 'DELETE', url: '/session', headers: asks('') })).body.leads).toBe(null)
  })

  it('is none where it was changed, of another secret, or of other rules', async () => {
    const { signIn, get, asks, provider } = await startWithProvider()
    const { session } = await signIn()
    const [name, value = ''] = session.split('=')
    const flipped = `${value.slice(0, 40)}${value[40] === 'A' ? 'B' : 'A'}${value.slice(41)}`
    for (const wrong of [`${name}=${flipped}`, `${name}=x`, `${name}=${value.slice(0, 20)}`])
      expect((await get(views, asks(wrong))).status, wrong).toBe(401)
    const settings = { oidcIssuer: provider.issuer, oidcClientId: 'fonds', publicUrl }
    for (const other of [
      { oidcClientSecret: 'another secret of it', signInOperate: 'archivists' },
      { oidcClientSecret: 'a secret that the provider made', signInAdminister: 'archivists' },
    ]) {
      const elsewhere = await startServer({ settings: { ...settings, ...other } })
      expect((await elsewhere.get(views, asks(session))).status).toBe(401)
    }
  })

  it.each(['leaves', 'is signed out by time'])('a stream ends when who listens %s', async (how) => {
    const { signIn, app, asks, request, clock } = await startWithClock()
    const { session } = await signIn()
    const answer = await app.inject({ url: '/api/v1/changes', headers: asks(session), payloadAsStream: true })
    expect(answer.statusCode).toBe(200)
    const ended = endOf(answer.stream())
    if (how === 'leaves') await request({ method: 'DELETE', url: '/session', headers: asks(session) })
    else await clock.advance(10 * HOUR)
    // A stream looks up when its heartbeat is due.
    await clock.advance(60_000)
    await ended
    expect((await app.inject({ url: '/api/v1/changes', headers: asks(session) })).statusCode).toBe(401)
  })
})

const beginWith = async (
  open: (url: string, cookie: string) => Promise<{ headers: object }>,
  cookie: string,
) => {
  const { headers } = await open('/sign-in', cookie)
  const { location } = headers as { location: string }
  return { address: location, cookie: setCookies(headers as never)[0]!.split(';')[0]! }
}

const endOf = async (stream: Readable): Promise<void> => {
  for await (const _ of stream);
}

it('a browser that came under another name goes on under the one that the provider leads back to, once', async () => {
  const { request } = await startWithProvider()
  const ask = (url: string) => request({ url, headers: { host: '127.0.0.1:7070' } })
  const { status, headers } = await ask('/sign-in?to=%2Flog')
  expect([status, headers.location]).toEqual([302, `${publicUrl}/sign-in?moved=true&to=%2Flog`])
  expect((await ask('/sign-in?moved=true&to=%2Flog')).headers.location).toContain('code_challenge=')
})

describe('the page that lets people in', () => {
  const html = { accept: 'text/html', host }

  it('leads to the provider, and back to where somebody was', async () => {
    const { app } = await startWithProvider()
    const { statusCode, body } = await app.inject({ url: '/api/v1?x=1', headers: html })
    expect(statusCode).toBe(401)
    expect(body).toContain('href="/sign-in?to=%2Fapi%2Fv1%3Fx%3D1"')
    expect(body).toContain('type="password"')
  })

  it('asks for no token where none is set, and none is taken', async () => {
    const { app, request } = await startWithProvider({ token: undefined } as never)
    expect((await app.inject({ url: '/enter', headers: html })).body).not.toContain('password')
    const begun = await request({ method: 'POST', url: '/session', headers: { authorization: 'Bearer x' } })
    expect(begun.status).toBe(401)
  })

  it('says in a sentence why nobody was signed in, and escapes what is not ours', async () => {
    const { provider, begin, app } = await startWithProvider()
    provider.signInAs({ ...ada, name: '<script>x</script>', groups: [] })
    const { address, cookie } = await begin()
    const url = (await walk(address, publicUrl)).slice(publicUrl.length)
    const { statusCode, body } = await app.inject({ url, headers: { ...html, cookie } })
    expect(statusCode).toBe(403)
    expect(body).toContain('none of your groups')
    expect(body).not.toContain('<script>x')
  })
})

it('where no address of the page is set, that is the answer', async () => {
  const { open } = await startWithProvider({ publicUrl: undefined } as never)
  expect(await open('/sign-in')).toMatchObject({ status: 503, body: { code: 'no-public-url' } })
})

it('where no provider is set, nobody signs in', async () => {
  const { request } = await startServer()
  for (const url of ['/sign-in', '/sign-in/return?state=x'])
    expect(await request({ url })).toMatchObject({ status: 404, body: { code: 'no-sign-in' } })
})
