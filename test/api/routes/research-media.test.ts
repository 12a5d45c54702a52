import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tone, wav } from '../../../packages/sound/test/decode/tones.ts'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import { episodesTopic } from '../../../src/domain/research/curation-messages.ts'
import { reportOnTopic } from '../../../src/workers/runtime/report-on-topic.ts'
import { temporaryFolder } from '../../workers/indexing/temporary-folder.ts'
import { startMediaServer, status } from '../../workers/research/media/media-server.ts'
import { startServer } from '../server.ts'

const sound = wav(8000, [tone(8000, 1, 440)])

/** A server that knows these episodes by where their media are. */
const knowing = async (
  uris: Readonly<Record<string, string>>,
  settings: Parameters<typeof startServer>[0] = {},
) => {
  const server = await startServer({ roles: ['processors', 'reactions', 'projections'], ...settings })
  const { system } = server
  const [{ example }] = episodesTopic.messages
  const known = Object.entries(uris).map(([id, mediaUri]) => ({ ...example, id, mediaUri }))
  await reportOnTopic(
    system,
    episodesTopic,
    'test',
    known.map((data) => ({ type: 'episode.curated', data })),
  )
  await waitUntilIdle(system)
  return server
}

const write = (name: string, bytes: string | Uint8Array): { folder: string; uri: string } => {
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), bytes)
  return { folder, uri: pathToFileURL(join(folder, name)).href }
}

describe('the sound of an episode', () => {
  it('is served whole, and in the ranges that a player asks for', async () => {
    const { get } = await knowing({ show: write('show.wav', sound).uri })
    const url = '/api/v1/research/episodes/show/media'
    expect(await get(url)).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'audio/wav',
        'content-length': String(sound.length),
        'accept-ranges': 'bytes',
      },
    })
    expect(await get(url, { range: 'bytes=0-3' })).toMatchObject({
      status: 206,
      text: 'RIFF',
      headers: { 'content-range': `bytes 0-3/${sound.length}`, 'content-length': '4' },
    })
    expect(await get(url, { range: `bytes=${sound.length}-` })).toMatchObject({ status: 416, text: '' })
  })

  it('is of what is known alone, and of sound alone, whatever a curator names', async () => {
    const secret = write('passwd', 'root:x:0:0:root:/root:/bin/bash\n').uri
    const { get } = await knowing({
      secret,
      gone: 'file:///not/there.wav',
    })
    const answer = async (id: string) => {
      const { status, body } = await get(`/api/v1/research/episodes/${id}/media`)
      return [status, body.code]
    }
    expect(await answer('other')).toEqual([404, 'no-such-episode'])
    expect(await answer('secret')).toEqual([404, 'unreadable-media'])
    expect(await answer('gone')).toEqual([404, 'unreadable-media'])
  })

  it('is passed on from another server, where researchers may ask it', async () => {
    const media = await startMediaServer()
    onTestFinished(media.close)
    media.script((_, response) => response.writeHead(200, { 'content-length': sound.length }).end(sound))
    const settings = { mediaHosts: '127.0.0.1' }
    const { get } = await knowing({ near: media.uri, far: 'https://radio.example/1.mp3' }, { settings })
    expect(await get('/api/v1/research/episodes/near/media')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'audio/wav', 'content-length': String(sound.length) },
    })
    expect(await get('/api/v1/research/episodes/far/media')).toMatchObject({
      status: 404,
      body: { code: 'unreadable-media', detail: expect.stringContaining('FONDS_MEDIA_HOSTS') },
    })
    media.script(status(503))
    expect(await get('/api/v1/research/episodes/near/media')).toMatchObject({
      status: 502,
      body: { code: 'media-server' },
    })
  })

  it('is of files that researchers may read alone', async () => {
    const { uri } = write('show.wav', sound)
    const { folder } = write('other.wav', sound)
    const { get } = await knowing({ show: uri }, { settings: { mediaFolders: folder } })
    expect(await get('/api/v1/research/episodes/show/media')).toMatchObject({
      status: 404,
      body: { code: 'unreadable-media', detail: expect.stringContaining('not in a folder that may be read') },
    })
  })

  it('is for who may read', async () => {
    const settings = { token: 'correct horse battery' }
    const { app } = await knowing({ show: write('show.wav', sound).uri }, { settings })
    expect((await app.inject('/api/v1/research/episodes/show/media')).statusCode).toBe(401)
  })
})

describe('an upload of a clip', () => {
  const put = async (server: Awaited<ReturnType<typeof knowing>>, clip: string, payload: Buffer | string) =>
    server.request({
      method: 'PUT',
      url: `/api/v1/research/clips/${clip}/media?curator=ada&title=A%20gurgle`,
      payload,
      headers: { 'content-type': 'application/octet-stream' },
    })
  const kept = ({ system }: Awaited<ReturnType<typeof knowing>>) => {
    const folder = join(system.config.home, 'clips')
    return readdirSync(folder)
  }

  it('is kept, curated and served; the same again changes nothing', async () => {
    const { folder } = write('other.wav', sound)
    const server = await knowing({}, { settings: { mediaFolders: folder } })
    const { body, status } = await put(server, 'gurgle', sound)
    expect(status).toBe(202)
    expect(body).toMatchObject({ clip: 'gurgle', mediaType: 'audio/wav', bytes: sound.length })
    await waitUntilIdle(server.system)
    const { body: events } = await server.get('/api/v1/streams/clip-gurgle')
    expect(events.events).toMatchObject([
      { type: 'Curated', data: { title: 'A gurgle', curator: 'ada', mediaUri: body.mediaUri } },
    ])
    expect(await server.get('/api/v1/research/clips/gurgle/media', { range: 'bytes=0-3' })).toMatchObject({
      status: 206,
      text: 'RIFF',
    })
    expect((await put(server, 'gurgle', sound)).status).toBe(202)
    await waitUntilIdle(server.system)
    expect((await server.get('/api/v1/streams/clip-gurgle')).body.events).toHaveLength(1)
    expect(kept(server)).toEqual([`${body.sha256}.wav`])
  })

  it('of what is no sound, or under an id that has other sound, is refused, and nothing is left of it', async () => {
    const server = await knowing({})
    expect(await put(server, 'gurgle', '<html>')).toMatchObject({
      status: 400,
      body: { code: 'no-sound', detail: expect.stringContaining('web page') },
    })
    expect(kept(server)).toEqual([])
    await put(server, 'gurgle', sound)
    await waitUntilIdle(server.system)
    expect(await put(server, 'gurgle', wav(8000, [tone(8000, 1, 220)]))).toMatchObject({
      status: 409,
      body: { code: 'known-clip' },
    })
    expect(kept(server)).toHaveLength(1)
  })

  it('needs a token that may write, where one is set', async () => {
    const settings = { token: 'correct horse battery', readToken: 'only looking at it' }
    const { app } = await knowing({}, { settings })
    const asked = {
      method: 'PUT',
      url: '/api/v1/research/clips/a/media?curator=ada',
      payload: sound,
    } as const
    const headers = { 'content-type': 'audio/wav', authorization: 'Bearer only looking at it' }
    expect((await app.inject({ ...asked, headers })).statusCode).toBe(403)
  })
})
