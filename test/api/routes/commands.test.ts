import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'

const url = '/api/v1/commands/fixity.register-store'
const wish = { input: { store: 'main', kind: 'external' }, actor: 'r.vermeer', reason: 'a new store' }

describe('a command', () => {
  it('is done, and says where', async () => {
    const { post, get } = await startServer()
    const done = await post(url, wish)
    expect(done).toMatchObject({ status: 200, body: { outcome: 'done', stream: 'fixityStore-main' } })
    const { body } = await get('/api/v1/streams/fixityStore-main')
    expect(body.events[0]).toMatchObject({ position: done.body.position, metadata: { actor: 'r.vermeer' } })
  })

  it('has its effect once, however often it is sent with one key', async () => {
    const { post, get } = await startServer()
    await post(url, wish)
    const check = {
      input: { store: 'main' },
      actor: 'r.vermeer',
      reason: 'water in the cellar',
    }
    const send = (key: string) =>
      post('/api/v1/commands/fixity.check-store', check, { 'idempotency-key': key })
    const stream = async () => (await get('/api/v1/streams/fixityStore-main')).body.events.length
    const before = await stream()
    // Those that race may each be told that it is done: the log takes it once.
    const answers = await Promise.all([send('one'), send('one'), send('one')])
    for (const { body } of answers) expect(['done', 'repeated']).toContain(body.outcome)
    expect((await send('one')).body.outcome).toBe('repeated')
    expect(await stream()).toBe(before + 1)
    expect((await send('two')).body.outcome).toBe('done')
    expect(await stream()).toBe(before + 2)
  })

  it('is unchanged when it asks for what is true already', async () => {
    const { post } = await startServer()
    const { body } = await post(url, wish)
    expect((await post(url, wish)).body).toEqual({ ...body, outcome: 'unchanged' })
  })

  it('is refused by the domain with its code and its sentence', async () => {
    const { post } = await startServer()
    const item = { store: 'main', path: 'a' }
    const answer = await post('/api/v1/commands/fixity.accept', { ...wish, input: item })
    expect(answer).toMatchObject({
      status: 409,
      body: { code: expect.stringMatching(/^[a-z-]+$/), detail: expect.stringMatching(/\w+ \w+/) },
    })
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  })

  it.each<[string, object, number, object]>([
    ['no actor', { ...wish, actor: undefined }, 400, { code: 'wrong-body', path: 'actor' }],
    ['no reason', { ...wish, reason: '' }, 400, { code: 'wrong-body', path: 'reason' }],
    [
      'a wrong field',
      { ...wish, input: { store: '../etc' } },
      400,
      { code: 'wrong-body', path: 'input.store', detail: expect.stringContaining('store name') },
    ],
    ['no object', [], 400, { code: 'wrong-body' }],
    [
      'a field of its input beside it',
      { ...wish, input: { store: 'main' }, kind: 'external' },
      400,
      {
        code: 'unknown-field',
        path: 'kind',
        detail: 'kind: there is no such field here; it goes into input: {"input":{"kind":"external"}}',
      },
    ],
  ])('with %s is refused', async (_, body, status, problem) => {
    const { post } = await startServer()
    expect(await post(url, body)).toMatchObject({ status, body: problem })
  })

  it.each<[string, string, string, number, object]>([
    ['what is not JSON', 'actor=me', 'application/json', 400, { code: 'not-json' }],
    ['nothing', '', 'application/json', 400, { code: 'not-json' }],
    ['a form', 'actor=me', 'application/x-www-form-urlencoded', 415, { code: 'wrong-content-type' }],
    ['text', '{}', 'text/plain', 415, { code: 'wrong-content-type', path: 'content-type' }],
    ['a prototype', '{"__proto__": {}}', 'application/json', 400, { code: 'wrong-shape', path: '__proto__' }],
    [
      'a megabyte of text',
      JSON.stringify('x'.repeat(2 ** 20)),
      'application/json',
      413,
      { code: 'too-large' },
    ],
  ])('that is %s is refused', async (_, payload, type, status, problem) => {
    const { request } = await startServer()
    const answer = await request({ method: 'POST', url, payload, headers: { 'content-type': type } })
    expect(answer).toMatchObject({ status, body: problem })
  })

  it('without a content type is refused', async () => {
    const { request } = await startServer()
    expect(await request({ method: 'POST', url })).toMatchObject({
      status: 415,
      body: { detail: 'content-type: is missing; send application/json' },
    })
  })

  it('with a key that cannot be kept is refused', async () => {
    const { post } = await startServer()
    expect(await post(url, wish, { 'idempotency-key': 'a b' })).toMatchObject({
      status: 400,
      body: { code: 'wrong-parameter', path: 'idempotency-key' },
    })
  })

  it('of any kind refuses a field that it does not know, by its name', async () => {
    const { post, get } = await startServer()
    const { commands } = (await get('/api/v1/commands')).body
    expect(commands.length).toBeGreaterThan(30)
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    for (const { name, example, input } of commands) {
      const body = { actor: 'ada', reason: 'a slip', input: { ...example, zzz: 1 } }
      const answer = await post(`/api/v1/commands/${name}`, body)
      expect(answer, name).toMatchObject({ status: 400, body: { code: 'unknown-field', path: 'input.zzz' } })
      expect(ajv.validate(input, example), name).toBe(true)
      expect(ajv.validate(input, body.input), name).toBe(false)
    }
  })

  it('that was renamed is taken by either name, and documented by the present one', async () => {
    const { app, document } = await startServer()
    const payload = { input: { lease: 'nobody' }, actor: 'ada', reason: 'a slip' }
    const path = (name: string) => `/api/v1/commands/${name}`
    // Without the document, which has no former name.
    for (const name of ['house.end-lease', 'system.end-lease']) {
      const answer = await app.inject({ method: 'POST', url: path(name), payload })
      expect([answer.statusCode, answer.json().code], name).toEqual([409, 'unknown-duty'])
    }
    const got = await app.inject({ method: 'GET', url: path('house.end-lease') })
    expect([got.statusCode, got.headers.allow]).toEqual([405, 'POST'])
    const { paths } = document as { paths: Record<string, { post?: { operationId: string } }> }
    expect(paths[path('house.end-lease')]).toBe(undefined)
    // Generated clients keep their operation.
    expect(paths[path('system.end-lease')]?.post?.operationId).toBe('houseEndLease')
  })

  it('that is not known is not there', async () => {
    const { post } = await startServer()
    expect(await post('/api/v1/commands/fixity.burn', wish)).toMatchObject({
      status: 404,
      body: { code: 'no-such-command', detail: expect.stringContaining('GET /api/v1/commands') },
    })
  })

  it.each<[string, number, string, Parameters<typeof left>[0]]>([
    ['is away', 503, 'away', { kind: 'Unavailable', reason: 'the disk is full' }],
    ['takes no more of it', 413, 'too-large', { kind: 'TooLarge', bytes: 9, limit: 8 }],
    ['has deleted the stream', 410, 'stream-deleted', { kind: 'StreamDeleted', stream: 'fixityStore-main' }],
    ['is contended', 503, 'away', { kind: 'Contended', stream: 'fixityStore-main', tries: 20 }],
  ])('finds that the store %s', async (_, status, code, failure) => {
    const { post } = await startServer({ replace: () => ({ execute: async () => left(failure as never) }) })
    const answer = await post(url, wish)
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.headers['retry-after'] !== undefined).toBe(status === 503)
  })
})

it('all commands are listed with what they take', async () => {
  const { get } = await startServer()
  const { body } = await get('/api/v1/commands')
  expect(body.commands).toContainEqual(
    expect.objectContaining({
      name: 'fixity.check',
      input: expect.objectContaining({ required: ['store', 'path'] }),
      example: { store: 'main', path: 'letters/1912/03.tif' },
    }),
  )
})
