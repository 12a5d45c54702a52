import { v4 as uuid } from 'uuid'
import { describe, expect, it, vi } from 'vitest'
import { livePosition } from '../../../src/async/caught-up.ts'
import { startServer } from '../server.ts'

const note = (type = 'Noted') => ({
  id: uuid(),
  type,
  data: {},
  metadata: { actor: 'a', causationId: 'm', correlationId: 'c', schema: 1 },
})

interface Shown {
  readonly position: string
  readonly recordedAt: string
}

/** Twelve events, two and two of a time, of streams a and b in turn; `at`: when each was recorded. */
const withEvents = async () => {
  const server = await startServer({ roles: ['projections'] })
  const { eventStore, viewStore, clock } = server.system
  for (let i = 0; i < 6; i++) {
    await eventStore.append(`note-${i % 2 === 0 ? 'a' : 'b'}`, 'any', [note(), note('Other')])()
    const now = clock.now()
    await vi.waitUntil(() => clock.now() > now)
  }
  const { events } = (await server.get('/api/v1/events?category=note')).body as { events: Shown[] }
  expect(events).toHaveLength(12)
  const last = BigInt(events.at(-1)!.position)
  await vi.waitUntil(() => livePosition(viewStore, 'log-index') >= last)
  const at = (i: number): Shown => events[i]!
  const positions = async (url: string) =>
    ((await server.get(url)).body.events as Shown[]).map(({ position }) => position)
  return { ...server, events, at, positions }
}

/** A store of files that was registered, then told to be checked. */
const withStore = async () => {
  const server = await startServer()
  const by = { actor: 'r.vermeer', reason: 'a test' }
  const store = { store: 's', kind: 'external' }
  await server.post('/api/v1/commands/fixity.register-store', { input: store, ...by })
  await server.post('/api/v1/commands/fixity.check-store', { input: { store: 's' }, ...by })
  const positions = async (url: string) =>
    ((await server.get(url)).body.events as Shown[]).map(({ position }) => position)
  return { ...server, positions }
}

/** As a moment tells it. */
const brief = (one: Shown) => ({ position: one.position, recordedAt: one.recordedAt })
const asked = (at: string) => encodeURIComponent(at)

describe('a moment', () => {
  it('is told with its event and the neighbours of that, by position and by time, and without one is now', async () => {
    const { get, at } = await withEvents()
    const { body: now } = await get('/api/v1/events/moment')
    expect(now).toMatchObject({
      event: brief(at(11)),
      before: brief(at(10)),
      after: null,
      last: brief(at(11)),
    })
    for (const when of [at(3).position, at(3).recordedAt])
      expect((await get(`/api/v1/events/moment?at=${asked(when)}`)).body).toMatchObject({
        event: brief(at(3)),
        before: brief(at(2)),
        after: brief(at(4)),
      })
  })

  it('before the first event and behind the last has no event, or the last; what is no moment is refused', async () => {
    const { get, at } = await withEvents()
    const { body: before } = await get('/api/v1/events/moment?at=1999-01-01T00:00:00Z')
    expect(before).toMatchObject({ event: null, before: null, after: { position: before.first.position } })
    expect((await get('/api/v1/events/moment?at=99999999')).body).toMatchObject({
      event: brief(at(11)),
      after: null,
    })
    expect(await get('/api/v1/events/moment?at=yesterday')).toMatchObject({
      status: 400,
      body: { path: 'at', detail: expect.stringContaining('2026-01-31T12:00:00Z') },
    })
  })

  it('by time is not ready until the log has an index', async () => {
    const { get } = await startServer()
    for (const url of [
      '/events/moment?at=2026-01-01T00:00:00Z',
      '/events/times',
      '/events?asOf=2026-01-01T00:00:00Z',
    ])
      expect(await get(`/api/v1${url}`)).toMatchObject({ status: 503, body: { code: 'view-not-ready' } })
  })
})

describe('how much happened when', () => {
  it('adds up to the log, in no more stretches than were asked for', async () => {
    const { get } = await withEvents()
    const { body } = await get('/api/v1/events/times?stretches=3')
    expect(body.stretches.length).toBeLessThanOrEqual(3)
    const { body: log } = await get('/api/v1/events?limit=1000')
    const total = body.stretches.reduce((sum: number, { events }: { events: number }) => sum + events, 0)
    expect(total).toBe(log.events.length)
    const none = `since=${asked('1999-01-01T00:00:00+01:00')}&until=1999-01-02T00:00:00Z`
    const { body: empty } = await get(`/api/v1/events/times?${none}&stretches=5`)
    expect(empty.stretches.map(({ events }: { events: number }) => events)).toEqual([0, 0, 0, 0, 0])
  })

  it('that ends before it begins is refused', async () => {
    const { get } = await withEvents()
    expect(
      await get('/api/v1/events/times?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'),
    ).toMatchObject({ status: 400, body: { path: 'until' } })
  })
})

