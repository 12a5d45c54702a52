import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import { isMachineFailure } from '#src/workers/research/outcomes.ts'
import { tone, wav } from '../../../../packages/sound/test/decode/tones.ts'
import { type S3Server, seedObject, slowDown, startS3 } from '../../../fakes/s3-server.ts'
import { otherSound, sha256, sound, useRecordings } from './recordings-world.ts'

/* Sound in buckets: `s3://bucket/key`, read as sound behind http is. */

const world = useRecordings()
const { media, hold, open, failure, kept, expectSound } = world
const uri = 's3://bucket/shows/a show #1%.wav'
const key = 'shows/a show #1%.wav'

/** Larger than what is asked for again as a whole. */
const longSound = wav(8000, [tone(8000, 20, 440)])
const expectLongSound = async (uri: string) =>
  expect(await open(uri)).toMatchObject({ hash: sha256(longSound) })

let server: S3Server
const openBucket = (root: string) =>
  openContent(root, { s3: { endpoint: server.endpoint, region: 'us-east-1', attempts: 1 } })
const start = (options: Parameters<typeof world.start>[0] = {}) => world.start({ openBucket, ...options })
beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  server = await startS3()
  seedObject(server.bucket('bucket'), key, sound)
  start()
})
afterEach(() => server.close())

describe('sound in a bucket', () => {
  test('is fetched once; then it lies there, for other processes too', async () => {
    expect(world.recordings.has(media(uri))).toBe(false)
    await expectSound(await open(uri))
    server.forgetCounts()
    start()
    expect(world.recordings.has(media(uri))).toBe(true)
    await expectSound(await open(uri))
    expect([...server.counts]).toEqual([])
    expect(await kept('.part')).toEqual([])
  })

  test('is asked for by a HEAD alone after a day, and read again where it was overwritten', async () => {
    await open(uri)
    server.forgetCounts()
    world.clock.time += 86_400_000
    await expectSound(await open(uri))
    expect([...server.counts]).toEqual([['HeadObject', 1]])
    world.clock.time += 86_400_000
    seedObject(server.bucket('bucket'), key, otherSound)
    expect(await open(uri)).toMatchObject({ samples: 8000, hash: sha256(otherSound) })
  })

  test('goes on where its connection broke, of the same version', async () => {
    seedObject(server.bucket('bucket'), key, longSound)
    let gets = 0
    const ranges: unknown[] = []
    server.beforeEach(({ kind, headers }) => {
      if (kind !== 'GetObject') return undefined
      ranges.push(headers.range)
      return ++gets === 1 ? { kind: 'cut', afterBytes: 20_000 } : undefined
    })
    await expectLongSound(uri)
    expect(gets).toBe(2)
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]/)])
  })

  test('that is overwritten while it is read is one version or the other, never both', async () => {
    let gets = 0
    server.beforeEach(({ kind }) => {
      if (kind !== 'GetObject') return undefined
      if (++gets === 1) return { kind: 'cut', afterBytes: 20_000 }
      if (gets === 2) seedObject(server.bucket('bucket'), key, otherSound)
      return undefined
    })
    const recording = await open(uri)
    expect(recording.hash).toBe(sha256(otherSound))
    expect(await readFile(recording.path)).toEqual(otherSound.subarray(44))
  })

  test('that is left by a process is gone on with by the next', async () => {
    seedObject(server.bucket('bucket'), key, longSound)
    const stop = new AbortController()
    let hasByte = false
    const stopped = world.recordings.open(
      media(uri),
      hold(stop.signal, () => {
        hasByte = true
        stop.abort(new Error('enough'))
      }),
    )
    server.beforeEach(({ kind }) => (kind === 'GetObject' ? { kind: 'cut', afterBytes: 20_000 } : undefined))
    await expect(stopped).rejects.toThrow('enough')
    expect(hasByte).toBe(true)
    const ranges: unknown[] = []
    server.beforeEach(({ kind, headers }) => {
      if (kind === 'GetObject') ranges.push(headers.range)
      return undefined
    })
    await expectLongSound(uri)
    expect(ranges).toEqual([expect.stringMatching(/^bytes=[1-9]/)])
  })

  test('that is not there, or archived, is told', async () => {
    expect(await failure('s3://bucket/none.wav')).toBe('download: is not there')
    seedObject(server.bucket('bucket'), 'cold.wav', sound, { storageClass: 'GLACIER' })
    expect(await failure('s3://bucket/cold.wav')).toMatch(/^download: is archived \(GLACIER\).*restore it/)
    expect(await failure('s3://bucket')).toMatch(/^download: is no address of a file in a bucket/)
  })

  test('of a server in trouble cannot be had now, which is no failure of the sound, nor of this machine', async () => {
    server.beforeEach(() => slowDown)
    const error: unknown = await open(uri).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'MediaFailure', stage: 'download' })
    expect((error as Error).message).toMatch(/cannot be read: .*check its health, then try again/)
    expect(isMachineFailure(error)).toBe(false)
    server.beforeEach(undefined)
    await expectSound(await open(uri))
  })

  test('that is larger than allowed is not read', async () => {
    start({ maxBytes: 1000 })
    expect(await failure(uri)).toMatch(/^download: is larger than 1000 bytes \(32044\)/)
    expect(server.count('GetObject')).toBe(0)
  })

  test('is read beneath allowed prefixes alone, also where it lies there already', async () => {
    await open(uri)
    start({ buckets: ['s3://bucket/shows/'] })
    await expectSound(await open(uri))
    for (const buckets of [[], ['s3://bucket/show'], ['s3://other']]) {
      start({ buckets })
      expect(world.recordings.has(media(uri))).toBe(false)
      expect(await failure(uri)).toMatch(
        /^download: is not in a bucket that may be read; .*FONDS_MEDIA_FOLDERS/,
      )
    }
  })
})
