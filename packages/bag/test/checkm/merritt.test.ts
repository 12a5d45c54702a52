import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/runs.ts'
import {
  localIdsIn,
  type MerrittKind,
  type MerrittRow,
  merrittKindOf,
  readMerrittManifest,
  writeMerrittManifest,
} from '../../src/checkm/merritt.ts'

const profile = (name: string) => `#%profile | http://uc3.cdlib.org/registry/ingest/manifest/${name}`
const objectProfile = profile('mrt-ingest-manifest')

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = async (text: string | Uint8Array, kinds: readonly MerrittKind[] = ['object'], chunk = 7) => {
  const manifest = await readMerrittManifest(chunksOf(Buffer.from(text), chunk), kinds)
  const rows: MerrittRow[] = []
  for await (const row of manifest.rows) rows.push(row)
  return { kind: manifest.kind, rows }
}
const rowsOf = async (...lines: readonly string[]) =>
  (await read([objectProfile, ...lines, '#%eof', ''].join('\n'))).rows
const md5 = 'd41d8cd98f00b204e9800998ecf8427e'

describe('an object manifest', () => {
  it('has a row for each file', async () => {
    const [row] = await rowsOf(
      `https://host.example/a.tif | MD5 | ${md5.toUpperCase()} | 1024 | | images/a.tif | image/tiff`,
    )
    expect(row).toEqual({
      line: 2,
      url: 'https://host.example/a.tif',
      digest: { algorithm: 'md5', value: md5 },
      size: 1024,
      name: 'images/a.tif',
      mimeType: 'image/tiff',
      localIds: [],
    })
  })

  it('needs the URL alone: the name is the last of its path', async () => {
    expect(await rowsOf('https://host.example/deep/a%20b.tif?x=1')).toEqual([
      { line: 2, url: 'https://host.example/deep/a%20b.tif?x=1', name: 'a b.tif', localIds: [] },
    ])
  })

  it.each([
    ['s3://bucket/deep/a%20b.tif', 'a%20b.tif'],
    ['s3://bucket/deep/100 %.tif', '100 %.tif'],
    ['s3://bucket/a?x=1#2.tif', 'a?x=1#2.tif'],
  ])('and of a key in a bucket as it stands, which has no escapes: %s', async (url, name) => {
    expect(await rowsOf(url)).toEqual([{ line: 2, url, name, localIds: [] }])
  })

  it('writes a blank and a bar as %20 and %7c, but not in the URL', async () => {
    const [row] = await rowsOf('https://host.example/a%20b|||||%20one%7Ctwo %7c ')
    expect(row).toMatchObject({ url: 'https://host.example/a%20b', name: ' one|two |' })
  })

  it('has no digest where algorithm or value is missing; more columns than there are say nothing', async () => {
    const [a, b] = await rowsOf(
      'http://h/a | md5 | | 1',
      `http://h/b | | ${md5} | 2 | | b | text/plain | more | and more`,
    )
    expect(a).toEqual({ line: 2, url: 'http://h/a', size: 1, name: 'a', localIds: [] })
    expect(b).toMatchObject({ size: 2, mimeType: 'text/plain' })
    expect(b).not.toHaveProperty('digest')
  })

  it('ingest X7: columns in another order are read by their names', async () => {
    const rows = await rowsOf(
      '#%fields | nfo:fileName | mrt:mimeType | nfo:fileurl | nfo:hashValue | nfo:hashAlgorithm',
      `x.txt | text/plain | http://h/a | ${md5} | md5`,
    )
    expect(rows[0]).toMatchObject({ name: 'x.txt', url: 'http://h/a', digest: { algorithm: 'md5' } })
  })

  it.each([
    ['#%fields | nfo:fileUrl | nfo:colour', 'line 2: there is no field nfo:colour'],
    ['#%fields | nfo:fileName', 'line 2: the fields lack fileUrl'],
    ['#%fields | nfo:fileUrl | nfo:fileUrl', 'line 2: the field fileUrl is named twice'],
  ])('ingest X7: columns that mean nothing are refused: %s', async (line, why) => {
    await expect(rowsOf(line)).rejects.toThrow(why)
  })

  // Real ones leave out the bar, and call the fields columns.
  it.each([
    '#%profile http://uc3.cdlib.org/registry/ingest/manifest/mrt-ingest-manifest\n#%columns | nfo:fileURL | nfo:hashAlgorithm',
    '\uFEFF#%checkm_0.7\r\n#%profile|x/mrt-ingest-manifest\r\n#%prefix | nfo: | http://x#\r\n\r\n# words of a person\r',
  ])('is read as others write it', async (header) => {
    expect((await read(`${header}\nhttp://h/a |\n#%EOF\n\n`)).rows).toMatchObject([{ url: 'http://h/a' }])
  })

  it.each([
    ['ingest X4: no end', `${objectProfile}\nhttp://h/a\n`, 'does not end with "#%eof"'],
    ['ingest X4: no profile', 'http://h/a\n#%eof\n', 'it has no line "#%profile'],
    [
      'ingest X4: another profile',
      `${profile('mrt-batch-manifest')}\n#%eof`,
      'wants one that ends with mrt-ingest-manifest',
    ],
    ['ingest X4: no URL', `${objectProfile}\n| md5 | ${md5}\n#%eof`, 'line 2: it has no fileUrl'],
    [
      'ingest X4: a malformed URL',
      `${objectProfile}\nhost/a.tif\n#%eof`,
      'line 2: fileUrl host/a.tif is no URL',
    ],
    [
      'ingest X4: a size that is none',
      `${objectProfile}\nhttp://h/a | | | 1 kB\n#%eof`,
      'line 2: fileSize 1 kB is no number',
    ],
    [
      'ingest X4: an unknown algorithm',
      `${objectProfile}\nhttp://h/a | md9 | 00\n#%eof`,
      'line 2: hashAlgorithm md9 is not known',
    ],
    [
      'ingest X4: a digest that is none',
      `${objectProfile}\nhttp://h/a | sha1 | ${md5}\n#%eof`,
      'is no sha1 digest',
    ],
    [
      'ingest X4: a row behind the end',
      `${objectProfile}\n#%eof\nhttp://h/a\n`,
      'line 3 stands behind "#%eof" in line 2',
    ],
    ['ingest X4: no name', `${objectProfile}\nhttp://h/\n#%eof`, 'line 2: it has no fileName'],
    ['nothing', '', 'it has no line "#%profile'],
  ])('%s', async (_, text, why) => {
    await expect(read(text)).rejects.toThrow(why)
  })

  it('ingest X4: what is no UTF-8 is refused by the number of its line', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${objectProfile}\nhttp://h/`),
      Buffer.from([0xff, 0x0a]),
      Buffer.from('#%eof'),
    ])
    await expect(read(bytes)).rejects.toThrow('line 2 is too long, or no UTF-8')
    await expect(read(`${objectProfile}\nhttp://h/${'a'.repeat(70_000)}\n#%eof`)).rejects.toThrow(
      'line 2 is too long',
    )
  })

  it('100,000 rows: each is given before the next is read', async () => {
    let sent = 0
    async function* endless() {
      yield Buffer.from(`${objectProfile}\n`)
      for (; sent < 100_000; sent++) yield Buffer.from(`http://h/${sent}\n`)
      yield Buffer.from('#%eof\n')
    }
    const { rows } = await readMerrittManifest(endless(), ['object'])
    let count = 0
    for await (const { url } of rows) {
      if (url !== `http://h/${count}` || sent - count > 3) break
      count += 1
    }
    expect(count).toBe(100_000)
  })
})

