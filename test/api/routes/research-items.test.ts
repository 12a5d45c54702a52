import { describe, expect, it } from 'vitest'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { clipsTopic, episodesTopic } from '#src/domain/research/curation-messages.ts'
import { researchersTopic } from '#src/domain/research/researcher-messages.ts'
import { resultsTopic } from '#src/domain/research/result-messages.ts'
import { research } from '#src/projections/research/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { writeLog } from '../../fakes/matching-log.ts'
import { later, programme } from '../../fakes/research-programme.ts'
import { researchLog, second } from '../../projections/research/log.ts'
import { startServer } from '../server.ts'

const url = '/api/v1/research'

describe('X6: an item for whoever asks', () => {
  const working = async () => {
    const server = await startServer({ roles: ['processors', 'reactions', 'projections'] })
    const { system } = server
    const source = 'fonds://test'
    const curated = (id: string) => ({
      id,
      title: id,
      mediaUri: `https://media.example/${id}.mp3`,
      mediaType: 'audio/mpeg',
      curator: 'feed',
      curatedAt: '2026-01-01T00:00:00.000Z',
    })
    const rest = () => waitUntilIdle(system)
    const say = async (topic: Parameters<typeof reportOnTopic>[1], type: string, ...all: object[]) => {
      await reportOnTopic(
        system,
        topic,
        source,
        all.map((data) => ({ type, data })),
      )
      await rest()
    }
    const at = system.clock.now()
    await say(researchersTopic, 'researcher.registered', { researcher: 'ada', at }, { researcher: 'bob', at })
    await say(clipsTopic, 'clip.curated', curated('g'))
    await say(episodesTopic, 'episode.curated', curated('E1'), curated('E2'), curated('E3'), curated('E4'))
    const take = (researcher: string, key?: string) =>
      server.post(`${url}/items/take`, { researcher }, key === undefined ? {} : { 'idempotency-key': key })
    return { ...server, say, rest, take, curated }
  }

  it('is the oldest that waits; no two get the same, and with nothing left nobody gets any', async () => {
    const { take, rest } = await working()
    const both = await Promise.all([take('ada'), take('bob')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(both.map(({ body }) => body.lease)).size).toBe(2)
    expect(both[0]!.body).toMatchObject({
      episode: { id: expect.stringMatching(/^E/), mediaUri: expect.stringContaining('https://') },
      clips: [{ id: 'g', title: 'g' }],
    })
    expect(both[0]!.body.notAfter < both[0]!.body.deadline).toBe(true)
    await rest()
    const others = [await take('ada'), await take('bob')]
    const all = [...both, ...others].map(({ body }) => body.episode.id)
    expect(all.sort()).toEqual(['E1', 'E2', 'E3', 'E4'])
    await rest()
    expect(await take('ada')).toMatchObject({
      status: 404,
      body: { code: 'no-item', detail: 'there is no item for ada now; ask again in a while' },
    })
  })

  it('is none for who is blocked or draining; wrong bodies are refused', async () => {
    const { take, post, say, rest, system } = await working()
    await post('/api/v1/commands/research.block', {
      input: { researcher: 'ada' },
      actor: 'eve',
      reason: 'odd',
    })
    await say(researchersTopic, 'researcher.draining', { researcher: 'bob', at: system.clock.now() })
    await rest()
    expect((await take('ada')).status).toBe(404)
    expect((await take('bob')).status).toBe(404)
    expect((await take('eve')).status).toBe(200)
    for (const body of [{}, { researcher: '' }, { researcher: ' a' }, []])
      expect((await post(`${url}/items/take`, body)).status).toBe(400)
  })

  it('X5: that a blocked researcher has from the topic is refused to it, and left to others', async () => {
    const { take, get, post, rest, system } = await working()
    const input = { researcher: 'ada' }
    await post('/api/v1/commands/research.block', { input, actor: 'eve', reason: 'odd' })
    await rest()
    const { lease, episode } = (await get(`${url}/leases`)).body.leases.at(-1)
    const data = { lease, episode, researcher: 'ada', takenAt: system.clock.now() }
    await reportOnTopic(system, resultsTopic, 'urn:ada', [{ id: 'm1', type: 'item.taken', data }])
    await rest()
    const rejected = { code: 'blocked', stream: `episode-${episode}`, details: { lease, researcher: 'ada' } }
    expect((await get('/api/v1/messages/m1/outcome')).body).toMatchObject({
      detail: expect.stringMatching(/^rejected: ada is blocked.*research\.unblock/),
      outcomes: [{ kind: 'rejected', processor: 'research-results', ...rejected }],
    })
    expect((await get('/api/v1/views/rejections')).body.rows).toMatchObject([{ message: 'm1', ...rejected }])
    const { body } = await get(`${url}/leases`)
    expect(body.leases).toContainEqual(expect.objectContaining({ lease, state: 'waiting' }))
    const others = [await take('bob'), await take('bob'), await take('bob'), await take('bob')]
    expect(others.map(({ body }) => body.lease)).toContain(lease)
  })

  it('of an episode that was withdrawn since is none', async () => {
    const { take, say } = await working()
    const withdrawn = ['E1', 'E2', 'E3', 'E4'].map((id) => ({
      id,
      curator: 'feed',
      withdrawnAt: '2026-02-01T00:00:00.000Z',
    }))
    await say(episodesTopic, 'episode.withdrawn', ...withdrawn)
    expect((await take('ada', 'k1')).status).toBe(404)
    expect((await take('ada')).status).toBe(404)
  })

  it('is done by results on the topic', async () => {
    const { take, say, get } = await working()
    const { lease, episode } = (await take('ada')).body
    await say(resultsTopic, 'clip.researched', {
      lease,
      episode: episode.id,
      clip: 'g',
      researcher: 'ada',
      matches: [],
      episodeDuration: 60 * second,
      clipDuration: second,
      engine: { name: 'ears', version: '1', settings: '' },
      researchedAt: '2026-01-02T00:00:00.000Z',
      final: true,
    })
    expect((await get(`${url}/progress`)).body).toMatchObject({ researched: 1, episodesDone: 1 })
    expect((await get(`${url}/anomalies`)).body).toEqual({ anomalies: [] })
  })

  it('is another one each time, however soon one researcher asks again', async () => {
    const { get, post, system } = await startServer()
    const log = researchLog()
    for (const id of ['E1', 'E2']) log.episode(id)
    log.clip('g')
    for (const id of ['E1', 'E2']) log.lease(id, `L-${id}`, ['g'], { deadline: later, notAfter: later })
    await writeLog(system, log)
    await catchUp({ ...system, projections: [research] })
    // Nobody folds from here on.
    const take = async () => (await post(`${url}/items/take`, { researcher: 'ada' })).body
    const both = await Promise.all([take(), take()])
    expect(both.map(({ lease }) => lease).sort()).toEqual(['L-E1', 'L-E2'])
    expect(await take()).toMatchObject({ code: 'no-item' })
    expect((await get(`${url}/leases`)).body.leases).toHaveLength(2)
  })

  it('is the same one, where the wish has the same key: an answer that was lost costs nothing', async () => {
    const { take, rest } = await working()
    const [lost, ...others] = await Promise.all([take('ada', 'k1'), take('ada', 'k2'), take('bob', 'k1')])
    const again = await take('ada', 'k1')
    expect(again.body).toEqual(lost.body)
    await rest()
    expect((await take('ada', 'k1')).body.lease).toBe(lost.body.lease)
    const all = [lost, ...others, await take('ada', 'k3')].map(({ body }) => body.lease)
    expect(new Set(all).size).toBe(4)
    expect(await take('ada', 'a b')).toMatchObject({ status: 400, body: { path: 'idempotency-key' } })
  })

  it('with a key waits for views: without them the item of before could not be found', async () => {
    const { post, system } = await startServer({ options: { patienceMillis: 30 } })
    await catchUp({ ...system, projections: [research] })
    await writeLog(system, programme())
    const take = (headers = {}) => post(`${url}/items/take`, { researcher: 'ada' }, headers)
    const answer = await take({ 'idempotency-key': 'k1' })
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'view-behind', detail: expect.stringContaining('role projections') },
    })
    expect((await take()).status).toBe(404)
  })
})
