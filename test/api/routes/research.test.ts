import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { research } from '#src/projections/research/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { writeLog } from '../../fakes/matching-log.ts'
import { programme } from '../../fakes/research-programme.ts'
import { second } from '../../projections/research/log.ts'
import { startServer } from '../server.ts'

const url = '/api/v1/research'

const withLog = async (log = programme()) => {
  const server = await startServer({ keepsHistory: true })
  await writeLog(server.system, log)
  await catchUp({ ...server.system, projections: [research] })
  return server
}

describe('questions about research', () => {
  it('X1: progress', async () => {
    const { get } = await withLog()
    expect((await get(`${url}/progress`)).body).toMatchObject({
      pairs: 6,
      researched: 2,
      leased: 1,
      open: 3,
      found: 1,
      episodes: 2,
      clips: 3,
      parked: 1,
    })
    expect((await get(`${url}/progress?asOf=5`)).body).toMatchObject({ pairs: 6, researched: 0, leased: 0 })
    expect((await get(`${url}/progress?asOf=9`)).body).toMatchObject({ researched: 1, leased: 2 })
    expect((await get(`${url}/progress?asOf=2999-01-01T00:00:00Z`)).body).toMatchObject({ leased: 0 })
  })

  it.each([
    ['episodes', { episode: 'E2', state: 'parked' }, { episode: 'E1', researched: 2, leased: 1, found: 1 }],
    ['clips', { clip: 'k', open: 2 }, { clip: 'h', researched: 1 }, { clip: 'g', found: 1, occurrences: 2 }],
    ['leases', { lease: 'L1', researcher: 'ada', clips: 3, done: 2, open: 1, state: 'taken' }],
    ['researchers', { researcher: 'ada', state: 'busy', results: 2 }, { researcher: 'bob', state: 'gone' }],
    ['capacity', { researchers: 1, queued: 2, position: -1, added: 1, says: expect.any(String) }],
    ['parked', { subject: 'episode', episode: 'E2', remedy: expect.stringContaining('research.retry') }],
    ['anomalies', { kind: 'unknown-clip', clip: 'nix' }, { kind: 'no-lease', researcher: 'bob' }],
  ])('%s: rows, so many, of then', async (name, ...rows) => {
    const { get } = await withLog()
    // Leases are older at the next request.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    const all = (await get(`${url}/${name}`)).body[name] as object[]
    expect(all).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))))
    expect((await get(`${url}/${name}?limit=1`)).body[name]).toEqual(all.slice(0, 1))
    if (name !== 'capacity' && name !== 'anomalies')
      expect((await get(`${url}/${name}?limit=1&offset=1`)).body).toMatchObject({
        [name]: all.slice(1, 2),
        total: all.length,
      })
    const empty = (await get(`${url}/${name}?asOf=2020-01-01T00:00:00Z`)).body
    expect(empty[name]).toEqual([])
    for (const wrong of ['limit=0', 'limit=x', 'asOf=noon', 'limits=3'])
      expect(await get(`${url}/${name}?${wrong}`)).toMatchObject({
        status: 400,
        body: { path: wrong.split('=')[0] },
      })
  })

  it('X3: findings of a text, an episode, a clip; each with a link that begins there', async () => {
    const { get } = await withLog()
    const found = async (asked: string) =>
      (await get(`${url}/findings?${asked}`)).body.findings.map(({ offset }: { offset: number }) => offset)
    const both = [60 * second, 1754.2 * second]
    for (const asked of ['', 'text=GURG', 'text=first', 'episode=E1', 'clip=g', 'episode=E1&clip=g'])
      expect(await found(asked)).toEqual(both)
    for (const asked of ['text=nix', 'clip=h', 'episode=E2', 'asOf=7']) expect(await found(asked)).toEqual([])
    expect(await found('limit=1')).toEqual(both.slice(0, 1))
    expect((await get(`${url}/findings?limit=2`)).body.findings[1]).toMatchObject({
      episodeTitle: 'The first',
      clipTitle: 'A gurgle',
      link: 'https://media.example/episode/E1.mp3#t=1754.2',
    })
    expect(await get(`${url}/findings?episode=%20E`)).toMatchObject({
      status: 400,
      body: { path: 'episode' },
    })
  })

  it('X3: the timeline of an episode, as JSON or a picture', async () => {
    const { get } = await withLog()
    const path = `${url}/episodes/E1/timeline`
    const json = await get(path)
    expect(json.body).toMatchObject({ episode: 'E1', title: 'The first', duration: 3600 * second })
    expect(json.body.occurrences).toHaveLength(2)
    const svg = await get(path, { accept: 'image/svg+xml' })
    expect(svg.headers).toMatchObject({ 'content-type': 'image/svg+xml', vary: 'accept, accept-encoding' })
    expect(svg.headers['content-security-policy']).toContain("default-src 'none'")
    expect(svg.text).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
    expect(svg.text).toContain('A gurgle at 29:14.2')
    expect(await get(path, { accept: 'text/html' })).toMatchObject({
      status: 406,
      body: { code: 'no-such-format' },
    })
    expect((await get(`${path}?asOf=7`)).body.occurrences).toEqual([])
    expect(await get(`${url}/episodes/nix/timeline`)).toMatchObject({
      status: 404,
      body: { code: 'no-such-episode', detail: 'nothing is known of the episode nix' },
    })
    expect((await get(`${path}?asOf=2020-01-01T00:00:00Z`)).status).toBe(404)
  })

  it('X9, X10: a pair whole, also what was not found, as of then', async () => {
    const { get } = await withLog()
    const pair = (asked: string) => get(`${url}/pair?${asked}`)
    expect((await pair('episode=E1&clip=h')).body).toMatchObject({
      researched: true,
      results: [{ matches: [], bestScore: 0.31, counts: true, researcher: 'ada' }],
    })
    expect((await pair('episode=E1&clip=k')).body).toMatchObject({ researched: false, results: [] })
    expect((await pair('episode=E1&clip=h&asOf=8')).body).toMatchObject({ researched: false })
    expect((await pair('episode=E2&clip=nix')).body.results).toHaveLength(1)
    for (const [asked, code] of [
      ['episode=E9&clip=g', 'no-such-episode'],
      ['episode=E1&clip=z', 'no-such-clip'],
    ] as const)
      expect(await pair(asked)).toMatchObject({ status: 404, body: { code } })
    expect(await pair('episode=E1')).toMatchObject({ status: 400, body: { path: 'clip' } })
  })

  it('are asked again where no views are', async () => {
    const { get, post } = await startServer()
    for (const path of [
      'progress',
      'episodes',
      'findings',
      'anomalies',
      'episodes/E/timeline',
      'pair?episode=E&clip=c',
    ])
      expect(await get(`${url}/${path}`)).toMatchObject({ status: 503, body: { code: 'view-not-ready' } })
    expect(await post(`${url}/items/take`, { researcher: 'ada' })).toMatchObject({ status: 503 })
  })
})

