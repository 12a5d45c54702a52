import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import { soundFiles } from '#src/cli/research/sound-files.ts'
import { seedObject, slowDown, startS3 } from '../../fakes/s3-server.ts'
import { noBuckets } from '../../workers/buckets/no-buckets.ts'

describe('sound files that are to be curated', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fonds-sound-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('are those below a folder, by name, told by how they end', async () => {
    mkdirSync(join(folder, 'sub'))
    for (const name of ['b.MP3', 'sub/a.flac', 'notes.txt', 'a.wav']) writeFileSync(join(folder, name), '')
    expect(await soundFiles(folder, noBuckets)).toMatchObject({
      right: {
        taken: [
          { name: 'a.wav', mediaType: 'audio/wav' },
          { name: 'b.MP3', mediaType: 'audio/mpeg' },
          { name: 'sub/a.flac', mediaType: 'audio/flac', path: join(folder, 'sub/a.flac') },
        ],
        leftOut: [],
      },
    })
  })

  it('may be one file', async () => {
    const path = join(folder, 'a.opus')
    writeFileSync(path, '')
    expect(await soundFiles(path, noBuckets)).toMatchObject({
      right: { taken: [{ path, name: 'a.opus', mediaType: 'audio/ogg' }] },
    })
  })

  it('that are not there are said to be missing, with what would be taken', async () => {
    expect(await soundFiles(join(folder, 'none'), noBuckets)).toMatchObject({
      left: expect.stringContaining('is not there'),
    })
    expect(await soundFiles(folder, noBuckets)).toMatchObject({ left: expect.stringContaining('.mp3') })
  })
})

describe('sound files in a bucket', () => {
  const bucketWith = async (keys: readonly string[]) => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
    const server = await startS3()
    onTestFinished(server.close)
    for (const key of keys) seedObject(server.bucket('bucket'), key, 'sound')
    const s3 = { endpoint: server.endpoint, region: 'us-east-1', attempts: 1 }
    return { server, find: (place: string) => soundFiles(place, (root) => openContent(root, { s3 })) }
  }

  it('are those below a prefix, by key as it stands', async () => {
    const { find } = await bucketWith([
      'x/a #1%.wav',
      'x/sub/b.MP3',
      'x/notes.txt',
      'x/c.m4a',
      'x//d.ogg',
      'xx/e.wav',
    ])
    for (const place of ['s3://bucket/x', 's3://bucket/x/'])
      expect(await find(place)).toMatchObject({
        right: {
          taken: [
            {
              path: 's3://bucket/x/a #1%.wav',
              mediaUri: 's3://bucket/x/a #1%.wav',
              name: 'a #1%.wav',
              mediaType: 'audio/wav',
            },
            { mediaUri: 's3://bucket/x/sub/b.MP3', name: 'sub/b.MP3', mediaType: 'audio/mpeg' },
          ],
          leftOut: [
            { path: 's3://bucket/x/c.m4a', reason: expect.stringContaining('not decoded here') },
            { path: 's3://bucket/x//d.ogg', reason: expect.stringContaining('another key') },
          ],
        },
      })
    expect(await find('s3://bucket')).toMatchObject({ right: { taken: { length: 3 } } })
  })

  it('may be one object', async () => {
    const { find } = await bucketWith(['x/a.wav'])
    expect(await find('s3://bucket/x/a.wav')).toMatchObject({
      right: { taken: [{ mediaUri: 's3://bucket/x/a.wav', name: 'a.wav' }] },
    })
  })

  it('that cannot be listed to the end are told as such, and none of them is taken', async () => {
    const { server, find } = await bucketWith(['x/a.wav', 'x/notes.txt'])
    expect(await find('s3://bucket/none')).toEqual({ _tag: 'Left', left: 's3://bucket/none is not there' })
    expect(await find('s3://bucket/x/notes.txt')).toMatchObject({ left: expect.stringContaining('.mp3') })
    server.beforeEach(({ kind }) => (kind === 'ListObjects' ? slowDown : undefined))
    expect(await find('s3://bucket/x')).toMatchObject({ left: expect.stringMatching(/could not be listed/) })
  })
})
