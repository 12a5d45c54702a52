import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { ada, walk } from './provider.ts'
import { publicUrl, setCookies, startWithProvider } from './world.ts'

const views = '/api/v1/views'
const wish = { input: { store: 'main', kind: 'external' }, reason: 'a new store' }
const register = '/api/v1/commands/fixity.register-store'
const topic = '/api/v1/topics/fonds.fixity.content/messages'
const check = '/api/v1/commands/fixity.check-store'

describe('signing in at a provider', () => {
  it('leads there with PKCE, state and nonce, and back to a session of who it is', async () => {
    const { begin, comeBack, get, asks, provider, system } = await startWithProvider()
    const { address, cookie } = await begin('/fixity?store=main')
    const asked = new URL(address).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      redirect_uri: `${publicUrl}/sign-in/return`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { status, text, session, headers } = await comeBack(await walk(address, publicUrl), cookie)
    expect(status).toBe(200)
    expect(text).toContain('content="0; url=/fixity?store=main"')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    expect((await get(views, asks(session))).status).toBe(200)
    const reference = `${provider.issuer}#a7`
    expect((await get('/session', asks(session))).body).toMatchObject({
      ...{ mayWrite: true, permission: 'operate', needsToken: true },
      person: { reference, name: 'Ada Example', mail: 'ada@archive.example' },
      refused: expect.arrayContaining(['settings.set']),
    })
    const kept = await system.people.find([reference])()
    expect(isRight(kept) && kept.right).toMatchObject([
      { name: 'Ada Example', mail: 'ada@archive.example', lastSeen: expect.stringMatching(/Z$/) },
    ])
  })

  it('cookies: of a session Strict, on the way Lax; over TLS of this host alone', async () => {
    const plain = await startWithProvider()
    const { set } = await plain.signIn()
    expect(set).toMatch(/^fonds-signed-in=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=36000$/)
    const secure = await startWithProvider({ publicUrl: 'https://fonds.example' })
    const { headers } = await secure.open('/sign-in')
    expect(setCookies(headers)[0]).toMatch(
      /^__Host-fonds-sign-in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
    )
  })

  it('who it is gives commands, and nobody else in their name', async () => {
    const { post, get, signIn, asks, provider } = await startWithProvider({ signInAdminister: 'archivists' })
    const { session } = await signIn()
    const reference = `${provider.issuer}#a7`
    expect(await post(register, { ...wish, actor: 'r.vermeer' }, asks(session))).toMatchObject({
      status: 403,
      body: { code: 'other-actor', path: 'actor' },
    })
    expect((await post(register, wish, asks(session))).body).toMatchObject({ outcome: 'done' })
    const { body, text } = await get('/api/v1/streams/fixityStore-main', asks(session))
    expect(body.events[0].metadata.actor).toBe(reference)
    for (const personal of ['Ada', 'ada@']) expect(text).not.toContain(personal)
    const checksums = [{ algorithm: 'sha-256', value: 'ab'.repeat(32) }]
    const message = { type: 'content.recorded', data: { store: 'main', path: 'a', size: 3, checksums } }
    const send = (more: object) => post(topic, { ...message, ...more }, asks(session))
    expect(await send({ source: 'x' })).toMatchObject({ status: 400, body: { path: 'source' } })
    expect((await send({})).body.accepted).toMatchObject([{ source: reference }])
    expect((await send({ source: reference })).status).toBe(202)
  })

  it('a token names its actor, as ever', async () => {
    const { post } = await startWithProvider()
    const bearer = { authorization: 'Bearer correct horse battery' }
    expect((await post(register, { ...wish, actor: 'r.vermeer' }, bearer)).status).toBe(200)
    expect(await post(register, wish, bearer)).toMatchObject({ status: 400, body: { path: 'actor' } })
  })

  it('each may do what their groups give, and nothing where they give nothing', async () => {
    const { signIn, provider, post, asks, get } = await startWithProvider()
    const tried = async (groups: readonly string[]) => {
      provider.signInAs({ ...ada, sub: groups.join('-') || 'nobody', groups })
      const { session, status, text } = await signIn()
      if (session === '') return [status, text]
      const asked = [
        get(views, asks(session)),
        post(check, {}, asks(session)),
        post(register, {}, asks(session)),
      ]
      return (await Promise.all(asked)).map(({ status, body }) => (status === 403 ? body.code : status))
    }
    expect(await tried(['staff'])).toEqual([200, 'no-permission', 'no-permission'])
    expect(await tried(['archivists', 'staff'])).toEqual([200, 400, 'no-permission'])
    expect(await tried(['admins'])).toEqual([200, 400, 400])
    expect(await tried([])).toEqual([403, expect.stringContaining('none of your groups')])
    expect(await tried(['Archivists', 'archivists ', 'archivists,admins'])).toEqual([403, expect.any(String)])
  })

  it('a page of another site writes nothing with the session', async () => {
    const { signIn, post, asks } = await startWithProvider()
    const { session } = await signIn()
    const foreign = { status: 403, body: { code: 'foreign-origin' } }
    expect(await post(check, {}, { ...asks(session), origin: 'https://evil.example' })).toMatchObject(foreign)
    expect(await post(check, {}, { ...asks(session), 'sec-fetch-site': 'cross-site' })).toMatchObject(foreign)
  })
})

