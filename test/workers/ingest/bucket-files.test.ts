import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import { systemClock } from '#src/async/system-clock.ts'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { createFetcher } from '#src/workers/ingest/fetch/fetcher.ts'
import type { FileWork } from '#src/workers/ingest/files/file-work.ts'
import { folderRows } from '#src/workers/ingest/payload/folder-rows.ts'
import { createRooms } from '#src/workers/runtime/room.ts'
import { seedObject, startS3 } from '../../fakes/s3-server.ts'
import { temporaryFolder } from '../indexing/temporary-folder.ts'

/* Files of submissions in buckets (ingest I27, I28). */

const hold = { signal: new AbortController().signal, progress: () => {} }
const content = Buffer.alloc(300_000, 'a letter ')
const sha256 = createHash('sha256').update(content).digest('hex')

const world = async (folders?: readonly string[]) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  const server = await startS3()
  const client = createHttpClient({ stallMillis: 60_000 })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  const stored = seedObject(server.bucket('bucket'), 'drop/a letter 100%.txt', content)
  const roots: string[] = []
  const fetcher = createFetcher({
    ...{ client, clock: systemClock, stallMillis: 60_000, hosts: undefined, downloads: 2, tries: 2 },
    files: {} as FileWork,
    rooms: createRooms(100),
    openBucket: (root) => {
      roots.push(root)
      return openContent(root, { s3: { endpoint: server.endpoint, attempts: 1 } })
    },
  }).reaching({ folders, isForeign: folders !== undefined })
  const parts = temporaryFolder()
  const to = join(parts, 'to')
  return { server, stored, fetcher, roots, place: { to, parts, key: 'key' }, to }
}

const url = 's3://bucket/drop/a letter 100%.txt'

describe('a file in a bucket', () => {
  it('is fetched by its key as it stands, and compared with what was announced', async () => {
    const { fetcher, place, to } = await world()
    expect(await fetcher.sizeOf(url, hold)).toBe(content.length)
    expect((await fetcher.beginning(url, 8, hold)).toString()).toBe('a letter')
    const digest = { algorithm: 'md5', value: createHash('md5').update(content).digest('hex') } as const
    expect(await fetcher.fetch({ url, size: content.length, digest }, place, hold)).toEqual({
      size: content.length,
      sha256,
    })
    expect(readFileSync(to).equals(content)).toBe(true)
  })

  it.each([
    ['another digest', { digest: { algorithm: 'sha256', value: 'f'.repeat(64) } as const }, /digest/],
    ['another size', { size: 299_999 }, /has 300000 bytes; 299999 were announced/],
    ['more bytes than allowed', { maxBytes: 10 }, /has 300000 bytes/],
  ])('is refused with %s', async (_, wanted, reason) => {
    const { fetcher, place } = await world()
    await expect(fetcher.fetch({ url, ...wanted }, place, hold)).rejects.toThrow(reason)
  })

  it('goes on where its connection broke', async () => {
    const { server, fetcher, place } = await world()
    let gets = 0
    server.beforeEach(({ method }) => {
      if (method !== 'GET') return undefined
      gets += 1
      return gets === 1 ? { kind: 'cut', afterBytes: 100_000 } : undefined
    })
    expect(await fetcher.fetch({ url }, place, hold)).toEqual({ size: content.length, sha256 })
    expect(gets).toBe(2)
  })

  it.each(['s3://bucket/drop/none', 's3://bucket', 's3://bucket/drop/'])(
    'that is not there, or no file, is told: %s',
    async (missing) => {
      const { fetcher, place } = await world()
      await expect(fetcher.fetch({ url: missing }, place, hold)).rejects.toThrow(
        /is not there|is no address of a file in a bucket/,
      )
    },
  )

  it('is in a folder: all below a prefix, and a name that no object can have is refused', async () => {
    const { server, fetcher } = await world()
    const rows = async (url: string) => {
      const found: string[] = []
      const reach = { folders: undefined, fetcher, announced: async () => undefined }
      for await (const { path, size, url: file } of folderRows(url, reach, hold))
        found.push(`${path} ${size} ${file}`)
      return found
    }
    seedObject(server.bucket('bucket'), 'drop/in/b', 'b')
    seedObject(server.bucket('bucket'), 'dropped', 'not there')
    expect(await rows('s3://bucket/drop/')).toEqual([
      'a letter 100%.txt 300000 s3://bucket/drop/a letter 100%.txt',
      'in/b 1 s3://bucket/drop/in/b',
    ])
    await expect(rows('s3://bucket/')).rejects.toThrow(/is no prefix in a bucket/)
    seedObject(server.bucket('bucket'), 'drop/a//b', 'folded by some servers')
    await expect(rows('s3://bucket/drop/')).rejects.toThrow(/"?a\/\/b/)
  })

  it('is in a folder that was uploaded: with the digest that was announced, none beside them, and none missing', async () => {
    const { server, fetcher } = await world()
    const bucket = server.bucket('bucket')
    seedObject(bucket, 'up/a', 'a')
    seedObject(bucket, 'up/in/b', 'b')
    const rows = async (announced: Readonly<Record<string, string>>) => {
      const found: unknown[] = []
      const reach = { folders: undefined, fetcher, announced: async () => new Map(Object.entries(announced)) }
      for await (const { path, digest } of folderRows('s3://bucket/up/', reach, hold))
        found.push([path, digest?.value])
      return found
    }
    expect(await rows({ a: 'd1', 'in/b': 'd2' })).toEqual([
      ['a', 'd1'],
      ['in/b', 'd2'],
    ])
    await expect(rows({ a: 'd1' })).rejects.toThrow(
      /in\/b"? lies among the uploaded files, and was not submitted/,
    )
    await expect(rows({ a: 'd1', 'in/b': 'd2', c: 'd3' })).rejects.toThrow(
      /c"? was uploaded, and is not there any more/,
    )
  })

  it('is read for strangers beneath allowed prefixes alone: nothing else is asked of the server', async () => {
    const allowed = await world(['/srv/incoming', 's3://bucket/drop/'])
    expect(await allowed.fetcher.fetch({ url }, allowed.place, hold)).toMatchObject({ sha256 })
    // versitygw, for one, gives the object `secret` for it.
    const above = allowed.fetcher.fetch({ url: 's3://bucket/drop/../secret' }, allowed.place, hold)
    await expect(above).rejects.toThrow(/add its bucket and prefix to FONDS_/)
    for (const folders of [[], ['/'], ['s3://bucket/dro'], ['s3://other']]) {
      const { fetcher, place, roots } = await world(folders)
      await expect(fetcher.fetch({ url }, place, hold)).rejects.toThrow(/add its bucket and prefix to FONDS_/)
      expect(await fetcher.sizeOf(url, hold)).toBeUndefined()
      await expect(fetcher.beginning(url, 8, hold)).rejects.toThrow(/may be read/)
      const listed = folderRows(
        's3://bucket/drop/',
        { folders, fetcher, announced: async () => undefined },
        hold,
      ).next()
      await expect(listed).rejects.toThrow(/may be read/)
      expect(roots).toEqual([])
    }
  })
})
