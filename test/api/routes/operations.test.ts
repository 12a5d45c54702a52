import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { until } from '../../fakes/clock.ts'
import { startServer } from '../server.ts'

const roles = ['processors', 'reactions', 'projections'] as const
const unavailable = () => async () => left({ kind: 'Unavailable', reason: 'no disk' } as const)

describe('for machines that watch', () => {
  it('it is alive', async () => {
    const { get } = await startServer()
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { alive: true } })
  })

  it('it is ready once views are up to date', async () => {
    const { get, system } = await startServer({ roles })
    await waitUntilIdle(system)
    const { status, body } = await get('/readyz')
    expect(status).toBe(200)
    expect(body.projections).toContainEqual({ projection: 'fixity', position: body.head, lag: '0' })
  })

  it('it is not ready before views were folded', async () => {
    const { get } = await startServer()
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      body: {
        code: 'not-ready',
        behind: expect.arrayContaining(['fixity: its views have not been folded yet']),
      },
    })
  })

  it('it is not ready while views are far behind, and says why', async () => {
    const lastError = 'cannot fold'
    const status = () => [
      {
        projection: 'fixity',
        version: 1,
        position: 0n,
        head: 9n,
        lag: 9n,
        state: 'stalled',
        lastError,
      } as const,
    ]
    const { get, system } = await startServer({
      roles,
      options: { smallLag: 5, running: { projections: { status }, onViewChange: () => () => {} } },
      replace: ({ eventStore }) => ({
        eventStore: { ...eventStore, head: () => async () => ({ _tag: 'Right', right: 9n }) },
      }),
    })
    await until(() => system.viewStore.live('fixity') !== undefined)
    const { body } = await get('/readyz')
    expect(body.behind).toContain('fixity: is 10 positions behind: cannot fold')
  })

  it.each<[string, Parameters<typeof startServer>[0], string]>([
    [
      'event store',
      { replace: ({ eventStore }) => ({ eventStore: { ...eventStore, head: unavailable } }) },
      'the event store does not answer: no disk',
    ],
    [
      'broker',
      { replace: ({ broker }) => ({ broker: { ...broker, topics: unavailable } }) },
      'the broker does not answer: no disk',
    ],
    [
      'view store',
      {
        replace: ({ viewStore }) => ({
          viewStore: {
            ...viewStore,
            live: () => {
              throw new UnavailableError('locked')
            },
          },
        }),
      },
      'the views do not answer: locked',
    ],
  ])('it is not ready while the %s is away', async (_, given, sentence) => {
    const { get } = await startServer(given)
    const { status, body } = await get('/readyz')
    expect(status).toBe(503)
    expect(body.behind).toContain(sentence)
  })

  it('it is ready while a partition rests, and names the record: another process would do no better', async () => {
    const resting = [
      {
        processor: 'fonds.fixity',
        topic: 'fonds.fixity.content',
        partition: 3,
        offset: 501n,
        since: '2026-01-01T00:00:00.000Z',
        because: 'cannot store a dead letter',
      },
    ]
    const { get, system } = await startServer({
      roles,
      replace: () => ({
        partitions: { watch: (_, work) => work(), add: () => {}, resting: () => resting, broken: () => [] },
      }),
    })
    await waitUntilIdle(system)
    const { status, body } = await get('/readyz')
    expect(status).toBe(200)
    expect(body.resting).toEqual([{ ...resting[0], offset: '501' }])
  })

  it('it is ready while a processor is in no group, and says since when and why', async () => {
    const { get, system } = await startServer({ roles })
    const broken = { since: '2026-01-01T00:00:00.000Z', because: 'no right to read' }
    let isBroken = true
    system.partitions.add('fonds.other', { broken: () => (isBroken ? broken : undefined) })
    await waitUntilIdle(system)
    expect(await get('/readyz')).toMatchObject({
      status: 200,
      body: { broken: [{ processor: 'fonds.other', ...broken }], resting: [] },
    })
    isBroken = false
    expect((await get('/readyz')).body.broken).toEqual([])
  })

  it('it has metrics', async () => {
    const { get, system } = await startServer({ roles })
    await waitUntilIdle(system)
    const { text, headers } = await get('/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain; version=0.0.4/)
    expect(text).toContain('fonds_lag{part="fixity"}')
  })
})

describe('for people', () => {
  it('there is a page that links to what there is', async () => {
    const { get, system } = await startServer({ roles })
    await waitUntilIdle(system)
    const { text, headers } = await get('/')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href as string)
    expect(links).toContain('/api/v1/views/fixity-items')
    for (const link of links) expect((await get(link)).status, link).toBe(200)
  })

  it('what is not there says where to look', async () => {
    const { get, post } = await startServer()
    const missing = {
      status: 404,
      body: { code: 'no-such-route', detail: expect.stringContaining('openapi.json') },
    }
    expect(await get('/api/v2/views')).toMatchObject(missing)
    expect(await post('/api/v2/views', {})).toMatchObject(missing)
  })

  it('heads are answered where there is an end', async () => {
    const { app } = await startServer()
    const status = async (url: string) => (await app.inject({ method: 'HEAD', url })).statusCode
    expect(await status('/healthz')).toBe(200)
    expect(await status('/api/v1/views')).toBe(200)
    expect(await status('/api/v1/changes')).toBe(405)
  })

  it('a fault in Fonds shows the number of the request and nothing more', async () => {
    const { get } = await startServer({
      replace: ({ viewStore }) => ({
        viewStore: {
          ...viewStore,
          live: () => {
            throw new Error('a secret')
          },
        },
      }),
    })
    const answer = await get('/api/v1/views')
    expect(answer).toMatchObject({ status: 500, body: { code: 'defect' } })
    expect(answer.body.detail).toContain(answer.headers['x-request-id'])
    expect(answer.text).not.toContain('secret')
  })

  it('an address that is none is refused', async () => {
    const { get } = await startServer()
    expect(await get('/api/v1/views/%zz')).toMatchObject({ status: 400, body: { code: 'bad-request' } })
  })
})
