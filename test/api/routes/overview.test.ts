import { expect, it, vi } from 'vitest'
import { livePosition } from '../../../src/async/caught-up.ts'
import { startServer } from '../server.ts'

/** As archives hold them, and files that were indexed and that failed. */
const withWork = async () => {
  const server = await startServer({ roles: ['projections'] })
  const { eventStore, viewStore } = server.system
  const metadata = { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 }
  const at = '2026-01-31T12:00:00.000Z'
  const add = async (stream: string, n: number, type: string, data: object) => {
    const id = `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
    const appended = await eventStore.append(stream, 'any', [{ id, type, data, metadata } as never])()
    expect(appended._tag).toBe('Right')
  }
  const place = { location: '/srv/a.warc.gz', size: 1, modifiedAt: at, kind: 'content', at, dueAt: at }
  await add('indexing-main/a.warc.gz', 1, 'FileDiscovered', place)
  await add('indexing-main/b.warc.gz', 2, 'FileDiscovered', { ...place, location: '/srv/b.warc.gz' })
  const indexed = { fence: 1, lines: 3, digest: 'e3'.repeat(32), size: 1, modifiedAt: at, warnings: [], at }
  await add('indexing-main/a.warc.gz', 3, 'FileIndexed', indexed)
  await add('indexing-main/b.warc.gz', 4, 'IndexingFailed', {
    ...{ failures: 1, code: 'corrupt', reason: 'a member is damaged', dueAt: at, at },
  })
  const folded = async (position: bigint) => {
    for (const name of ['log-index', 'indexing', 'indexing-activity'])
      await vi.waitUntil(() => livePosition(viewStore, name) >= position)
  }
  const { events } = (await server.get('/api/v1/events?category=indexing')).body
  const last = events.at(-1) as { position: string; recordedAt: string }
  await folded(BigInt(last.position))
  return { ...server, add, last, folded }
}

const laneOf = (body: { lanes: readonly { workflow: string }[] }, workflow: string) =>
  body.lanes.find((lane) => lane.workflow === workflow)

it('what ran of late is told by workflow, with what went wrong and how much waits for a person', async () => {
  const { get, last } = await withWork()
  const { status, body } = await get('/api/v1/overview')
  expect(status).toBe(200)
  expect(body.lanes.map(({ workflow }: { workflow: string }) => workflow)).toEqual([
    'fixity',
    'indexing',
    'ingest',
    'matching',
    'research',
  ])
  expect(laneOf(body, 'indexing')).toMatchObject({
    counts: ['file', 'files'],
    isCounted: true,
    runs: [{ until: last.recordedAt, done: 1, wrong: 1, odd: 0 }],
    marks: [{ at: last.recordedAt, wrong: 1, odd: 0 }],
    underWay: [],
  })
  const { days } = laneOf(body, 'indexing') as unknown as { days: readonly object[] }
  expect(days).toHaveLength(30)
  expect(days.at(-1)).toEqual({ day: last.recordedAt.slice(0, 10), done: 1, wrong: 1, odd: 0 })
  expect(laneOf(body, 'research')).toMatchObject({ runs: [], marks: [], underWay: [] })

  const { body: waits } = await get('/api/v1/overview/needs')
  expect(waits.messages).toBe(0)
  expect(waits.needs).toEqual([
    { workflow: 'fixity', needs: 0 },
    { workflow: 'indexing', needs: 1 },
    { workflow: 'ingest', needs: 0 },
    { workflow: 'matching', needs: 0 },
    { workflow: 'research', needs: 0 },
  ])
})

it('a span is given in hours and days, and what is no number names the parameter', async () => {
  const { get } = await startServer({ roles: ['projections'] })
  const { body } = await get('/api/v1/overview?hours=2&days=1')
  expect(Date.parse(body.at) - Date.parse(body.since)).toBe(2 * 3600 * 1000)
  expect(body.lanes[0].days).toHaveLength(1)
  expect(await get('/api/v1/overview?hours=73')).toMatchObject({ status: 400, body: { path: 'hours' } })
  expect(await get('/api/v1/overview?days=0')).toMatchObject({ status: 400, body: { path: 'days' } })
})

it('as of a moment what came later is left out, and nothing is under way', async () => {
  const { get, last } = await withWork()
  await vi.waitUntil(() => Date.now() > Date.parse(last.recordedAt) + 5)
  const { body } = await get(`/api/v1/overview?asOf=${last.position}`)
  expect(body.at).toBe(last.recordedAt)
  expect(laneOf(body, 'indexing')).toMatchObject({ runs: [{ done: 1, wrong: 1 }], underWay: null })
  const earlier = new Date(Date.parse(last.recordedAt) - 3600_000).toISOString()
  const { body: before } = await get(`/api/v1/overview?asOf=${earlier}`)
  expect(laneOf(before, 'indexing')).toMatchObject({ runs: [], marks: [], underWay: null })
})

it('views that are not folded yet are not known, and are never told as nothing to do', async () => {
  const { get } = await startServer()
  const { status, body } = await get('/api/v1/overview/needs')
  expect(status).toBe(200)
  expect(body.messages).toBe(null)
  expect(new Set(body.needs.map(({ needs }: { needs: number | null }) => needs))).toEqual(new Set([null]))
  const { body: overview } = await get('/api/v1/overview')
  for (const lane of overview.lanes) expect(lane).toMatchObject({ isCounted: false, underWay: null })
})