describe('X4: what is next', () => {
  it('is told with why; of an episode, of a pair', async () => {
    const { get } = await withLog()
    const next = (await get(`${url}/next`)).body
    // E2 has failed too often, k is leased.
    expect(next).toMatchObject({
      upcoming: [],
      nothing: expect.stringContaining('nothing can be handed out'),
    })
    expect((await get(`${url}/next?episode=E2`)).body.episode).toMatchObject({
      reasons: [{ kind: 'parked' }],
      says: [expect.stringContaining('came to nothing too often')],
    })
    expect((await get(`${url}/next?episode=E1&clip=k`)).body.pair).toMatchObject({
      reasons: [{ kind: 'leased', lease: 'L1' }],
    })
    const unknown = (await get(`${url}/next?episode=E9&clip=k`)).body
    expect(unknown.episode.reasons).toEqual([{ kind: 'unknown' }])
    expect(unknown).not.toHaveProperty('pair')
    expect(await get(`${url}/next?clip=k`)).toMatchObject({ status: 400, body: { code: 'incomplete' } })
    expect(await get(`${url}/next?count=0`)).toMatchObject({ status: 400, body: { path: 'count' } })
  })

  it('is told by a scheduler state that is kept and brought up to date, to many at once', async () => {
    const { get, system } = await withLog()
    const loads: string[] = []
    const { load } = system.snapshots
    Object.assign(system.snapshots, {
      load: (name: string) => {
        loads.push(name)
        return load.call(system.snapshots, name)
      },
    })
    const more = programme()
    const before = more.events.length
    more.episode('E3')
    const answers = Promise.all(Array.from({ length: 5 }, () => get(`${url}/next`)))
    for (const { body } of await answers) expect(body.upcoming).toEqual([])
    await writeLog(system, { events: more.events.slice(before) })
    const upcoming = [{ episode: 'E3', clips: ['k', 'h', 'g'] }]
    for (const { body } of await Promise.all([get(`${url}/next`), get(`${url}/next?count=1`)]))
      expect(body).toMatchObject({ upcoming, episode: { reasons: [{ kind: 'next' }] } })
    expect(loads).toEqual(['research-assigner'])
  })
})