describe('as of a moment', () => {
  it('the log ends there, from either end', async () => {
    const { positions, at, events } = await withEvents()
    const upTo = events.slice(0, 6).map(({ position }) => position)
    for (const when of [at(5).position, at(5).recordedAt]) {
      const asOf = `category=note&asOf=${asked(when)}`
      expect(await positions(`/api/v1/events?${asOf}`)).toEqual(upTo)
      expect(await positions(`/api/v1/events?${asOf}&type=Noted&type=Other`)).toEqual(upTo)
      expect(await positions(`/api/v1/events?${asOf}&before=end`)).toEqual(upTo.toReversed())
      expect(await positions(`/api/v1/events?${asOf}&before=${at(2).position}`)).toEqual(
        upTo.slice(0, 2).toReversed(),
      )
      expect(await positions(`/api/v1/events?stream=note-a&asOf=${asked(when)}`)).toEqual(
        [0, 1, 4, 5].map((i) => at(i).position),
      )
    }
  })

  it('says that no more follow, however many came later', async () => {
    const { get, at } = await withEvents()
    const { body } = await get(`/api/v1/events?limit=4&from=${at(2).position}&asOf=${at(5).position}`)
    expect(body).toMatchObject({ events: { length: 4 }, more: false })
    expect(
      (await get(`/api/v1/events?limit=3&from=${at(2).position}&asOf=${at(5).position}`)).body.more,
    ).toBe(true)
  })

  it('a stream ends there, from either end; before its first event it has none', async () => {
    const { get, positions, at } = await withEvents()
    const ofA = [0, 1, 4, 5].map((i) => at(i).position)
    const url = `/api/v1/streams/note-a?asOf=${at(7).position}`
    expect(await positions(url)).toEqual(ofA)
    expect(await positions(`${url}&direction=backward`)).toEqual(ofA.toReversed())
    expect(await positions(`${url}&direction=backward&from=1`)).toEqual(ofA.slice(0, 2).toReversed())
    expect((await get(`${url}&limit=4`)).body.more).toBe(false)
    expect((await get(`${url}&limit=3`)).body.more).toBe(true)
    for (const direction of ['forward', 'backward'])
      expect(await get(`/api/v1/streams/note-b?direction=${direction}&asOf=${at(1).position}`)).toMatchObject(
        { status: 404, body: { detail: `note-b has no events as of position ${at(1).position}` } },
      )
  })

  it('a history ends there, from either end', async () => {
    const store = await withStore()
    const [first, second] = (await store.positions('/api/v1/history/s')) as [string, string]
    expect(await store.positions(`/api/v1/history/s?asOf=${first}`)).toEqual([first])
    expect(await store.positions(`/api/v1/history/s?before=end&asOf=${first}`)).toEqual([first])
    expect(await store.positions(`/api/v1/history/s?before=end&asOf=${second}`)).toEqual([second, first])
    expect((await store.get(`/api/v1/history/s?limit=1&asOf=${first}`)).body.more).toBe(false)
  })

  it('what an event led to is told up to there', async () => {
    const { get, positions, at } = await withEvents()
    const url = `/api/v1/events/${at(2).position}/related?asOf=${at(3).position}`
    expect(await positions(url)).toEqual([0, 1, 2, 3].map((i) => at(i).position))
    expect((await get(url)).body.isToEnd).toBe(true)
  })

  it('events of the days are those up to there', async () => {
    const { get, at } = await withEvents()
    const counted = async (asOf: string) =>
      (await get(`/api/v1/events/days?type=Noted&asOf=${asked(asOf)}`)).body.days as { events: number }[]
    for (const [i, wanted] of [
      [11, 6],
      [5, 3],
      [2, 2],
    ] as const)
      for (const when of [at(i).position, at(i).recordedAt]) {
        const total = (await counted(when)).reduce((sum, { events }) => sum + events, 0)
        expect(total, `${i} ${when}`).toBe(wanted)
      }
    expect(await counted('1999-01-01T00:00:00Z')).toEqual([])
  })
})
