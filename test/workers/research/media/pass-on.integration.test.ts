import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tone, wav } from '../../../../packages/sound/test/decode/tones.ts'
import { fileAnswer } from '../../../../src/workers/http/serving/file-answer.ts'
import { serveMedia } from '../../../../src/workers/research/media/serve-media.ts'
import { noBuckets } from '../../buckets/no-buckets.ts'
import { type Answer, startMediaServer, status } from './media-server.ts'

const sound = wav(8000, [tone(8000, 10, 440)])

/** As a good server does, whatever range and condition is asked for. */
const offer =
  (bytes: Buffer, tag = '"v1"', more: Readonly<Record<string, string>> = {}): Answer =>
  ({ headers }, response) => {
    const file = { size: bytes.length, modifiedAt: new Date('2026-01-01T00:00:00Z'), tag }
    const { range, ...answer } = fileAnswer(headers, file)
    response.writeHead(answer.status, { ...answer.headers, ...more })
    response.end(range && bytes.subarray(range.from, range.to + 1))
  }

const withServer = async (...answers: Answer[]) => {
  const server = await startMediaServer()
  onTestFinished(server.close)
  server.script(...answers)
  const ask = (headers: IncomingHttpHeaders = {}, settings: { method?: string; hosts?: string[] } = {}) => {
    const { method = 'GET', hosts } = settings
    const { signal } = new AbortController()
    const source = {
      ...(hosts && { hosts }),
      openBucket: noBuckets,
      isForeign: false,
      stallMillis: 2000,
      signal,
    }
    return serveMedia(server.uri, { method, headers }, source)
  }
  const heard = async (headers: IncomingHttpHeaders = {}, method = 'GET') => {
    const served = await ask(headers, { method })
    if (isLeft(served)) throw new Error(served.left.message)
    const { body, ...answer } = served.right
    return { ...answer, bytes: await buffer(body) }
  }
  const refused = async (hosts?: string[]) => {
    const served = await ask({}, hosts ? { hosts } : {})
    if (isRight(served)) throw new Error('it was passed on')
    return served.left
  }
  return { server, ask, heard, refused }
}

describe('sound of another server', () => {
  it('is passed on whole, and in the ranges that a player asks for', async () => {
    const { heard } = await withServer(offer(sound))
    const whole = await heard()
    expect(whole).toMatchObject({
      status: 200,
      contentType: 'audio/wav',
      headers: { 'content-length': String(sound.length), 'accept-ranges': 'bytes', etag: '"v1"' },
    })
    expect(whole.bytes.equals(sound)).toBe(true)
    const part = await heard({ range: 'bytes=1000-1999' })
    expect(part).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes 1000-1999/${sound.length}`, 'content-length': '1000' },
    })
    expect(part.bytes.equals(sound.subarray(1000, 2000))).toBe(true)
    expect(await heard({ range: `bytes=${sound.length}-` })).toMatchObject({
      status: 416,
      headers: { 'content-range': `bytes */${sound.length}` },
    })
    expect(await heard({ 'if-none-match': '"v1"' })).toMatchObject({ status: 304 })
    expect((await heard({}, 'HEAD')).bytes).toHaveLength(0)
  })

  it('is looked at once for what its server says of it, and again when that changes', async () => {
    const { server, heard } = await withServer(offer(sound, '"looked-at-once"'))
    await heard({ range: 'bytes=0-3' })
    expect(server.asked).toEqual(['GET bytes=0-3', 'GET bytes=0-65535'])
    await heard({ range: 'bytes=4-7' })
    expect(server.asked.slice(2)).toEqual(['GET bytes=4-7'])
    server.script(offer(Buffer.from('{"secret": 1}'), '"another"'))
    await expect(heard({ range: 'bytes=4-7' })).rejects.toThrow('is JSON')
  })

  it('comes whole from a server that knows no ranges', async () => {
    const { heard } = await withServer((_, response) =>
      response.writeHead(200, { 'content-length': sound.length }).end(sound),
    )
    const { status, bytes, headers } = await heard({ range: 'bytes=1000-1999' })
    expect([status, bytes.length]).toEqual([200, sound.length])
    expect(headers).not.toHaveProperty('accept-ranges')
  })

  it('is not what is no sound, of any range of it, nor what comes compressed', async () => {
    const { server, ask, refused } = await withServer(offer(Buffer.from('{"secret": 1}'), '"json"'))
    expect(await ask({ range: 'bytes=5-' })).toMatchObject({ _tag: 'Left' })
    expect(await refused()).toEqual({ code: 'unreadable-media', message: `${server.uri} is JSON` })
    server.script(offer(sound, '"gz"', { 'content-encoding': 'gzip' }))
    expect(await refused()).toMatchObject({
      code: 'unreadable-media',
      message: expect.stringMatching('compressed'),
    })
  })

  it('is of hosts that researchers may ask alone, also where a redirect leads to another', async () => {
    const { server, refused } = await withServer(offer(sound))
    expect(await refused(['radio.example'])).toMatchObject({
      code: 'unreadable-media',
      message: expect.stringContaining('FONDS_MEDIA_HOSTS'),
    })
    expect(server.asked).toEqual([])
    server.script(status(302, { location: 'http://localhost:1/inner.mp3' }))
    expect(await refused(['127.0.0.1'])).toMatchObject({
      message: expect.stringContaining('redirects to localhost'),
    })
  })

  it('that cannot be had is told with its reason, and whether it may come later', async () => {
    const { server, refused } = await withServer(status(404))
    expect(await refused()).toMatchObject({
      code: 'unreadable-media',
      message: expect.stringContaining('404'),
    })
    server.script(status(503))
    expect(await refused()).toMatchObject({
      code: 'media-server',
      message: expect.stringContaining('try again later'),
    })
    server.script(() => {})
    expect(await refused()).toMatchObject({
      code: 'media-server',
      message: expect.stringContaining('for 2 s'),
    })
    await server.close()
    expect(await refused()).toMatchObject({ code: 'media-server' })
  })

  it('that breaks off is no whole answer', async () => {
    const { server, heard } = await withServer(offer(sound, '"breaks"'))
    await heard({ range: 'bytes=0-3' })
    server.script((_, response) => {
      response.writeHead(200, { 'content-length': sound.length, etag: '"breaks"' })
      response.write(sound.subarray(0, 1000), () => response.destroy())
    })
    await expect(heard()).rejects.toThrow('broke off')
  })

  it('takes a place of a listener until it is heard, or its listener is gone', async () => {
    const { heard } = await withServer(offer(sound, '"many"'))
    const { server } = await withServer(offer(sound, '"many"'))
    const leaving = new AbortController()
    const listen = () =>
      serveMedia(
        server.uri,
        { method: 'GET', headers: {} },
        {
          openBucket: noBuckets,
          isForeign: false,
          stallMillis: 20_000,
          signal: leaving.signal,
        },
      )
    const all = []
    for (let i = 0; i < 16; i++) all.push(await listen())
    expect(all.every(isRight)).toBe(true)
    expect(await listen()).toMatchObject({ left: { code: 'too-many-listeners' } })
    leaving.abort()
    await expect
      .poll(() =>
        heard().then(
          ({ status }) => status,
          () => undefined,
        ),
      )
      .toBe(200)
  })
})