describe('X4: what was next', () => {
  it('at a position, at a time; the scheduler state of now is not moved by it', async () => {
    const { get } = await withLog()
    const next = async (asked: string) => (await get(`${url}/next?${asked}`)).body
    const clips = ['k', 'h', 'g']
    const both = [
      { episode: 'E2', clips },
      { episode: 'E1', clips },
    ]
    const { events } = (await get('/api/v1/events')).body
    const event = events.find(({ position }: { position: string }) => position === '5')
    const then = await next(`asOf=${event.position}`)
    expect(then).toMatchObject({ at: event.recordedAt, upcoming: both, capacity: { queued: 0 } })
    expect((await next(`asOf=${event.position}&count=1`)).upcoming).toEqual(both.slice(0, 1))
    expect((await next('asOf=1')).nothing).toContain('nobody has curated a clip yet')
    expect(await next('asOf=2020-01-01T00:00:00Z')).toMatchObject({
      at: '2020-01-01T00:00:00.000Z',
      nothing: expect.stringContaining('nobody has curated an episode yet'),
    })
    // Events of that millisecond are all in.
    const last = events.findLast(({ recordedAt }: { recordedAt: string }) => recordedAt === event.recordedAt)
    expect(await next(`asOf=${encodeURIComponent(event.recordedAt)}`)).toEqual(
      await next(`asOf=${last.position}`),
    )
    expect((await next('asOf=7&episode=E1&clip=g')).pair.reasons).toMatchObject([{ kind: 'leased' }])
    expect((await next('asOf=6&episode=E1&clip=g')).pair.reasons).toMatchObject([{ kind: 'open' }])
    expect((await next('')).upcoming).toEqual([])
    expect((await next('asOf=2999-01-02T00:00:00Z')).upcoming).toEqual([{ episode: 'E1', clips: ['k'] }])
    expect(await get(`${url}/next?asOf=noon`)).toMatchObject({ status: 400, body: { path: 'asOf' } })
  })

  it('is one of few questions about the past at once, be they to views or to the scheduler state', async () => {
    const gate = Promise.withResolvers<void>()
    let reading = 0
    const { get } = await startServer({
      keepsHistory: true,
      replace: ({ eventStore }) => ({
        eventStore: {
          ...eventStore,
          readAll:
            (...question) =>
            async () => {
              reading++
              await gate.promise
              return eventStore.readAll(...question)()
            },
        },
      }),
    })
    const two = ['next', 'progress'].map((question) => get(`${url}/${question}?asOf=5`))
    await vi.waitUntil(() => reading === 2)
    for (const question of ['next', 'progress'])
      expect(await get(`${url}/${question}?asOf=5`)).toMatchObject({ status: 503, body: { code: 'busy' } })
    gate.resolve()
    expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200])
    expect((await get(`${url}/next?asOf=5`)).status).toBe(200)
  })
})

it('the first page leads to answers', async () => {
  const { get } = await withLog()
  const links = [...(await get('/')).text.matchAll(/href="(\/api\/v1\/research\/[^"]+)"/g)].map(
    ([, to]) => to!,
  )
  expect(links.length).toBeGreaterThan(4)
  for (const to of links) expect((await get(to)).status, to).toBe(200)
})
