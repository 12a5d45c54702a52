import { describe, expect, it } from 'vitest'
import { TooManyRows } from '../../../src/domain/kernel/view.ts'
import { catchUp } from '../../../src/projections/runtime/catch-up.ts'
import { projectionsOf } from '../../../src/workflows/workflow-model.ts'
import { until } from '../../fakes/clock.ts'
import { startServer } from '../server.ts'

const command = (store: string, reason = 'for a test') => ({
  input: { store, kind: 'external' },
  actor: 'r.vermeer',
  reason,
})

const withStores = async (...stores: readonly string[]) => {
  const server = await startServer({ keepsHistory: true, roles: ['projections'] })
  let position = '-1'
  for (const store of stores)
    position = (await server.post('/api/v1/commands/fixity.register-store', command(store))).body.position
  return { ...server, position }
}

describe('views', () => {
  it('are listed with their shapes and how far they are', async () => {
    const { get, position } = await withStores('main')
    await get(`/api/v1/views/fixity-stores?after=${position}`)
    const { body } = await get('/api/v1/views')
    const stores = body.views.find((view: { name: string }) => view.name === 'fixity-stores')
    expect(stores).toMatchObject({
      key: ['store'],
      columns: { store: 'text', intervalDays: 'integer' },
      projection: 'fixity',
      position,
    })
  })

  it('answer with what was just written, when told to wait for it', async () => {
    const { get, position } = await withStores('main', 'copy')
    const answer = await get(`/api/v1/views/fixity-stores?after=${position}`)
    expect(answer.body.rows.map((row: { store: string }) => row.store)).toEqual(['copy', 'main'])
    expect(answer.body).toMatchObject({ view: 'fixity-stores', position, more: false })
    expect(answer.headers['fonds-position']).toBe(position)
  })

  it('are asked with conditions, order and pages', async () => {
    const { get, position } = await withStores('a1', 'a2', 'a3', 'b1')
    const stores = async (query: string) => {
      const { body } = await get(`/api/v1/views/fixity-stores?after=${position}&${query}`)
      return [body.rows.map((row: { store: string }) => row.store), body.more]
    }
    expect(await stores('where=store^=a&order=-store')).toEqual([['a3', 'a2', 'a1'], false])
    expect(await stores('where=store!=a1&where=intervalDays>1&limit=2')).toEqual([['a2', 'a3'], true])
    expect(await stores('limit=2&offset=2')).toEqual([['a3', 'b1'], false])
    expect(await stores('where=kind=null')).toEqual([[], false])
    expect(await stores('where=store^=a&order=-store&limit=1&offset=1')).toEqual([['a2'], true])
  })

  it('say how many rows there are in all, where they are asked', async () => {
    const { get, post, position } = await withStores('a1', 'a2', 'b1')
    const url = `/api/v1/views/fixity-stores?after=${position}&where=store^=a&limit=1`
    for (const _ of ['counted', 'kept'])
      expect((await get(`${url}&total=true`)).body).toMatchObject({ total: 2, more: true })
    expect((await get(`${url}&total=true&where=store=a1`)).body).toMatchObject({ total: 1 })
    expect((await get(url)).body).not.toHaveProperty('total')
    expect(await get(`${url}&total=perhaps`)).toMatchObject({ status: 400, body: { path: 'total' } })
    const { body } = await post('/api/v1/commands/fixity.register-store', command('a3'))
    const later = url.replace(`after=${position}`, `after=${body.position}`)
    expect((await get(`${later}&total=true`)).body).toMatchObject({ total: 3 })
  })

  it('come as CSV and as lines of JSON, for who asks', async () => {
    const { get, position } = await withStores('main', 'a2')
    const url = `/api/v1/views/fixity-stores?after=${position}`
    const csv = await get(url, { accept: 'text/csv' })
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.text.split('\n')[0]).toBe(
      'store,kind,root,intervalDays,lagSeconds,replica,awaySeconds,bytesPerDay,newFiles,compareHours,registeredAt,awaySince,away,goneAt,words',
    )
    expect(csv.text).toContain('\na2,external,,')
    const lines = await get(url, { accept: 'text/html, application/x-ndjson;q=0.9' })
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).store),
    ).toEqual(['a2', 'main'])
    expect(await get(url, { accept: 'image/png' })).toMatchObject({
      status: 406,
      body: { code: 'no-such-format', detail: expect.stringContaining('text/csv') },
    })
  })

  it('answer as of a position and as of a time', async () => {
    const { get, post, position } = await withStores('main')
    const first = await get(`/api/v1/events?from=${position}`)
    const time = first.body.events[0].recordedAt
    // Times have milliseconds: the next store is registered in a later one.
    while (new Date().toISOString() <= time) await new Promise((resolve) => setImmediate(resolve))
    const later = (await post('/api/v1/commands/fixity.register-store', command('copy'))).body.position
    const stores = async (query: string) =>
      (await get(`/api/v1/views/fixity-stores?${query}`)).body.rows.map((row: { store: string }) => row.store)
    expect(await stores(`after=${later}`)).toEqual(['copy', 'main'])
    expect(await stores(`asOf=${position}`)).toEqual(['main'])
    expect(await stores(`asOf=${time}`)).toEqual(['main'])
    expect(await stores(`asOf=${encodeURIComponent(time.replace('Z', '+00:00'))}`)).toEqual(['main'])
    expect(await stores('asOf=2000-01-01T00:00:00Z')).toEqual([])
  })

  it('say that they are behind when they do not get there in time', async () => {
    const { get } = await startServer({ roles: ['projections'], options: { patienceMillis: 30 } })
    const answer = await get('/api/v1/views/fixity-stores?after=1000000')
    expect(answer).toMatchObject({ status: 503, body: { code: 'view-behind' } })
    expect(answer.headers['retry-after']).toBeDefined()
  })

  it('say that they were never folded', async () => {
    const { get } = await startServer()
    expect(await get('/api/v1/views/fixity-stores')).toMatchObject({
      status: 503,
      body: { code: 'view-not-ready', detail: expect.stringContaining('role projections') },
    })
  })

  it('wait for views that are behind the moment that is asked as of, and never tell a past that is not whole', async () => {
    const { get, post, system } = await startServer({ keepsHistory: true, options: { patienceMillis: 30 } })
    const projections = projectionsOf(system.workflows).filter(({ name }) => name === 'fixity')
    const register = async (store: string): Promise<string> =>
      (await post('/api/v1/commands/fixity.register-store', command(store))).body.position
    const first = await register('main')
    await catchUp({ ...system, projections })
    const second = await register('copy')
    const url = `/api/v1/views/fixity-stores?asOf=${second}`
    expect(await get(`/api/v1/views/fixity-stores?asOf=${first}`)).toMatchObject({ status: 200 })
    const behind = { status: 503, body: { code: 'view-behind', detail: expect.stringContaining(second) } }
    expect(await get(url)).toMatchObject(behind)
    expect(await get(`/api/v1/views/fixity-stores/diff?from=${first}&to=${second}`)).toMatchObject(behind)
    await catchUp({ ...system, projections })
    expect((await get(url)).body.rows).toHaveLength(2)
  })

  it('answer as of a moment once they have come there', async () => {
    const { get, post, system } = await startServer({
      keepsHistory: true,
      options: { patienceMillis: 60_000 },
    })
    const projections = projectionsOf(system.workflows).filter(({ name }) => name === 'fixity')
    await post('/api/v1/commands/fixity.register-store', command('main'))
    await catchUp({ ...system, projections })
    const { position } = (await post('/api/v1/commands/fixity.register-store', command('copy'))).body
    let isAnswered = false
    const answer = get(`/api/v1/views/fixity-stores?asOf=${position}`).finally(() => {
      isAnswered = true
    })
    await system.clock.sleep(100)
    expect(isAnswered).toBe(false)
    await catchUp({ ...system, projections })
    expect((await answer).body.rows).toHaveLength(2)
  })

  it('say how many rows a question about the past had to read, and that the log was folded', async () => {
    const { get, position } = await withStores('main', 'copy')
    await get(`/api/v1/views/fixity-stores?after=${position}`)
    const headers = async (query: string) => {
      const answer = await get(`/api/v1/views/${query}&asOf=${position}`)
      return [answer.status, answer.headers['fonds-scanned'], answer.headers['fonds-folded']]
    }
    expect(await headers('fixity-stores?where=store=main')).toEqual([200, undefined, undefined])
    expect(await headers('fixity-stores?where=store>a')).toEqual([200, undefined, undefined])
    expect(await headers('fixity-stores?where=kind=external')).toEqual([200, '2', undefined])
    expect(await headers('fixity-claims?limit=1')).toEqual([200, undefined, 'true'])
  })

  it('refuse a question about the past that would read too many rows', async () => {
    const { get, post } = await startServer({
      keepsHistory: true,
      roles: ['projections'],
      replace: ({ viewStore }) => ({
        viewStore: {
          ...viewStore,
          asOf: (...of) => ({
            ...viewStore.asOf(...of),
            query: () => {
              throw new TooManyRows('more than 1,000,000; few are read by its key (store)')
            },
          }),
        },
      }),
    })
    const { position } = (await post('/api/v1/commands/fixity.register-store', command('main'))).body
    await get(`/api/v1/views/fixity-stores?after=${position}`)
    expect(await get(`/api/v1/views/fixity-stores?where=kind=external&asOf=${position}`)).toMatchObject({
      status: 422,
      body: { code: 'too-many-rows', detail: expect.stringContaining('by its key (store)') },
    })
  })

  it('refuse too many questions about the past at once', async () => {
    let reading = 0
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const { get } = await startServer({
      keepsHistory: true,
      replace: ({ eventStore }) => ({
        eventStore: {
          ...eventStore,
          readAll:
            (...question) =>
            async () => {
              reading++
              await gate
              return eventStore.readAll(...question)()
            },
        },
      }),
    })
    const url = '/api/v1/views/fixity-claims?asOf=2000-01-01T00:00:00Z'
    const two = [get(url), get(url)]
    await until(() => reading === 2)
    expect(await get(url)).toMatchObject({ status: 503, body: { code: 'busy' } })
    open()
    expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200])
    expect((await get(url)).status).toBe(200)
  })

  it('stop waiting when the server closes', async () => {
    let waiting = false
    const onViewChange = () => {
      waiting = true
      return () => {}
    }
    const { get, app } = await startServer({ options: { running: { onViewChange } } })
    const answer = get('/api/v1/views/fixity-stores?after=1000000')
    await until(() => waiting)
    await app.close()
    expect(await answer).toMatchObject({ status: 503, body: { code: 'closing' } })
  })

  it.each<[string, number, object]>([
    ['nothing', 404, { code: 'no-such-view', path: 'view', detail: expect.stringContaining('fixity-items') }],
    ['fixity-stores?where=colour=red', 400, { code: 'wrong-question', path: 'where' }],
    ['fixity-stores?where=intervalDays=often', 400, { code: 'wrong-question', path: 'where' }],
    ['fixity-stores?order=colour', 400, { code: 'wrong-question', path: 'order' }],
    ['fixity-items?order=checksums', 400, { code: 'wrong-question', path: 'order' }],
    [
      'fixity-stores?limit=many',
      400,
      {
        code: 'wrong-parameter',
        path: 'limit',
        detail: 'limit: wants whole number from 1 to 10000, got "many"',
      },
    ],
    ['fixity-stores?limit=0', 400, { code: 'wrong-parameter', path: 'limit' }],
    ['fixity-stores?limit=1&limit=2', 400, { code: 'wrong-parameter', path: 'limit' }],
    ['fixity-stores?after=soon', 400, { code: 'wrong-parameter', path: 'after' }],
    ['fixity-stores?asOf=yesterday', 400, { code: 'wrong-parameter', path: 'asOf' }],
    ['fixity-stores?asOf=2026-02-31T00:00:00Z', 400, { code: 'wrong-parameter', path: 'asOf' }],
    [
      'fixity-stores?wher=store=main',
      400,
      { code: 'unknown-parameter', path: 'wher', detail: expect.stringContaining('it takes where, order') },
    ],
  ])('%s is refused', async (question, status, problem) => {
    const { get } = await withStores('main')
    expect(await get(`/api/v1/views/${question}`)).toMatchObject({ status, body: { status, ...problem } })
  })

  it('a question of a thousand conditions is refused with how many it takes', async () => {
    const { get } = await withStores('main')
    const problem = { code: 'wrong-question', path: 'where', detail: expect.stringContaining('takes 100') }
    expect(await get(`/api/v1/views/fixity-stores?${'where=store=a&'.repeat(1000)}`)).toMatchObject({
      status: 400,
      body: problem,
    })
  })
})
