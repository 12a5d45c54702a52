import { expect, it, vi } from 'vitest'
import { startServer } from '../server.ts'

/* Whoever sends messages over HTTP names files of this machine only where its settings do. */

const message = (topic: string, type: string, data: object) => ({ topic, type, data })
const name = 'a.warc'
const media = {
  title: 'An episode',
  mediaType: 'audio/mpeg',
  curator: 'ada',
  priority: 0,
  curatedAt: '2026-01-01T00:00:00Z',
}

it.each([
  message('indexing.files', 'file.sighted', { repository: 'main', name, location: '/etc/hostname' }),
  message('indexing.files', 'file.adopted', { repository: 'main', name, location: 'file:///etc/hostname' }),
  message('research.episodes', 'episode.curated', { id: 'e1', mediaUri: 'file:///etc/hostname', ...media }),
  message('research.clips', 'clip.curated', { id: 'c1', mediaUri: 'file:///etc/hostname', ...media }),
])('$type with a file of the machine is rejected, though it says that it comes from here', async (sent) => {
  const { post, get } = await startServer({ roles: ['processors'] })
  const { topic, ...event } = sent
  const body = { specversion: '1.0', id: '1', source: 'fonds://here', foreign: 'false', ...event }
  const answer = await post(`/api/v1/topics/fonds.${topic}/messages`, body, {
    'content-type': 'application/cloudevents+json',
  })
  expect(answer.status).toBe(202)
  const outcome = async () => {
    const { text } = await get('/api/v1/messages/1/outcome')
    expect(text).toMatch(
      /foreign-location.*\/etc\/hostname is a file of this machine.* unless FONDS_\w+ names its folder/,
    )
  }
  await vi.waitFor(outcome, { timeout: 20_000 })
})

it('beneath a source of ours it is taken; what is on a server is marked', async () => {
  const { system, request } = await startServer({
    settings: { indexingSources: 'main=/srv/warcs' },
    roles: ['processors'],
  })
  const payload = [
    { repository: 'main', name, location: '/srv/warcs/a.warc' },
    { repository: 'main', name: 'b.warc', location: 'http://10.0.0.1/b.warc' },
  ].map((data) => JSON.stringify({ type: 'file.sighted', data }))
  const url = '/api/v1/topics/fonds.indexing.files/messages'
  const headers = { 'content-type': 'application/x-ndjson' }
  expect((await request({ method: 'POST', url, payload: payload.join('\n'), headers })).status).toBe(202)
  const events = (stream: string) => system.eventStore.read(stream, 0n, 'forward', 10)()
  const taken = async () => {
    expect(await events('indexing-main/a.warc')).toMatchObject({
      right: [{ type: 'FileDiscovered', data: { location: '/srv/warcs/a.warc' } }],
    })
    expect(await events('indexing-main/b.warc')).toMatchObject({
      right: [{ type: 'FileDiscovered', data: { location: 'http://10.0.0.1/b.warc', foreign: true } }],
    })
  }
  await vi.waitFor(taken, { timeout: 20_000 })
})
