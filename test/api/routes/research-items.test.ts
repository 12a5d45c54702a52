import { describe, expect, it } from 'vitest'
import { clipsTopic, episodesTopic } from '#src/domain/research/curation-messages.ts'
import { researchersTopic } from '#src/domain/research/researcher-messages.ts'
import { resultsTopic } from '#src/domain/research/result-messages.ts'
import { reportOnTopic } from '#src/system/report-on-topic.ts'
import { settle } from '#src/system/settle.ts'
import { second } from '../../projections/research/log.ts'
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
    const rest = () => settle(system)
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
    const take = (researcher: string) => server.post(`${url}/items/take`, { researcher })
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

  it('of an episode that was withdrawn since is none', async () => {
    const { take, say } = await working()
    const withdrawn = ['E1', 'E2', 'E3', 'E4'].map((id) => ({
      id,
      curator: 'feed',
      withdrawnAt: '2026-02-01T00:00:00.000Z',
    }))
    await say(episodesTopic, 'episode.withdrawn', ...withdrawn)
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
})
