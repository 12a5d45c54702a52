import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BucketInventory } from '#src/ports/bucket-inventory.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import openContent from '../../../../../infra/content/open-content.ts'
import { inventoryOpener } from '../../../../../infra/content/s3/inventory/open-inventory.ts'
import { reach } from '../../../../cli/fixity/bucket-store.ts'
import { readAll } from '../../../../contracts/content-store.ts'
import { makeInventory, rowOf, seedInventory, versionsSchema } from '../../../../fakes/s3-inventory.ts'
import { type S3Server, seedObject, startS3 } from '../../../../fakes/s3-server.ts'
import { temporaryFolder } from '../../../../workers/indexing/temporary-folder.ts'

const root = 's3://archive/main'
const open = (manifest: string, signal = new AbortController().signal) =>
  inventoryOpener({})({ root, manifest }, { signal })()

const inFolder = async (store: ContentStore, folder?: string) => {
  const found = []
  for await (const one of store.folder(folder)) found.push(one)
  return found
}
const everything = async <A>(listed: AsyncIterable<A>): Promise<readonly A[]> => {
  const found: A[] = []
  for await (const one of listed) found.push(one)
  return found
}

describe('the inventory of a bucket', () => {
  let server: S3Server
  const opened: BucketInventory[] = []
  beforeEach(async () => {
    server = await startS3({ buckets: ['archive', 'inventories'] })
    reach(server)
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
    await server.close()
  })

  const given = (...made: Parameters<typeof makeInventory>) => {
    const inventory = makeInventory(...made)
    seedInventory(server.bucket('inventories'), inventory)
    return { ...inventory, address: `s3://inventories/${inventory.manifest}` }
  }
  const right = async (manifest: string): Promise<BucketInventory> => {
    const found = await open(manifest)
    if (isLeft(found)) throw new Error(found.left)
    opened.push(found.right)
    return found.right
  }
  const left = async (manifest: string): Promise<string> => {
    const found = await open(manifest)
    if (isRight(found)) throw new Error('it was opened')
    return found.left
  }

  it('lists what the bucket itself lists, in the same order and with the same versions', async () => {
    const keys = [
      ...['a/b', 'a/b/c', 'a-', 'a0', 'a/z/1', 'a/z/2', 'ä b+c%20', 'a//x', 'm/', 'ﬀ', '😀', 'q"uote,\nline'],
      ...Array.from({ length: 2500 }, (_, i) => `deep/${i % 3}/${i}`),
      ...Array.from({ length: 1100 }, (_, i) => `wide/${i}/only`),
    ].map((path) => `main/${path}`)
    const rows = ['elsewhere', ...keys].map((key) => {
      const { bytes, etag, modifiedAt } = seedObject(
        server.bucket('archive'),
        key,
        key.endsWith('/') ? '' : 'hello',
      )
      return rowOf(key, bytes.byteLength, { etag: `"${etag}"`, time: modifiedAt.toISOString() })
    })
    const shuffled = rows.toSorted((a, b) => (String(a[1]).at(-1)! < String(b[1]).at(-1)! ? 1 : -1))
    const { address } = given([shuffled.slice(0, 700), shuffled.slice(700), []])
    const { content, objects, createdAt } = await right(address)
    expect(objects).toBe(keys.length)
    expect(createdAt).toBe('2026-05-01T00:00:00.000Z')
    const bucket = openContent(root)
    server.forgetCounts()
    const listed = await everything(content.list())
    expect(server.count('ListObjects')).toBe(0)
    expect(listed).toEqual(await everything(bucket.list()))
    expect(await everything(content.names())).toEqual(await everything(bucket.names()))
    for (const folder of [undefined, 'a', 'a/z', 'deep', 'deep/1', 'wide', 'wide/7'])
      expect(await inFolder(content, folder)).toEqual(await inFolder(bucket, folder))
    expect(String(await readAll(content, 'a/b'))).toBe('hello')
    // It may be there since: the inventory does not say that it is missing.
    for (const listed of [content.folder('later'), content.names('later/'), content.list('later')])
      expect(await everything<unknown>(listed)).toEqual([])
  })

  it('keeps current versions alone, and the newer of two rows of a key', async () => {
    const row = (key: string, latest: string, marker: string, size: string, time: string) => [
      'archive',
      key,
      'v',
      latest,
      marker,
      size,
      `2026-04-0${time}T00:00:00Z`,
      'e',
      '',
    ]
    const { address } = given(
      [
        [
          row('main/a', 'false', 'false', '1', '1'),
          row('main/a', 'true', 'false', '2', '2'),
          row('main/gone', 'true', 'true', '', '1'),
          row('main/twice', 'true', 'false', '3', '1'),
        ],
        [row('main/twice', 'true', 'false', '4', '3'), row('main/gone', 'false', 'false', '1', '1')],
      ],
      { fileSchema: versionsSchema },
    )
    const { content } = await right(address)
    const sizes = (await everything(content.list())).flatMap((one) =>
      one.kind === 'entry' ? [[one.entry.path, one.entry.size]] : [],
    )
    expect(sizes).toEqual([
      ['a', 2],
      ['twice', 4],
    ])
  })

  it.each(['as in the bucket', 'all in one folder'])('is read from a copy, %s', async (layout) => {
    const { files, manifest } = makeInventory([[rowOf('main/a')]])
    const folder = temporaryFolder()
    const place = (key: string) => join(folder, layout === 'all in one folder' ? basename(key) : key)
    for (const [key, bytes] of files) {
      await mkdir(dirname(place(key)), { recursive: true })
      await writeFile(place(key), bytes)
    }
    expect((await right(place(manifest))).objects).toBe(1)
  })

  describe('is refused with the name of the file and what to do', () => {
    it.each([
      [
        'of another bucket',
        { sourceBucket: 'other' },
        /of the bucket other, and the store is in archive; name/,
      ],
      ['in Parquet', { fileFormat: 'Parquet' }, /manifest\.json: the inventory is in Parquet, .* choose CSV/],
      ['in ORC', { fileFormat: 'ORC' }, /in ORC, and CSV alone is read/],
      ['without sizes', { fileSchema: 'Bucket, Key, ETag' }, /lacks Size, LastModifiedDate; add them to the/],
      ['without files', { own: { files: undefined } }, /its field files is missing/],
      ['with a file without MD5', { own: { files: [{ key: 'x' }] } }, /its field files\.0\.MD5checksum is/],
      ['without a time', { own: { creationTimestamp: 'today' } }, /creationTimestamp is no number/],
      [
        'with a file that is not there',
        { own: { files: [{ key: 'x/y.csv.gz', MD5checksum: 'a' }] } },
        /s3:\/\/inventories\/x\/y\.csv\.gz is not there, .* fetch the files/,
      ],
      [
        'with a file of other bytes',
        { own: { files: [{ key: 'logs/archive/daily/data/part-0.csv.gz', MD5checksum: 'a' }] } },
        /part-0\.csv\.gz is damaged: its MD5 is not that of the manifest; fetch it again/,
      ],
    ] as const)('%s', async (_, options, expected) => {
      expect(await left(given([[rowOf('main/a')]], options).address)).toMatch(expected)
    })

    it.each([
      ['of another bucket', rowOf('main/a', 1, { bucket: 'other' }), /record 2 is of the bucket "other"/],
      ['with too few columns', ['archive', 'main/a'], /record 2 has 2 columns, and fileSchema names 6/],
      ['without a size', ['archive', 'main/a', '', '2026-01-01', 'e', ''], /record 2 has the Size ""/],
      ['without a time', ['archive', 'main/a', '1', 'x', 'e', ''], /record 2 has the LastModifiedDate "x"/],
      [
        'with a key in another encoding',
        ['archive', 'main/%E4', '1', '2026-01-01', 'e', ''],
        /record 2 has the Key "main\/%E4"/,
      ],
    ])('a row %s', async (_, row, expected) => {
      const reason = await left(given([[rowOf('main/b')], [rowOf('main/c'), row]]).address)
      expect(reason).toMatch(/^s3:\/\/inventories\/logs\/archive\/daily\/data\/part-1\.csv\.gz: /)
      expect(reason).toMatch(expected)
    })

    it('a row at the beginning of a file of megabytes', async () => {
      const rows = Array.from({ length: 40_000 }, () => rowOf(`main/${randomBytes(40).toString('hex')}`))
      expect(await left(given([[['short'], ...rows]]).address)).toMatch(/record 1 has 1 columns/)
    })

    it('a manifest that is not that of manifest.checksum', async () => {
      const { address, manifest } = given([[rowOf('main/a')]])
      seedObject(server.bucket('inventories'), manifest.replace('.json', '.checksum'), 'f00')
      expect(await left(address)).toMatch(/manifest\.json: manifest\.checksum beside it is of other bytes/)
    })

    it('a file that is cut off, and one that is no CSV', async () => {
      const { address, files } = given([[rowOf('main/a')]])
      const key = 'logs/archive/daily/data/part-0.csv.gz'
      seedObject(server.bucket('inventories'), key, files.get(key)!.subarray(0, 30))
      expect(await left(address)).toMatch(
        /part-0\.csv\.gz is damaged: unexpected end of file; fetch it again/,
      )
      seedObject(server.bucket('inventories'), key, 'no gzip')
      expect(await left(address)).toMatch(/part-0\.csv\.gz is damaged: incorrect header check/)
    })

    it('a manifest that is not there, is no JSON, or has no name', async () => {
      expect(await left('s3://inventories/none/manifest.json')).toMatch(/manifest\.json is not there; name/)
      seedObject(server.bucket('inventories'), 'x/manifest.json', 'hello')
      expect(await left('s3://inventories/x/manifest.json')).toMatch(
        /it is no JSON object; name the manifest/,
      )
      expect(await left('s3://inventories/x/')).toMatch(/names no object; give s3:\/\/bucket\/path\/manifest/)
      expect(await left('s3://nowhere/x')).toMatch(/cannot be read: .*create the bucket/)
      expect(await left('/nowhere/at/all/manifest.json')).toMatch(/nowhere/)
    })

    it('one that has nothing of the store', async () => {
      expect(await left(given([[rowOf('other/a')]]).address)).toMatch(
        /of 1 objects none is below main\/; its configuration may have a filter/,
      )
    })
  })

  it('stops with the reason of its signal, also within a file', async () => {
    const { address } = given([[rowOf('main/a')], [rowOf('main/b')]])
    await expect(open(address, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    const stop = new AbortController()
    server.beforeEach(({ kind, key }) => {
      if (kind === 'GetObject' && key?.includes('part-1')) stop.abort(new Error('enough now'))
      return undefined
    })
    await expect(open(address, stop.signal)).rejects.toThrow('enough now')
  })
})
