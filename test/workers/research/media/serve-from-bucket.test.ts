import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { isLeft } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import { openedOnce } from '#src/workers/buckets/bucket-file.ts'
import { serveMedia } from '#src/workers/research/media/serve-media.ts'
import { tone, wav } from '../../../../packages/sound/test/decode/tones.ts'
import { failing, type S3Server, seedObject, slowDown, startS3 } from '../../../fakes/s3-server.ts'

const sound = wav(8000, [tone(8000, 10, 440)])
const other = wav(8000, [tone(8000, 9, 880)])
const uri = 's3://bucket/shows/a #1.wav'

let server: S3Server
let openBucket: ReturnType<typeof openedOnce>
beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  server = await startS3()
  onTestFinished(server.close)
  seedObject(server.bucket('bucket'), 'shows/a #1.wav', sound)
  const s3 = { endpoint: server.endpoint, region: 'us-east-1', attempts: 1 }
  openBucket = openedOnce((root) => openContent(root, { s3 }))
})

interface Asked {
  readonly at?: string
  readonly method?: string
  readonly buckets?: readonly string[]
}

const ask = async (headers: IncomingHttpHeaders = {}, { at = uri, method = 'GET', buckets }: Asked = {}) => {
  const source = { openBucket, isForeign: false, stallMillis: 60_000, signal: new AbortController().signal }
  const served = await serveMedia(at, { method, headers }, { ...source, ...(buckets && { buckets }) })
  if (isLeft(served)) return served.left
  const { body, ...answer } = served.right
  return { ...answer, bytes: await buffer(body) }
}

describe('sound of a bucket', () => {
  it('is served whole, and in the ranges that a player asks for', async () => {
    const whole = await ask()
    expect(whole).toMatchObject({
      status: 200,
      contentType: 'audio/wav',
      headers: { 'content-length': String(sound.length), 'accept-ranges': 'bytes' },
      bytes: sound,
    })
    server.forgetCounts()
    expect(await ask({ range: 'bytes=1000-1999' })).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes 1000-1999/${sound.length}`, 'content-length': '1000' },
      bytes: sound.subarray(1000, 2000),
    })
    // What kind of sound it is is known of this version.
    expect([server.count('HeadObject'), server.count('GetObject')]).toEqual([1, 1])
    expect(await ask({}, { method: 'HEAD' })).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
    expect(await ask({ range: `bytes=${sound.length}-` })).toMatchObject({ status: 416 })
    const { etag = '' } = (whole as { headers: Record<string, string> }).headers
    expect(await ask({ 'if-none-match': etag })).toMatchObject({ status: 304 })
    seedObject(server.bucket('bucket'), 'shows/a #1.wav', other)
    expect(await ask({ 'if-match': etag })).toMatchObject({ status: 412 })
    expect(await ask()).toMatchObject({ bytes: other })
  })

  it('breaks off where it was overwritten meanwhile: an answer is of one version', async () => {
    await ask()
    server.beforeEach(({ kind }) => {
      if (kind === 'GetObject') seedObject(server.bucket('bucket'), 'shows/a #1.wav', other)
      return undefined
    })
    await expect(ask()).rejects.toThrow(`${uri} changed meanwhile`)
  })

  it('is sound alone, that is there and may be read', async () => {
    seedObject(server.bucket('bucket'), 'passwd.wav', 'root:x:0:0:root:/root:/bin/bash\n')
    seedObject(server.bucket('bucket'), 'cold.wav', sound, { storageClass: 'GLACIER' })
    const unreadable = (message: RegExp) => ({
      code: 'unreadable-media',
      message: expect.stringMatching(message),
    })
    expect(await ask({}, { at: 's3://bucket/passwd.wav' })).toEqual(unreadable(/passwd.wav is /))
    expect(await ask({}, { at: 's3://bucket/none.wav' })).toEqual(unreadable(/is not there/))
    expect(await ask({}, { at: 's3://bucket/cold.wav' })).toEqual(unreadable(/is archived/))
    expect(await ask({}, { buckets: ['s3://bucket/shows'] })).toMatchObject({ status: 200 })
    server.forgetCounts()
    expect(await ask({}, { buckets: ['s3://bucket/show'] })).toEqual(unreadable(/FONDS_MEDIA_FOLDERS/))
    expect([...server.counts]).toEqual([])
  })

  it.each([
    ['is in trouble', slowDown],
    ['refuses the keys', failing(403, 'AccessDenied', 'Access Denied')],
  ])('of a server that %s is not given now', async (_, fault) => {
    server.beforeEach(() => fault)
    expect(await ask()).toMatchObject({ code: 'media-server', message: expect.stringContaining(uri) })
  })
})