describe('a manifest of objects', () => {
  it.each([
    ['batch', 'mrt-batch-manifest'],
    ['container-batch', 'mrt-container-batch-manifest'],
    ['single-file-batch', 'mrt-single-file-batch-manifest'],
  ] as const)('of the kind %s has ids and words', async (kind, name) => {
    const row = `http://h/one.checkm | | | | | | ark:/99999/fk4 | loc1; loc2;loc1 | Ada | Notes | 1843`
    const found = await read(`${profile(name)}\n${row}\n#%eof`, [
      'batch',
      'container-batch',
      'single-file-batch',
    ])
    expect(found.kind).toBe(kind)
    expect(found.rows[0]).toMatchObject({
      url: 'http://h/one.checkm',
      primary: 'ark:/99999/fk4',
      localIds: ['loc1', 'loc2'],
      creator: 'Ada',
      title: 'Notes',
      date: '1843',
    })
    expect(merrittKindOf(Buffer.from(`#%checkm_0.7\n${profile(name)}\n`))).toBe(kind)
  })

  it.each(['\r', '\r\n', '\n'])(
    'is read with lines that end in %j, and known by its beginning (F16)',
    async (end) => {
      const text = ['#%checkm_0.7', objectProfile, 'http://h/a.txt', 'http://h/b.txt', '#%eof', ''].join(end)
      for (const bytes of [
        Buffer.from(text),
        Buffer.from(`\uFEFF${text}`),
        Buffer.from(`\uFEFF${text}`, 'utf16le'),
      ]) {
        expect(merrittKindOf(bytes)).toBe('object')
        const { rows } = await read(bytes)
        expect(rows.map(({ line, name }) => [line, name])).toEqual([
          [3, 'a.txt'],
          [4, 'b.txt'],
        ])
      }
    },
  )

  it('what declares no profile is no manifest', () => {
    expect(merrittKindOf(Buffer.from('PK\u0003\u0004'))).toBeUndefined()
    expect(merrittKindOf(Buffer.from(profile('mrt-other-manifest')))).toBeUndefined()
  })
})

it('local ids are parted by semicolons, trimmed, and there once', () => {
  expect(localIdsIn(' a ;b;; a')).toEqual(['a', 'b'])
  expect(localIdsIn(undefined)).toEqual([])
})

it('what is written is read as it was', async () => {
  const name = fc.string({
    unit: fc.constantFrom(' ', '|', '%', 'a', 'é', '/', '#', '\\', '😀'),
    minLength: 1,
  })
  const row = fc.record({ name: name.filter((text) => !/%20|%7c/i.test(text)), size: fc.nat() })
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 50 }), async (files, chunk) => {
      const rows = files.map((file, i) => ({
        ...file,
        url: `http://h/${i}`,
        digest: { algorithm: 'md5' as const, value: md5 },
      }))
      const found = await read([...writeMerrittManifest(rows)].join(''), ['object'], chunk)
      expect(found.rows.map(({ url, digest, size, name }) => ({ url, digest, size, name }))).toEqual(rows)
    }),
    { numRuns: runs(100) },
  )
})