describe('what is refused on the way back', () => {
  const refusedWith = (status: number) => ({ status, session: '' })

  it('an answer that came before: the state counts once', async () => {
    const { begin, comeBack } = await startWithProvider()
    const { address, cookie } = await begin()
    const back = await walk(address, publicUrl)
    expect((await comeBack(back, cookie)).status).toBe(200)
    expect(await comeBack(back, cookie)).toMatchObject(refusedWith(400))
  })

  it('an answer for another browser, or for another sign-in of this one', async () => {
    const { begin, comeBack } = await startWithProvider()
    const [mine, theirs] = [await begin(), await begin()]
    const back = await walk(theirs.address, publicUrl)
    expect(await comeBack(back, mine.cookie)).toMatchObject(refusedWith(400))
    expect(await comeBack(back, '')).toMatchObject(refusedWith(400))
    expect(await comeBack(back.replace(/state=[^&]+/, ''), theirs.cookie)).toMatchObject(refusedWith(400))
  })

  it('a code of another sign-in: PKCE and nonce bind it', async () => {
    const { begin, comeBack } = await startWithProvider()
    const [mine, theirs] = [await begin(), await begin()]
    const code = new URL(await walk(theirs.address, publicUrl)).searchParams.get('code')!
    const back = new URL(await walk(mine.address, publicUrl))
    back.searchParams.set('code', code)
    expect(await comeBack(back.href, mine.cookie)).toMatchObject(refusedWith(502))
  })

  it('the answer of another issuer', async () => {
    const { begin, comeBack } = await startWithProvider()
    const { address, cookie } = await begin()
    const back = new URL(await walk(address, publicUrl))
    back.searchParams.set('iss', 'https://evil.example')
    expect(await comeBack(back.href, cookie)).toMatchObject(refusedWith(502))
  })

  it('the no of the provider, whose words are not repeated', async () => {
    const { signIn, provider } = await startWithProvider()
    provider.signInAs(undefined)
    const answer = await signIn()
    expect(answer).toMatchObject(refusedWith(403))
    expect(answer.body.detail).toContain('access_denied')
    expect(answer.text).not.toContain('<b>')
  })

  it('a provider that is away is said, and asked again', async () => {
    const { open, provider, get, asks } = await startWithProvider()
    await provider.stop()
    const answer = await open('/sign-in')
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'provider-away', detail: expect.stringContaining('does not answer') },
    })
    expect((await get(views, asks(''))).status).toBe(401)
  })

  it.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
  ])('a way on to another site: %j', async (to) => {
    const { signIn } = await startWithProvider()
    expect((await signIn(to)).text).toContain('content="0; url=/"')
  })
})
