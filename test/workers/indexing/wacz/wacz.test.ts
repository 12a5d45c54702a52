import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { salvageArchive } from '#src/workers/indexing/captures/read-archive.ts'
import { packed, warcinfo, warcRecord } from '../../../../packages/warc/test/make-warc.ts'
import { zipOf } from '../../ingest/zip-file.ts'
import { type Reading, useReader } from '../read-bytes.ts'
import { waczOf } from './make-wacz.ts'

const page = (url: string, extra = {}) => packed(warcRecord({ url: `http://example.com/${url}`, ...extra }))
const [a, b, c] = [page('a'), page('b'), page('c')]
const one = Buffer.concat([packed(warcinfo()), a, b])
const plain = Buffer.concat([warcinfo(), warcRecord({ url: 'http://example.com/plain' })])

const reader = () => useReader({ name: 'crawl.wacz' })

/** Where each capture's bytes lie, and what they are. */
const placesIn = (read: Reading, bytes: Buffer) =>
  'captures' in read
    ? read.captures.map(({ url, file, offset, length }) => ({
        url: url.replace('http://example.com/', ''),
        file,
        bytes: bytes.subarray(offset, offset + length),
      }))
    : read

describe('a WACZ (1.1.1)', () => {
  it('has its records read where they lie, of all of its WARCs', async () => {
    const bytes = waczOf({ 'one.warc.gz': one, 'two.warc.gz': c, 'plain.warc': plain })
    const read = await reader().readBytes(bytes)
    const file = 'crawl.wacz'
    expect(placesIn(read, bytes)).toEqual([
      { url: 'a', file, bytes: a },
      { url: 'b', file, bytes: b },
      { url: 'c', file, bytes: c },
      { url: 'plain', file, bytes: plain.subarray(warcinfo().length, -4) },
    ])
    expect(read).toMatchObject({ summary: { warnings: [], records: 6, size: bytes.length } })
  })

  it('is known by its content, under any name, and nothing else for its name alone', async () => {
    const zip = waczOf({ 'one.warc.gz': one })
    const read = await useReader({ name: 'crawl.warc.gz' }).readBytes(zip)
    expect(read).toMatchObject({
      captures: [{ file: 'crawl.warc.gz' }, {}],
      summary: { warnings: ['the name crawl.warc.gz does not say what the content is: a WACZ'] },
    })
    expect(await reader().readBytes(one)).toMatchObject({
      captures: [{}, {}],
      summary: { warnings: [expect.stringMatching(/does not say what the content is/)] },
    })
  })

  it.each<[string, Buffer, object]>([
    [
      'whose WARC the zip compresses',
      waczOf({ 'one.warc.gz': one }, { parts: [{ name: 'archive/two.warc.gz', bytes: c }] }),
      { code: 'not-per-record', reason: expect.stringMatching(/archive\/two\.warc\.gz.*stored \(zip -0\)/) },
    ],
    [
      'whose WARC is encrypted',
      waczOf(
        { 'one.warc.gz': one },
        {
          parts: [
            { name: 'archive/x.warc.gz', bytes: c, stored: true, encrypted: true, size: c.length - 12 },
          ],
        },
      ),
      { code: 'unreadable', reason: expect.stringMatching(/encrypted/) },
    ],
    ['that is cut', waczOf({ 'one.warc.gz': one }).subarray(0, -30), { code: 'truncated' }],
    ['without a WARC', waczOf({}), { code: 'empty' }],
    ['of an empty WARC', waczOf({ 'one.warc.gz': Buffer.alloc(0) }), { code: 'empty' }],
    ['a zip of something else', zipOf([{ name: 'a.txt', bytes: one }]), { code: 'not-an-archive' }],
    [
      'whose WARC is cut within',
      waczOf({ 'one.warc.gz': one, 'two.warc.gz': c.subarray(0, -9) }),
      { code: 'truncated', reason: expect.stringMatching(/^archive\/two\.warc\.gz: /) },
    ],
    [
      'whose WARC has another checksum in the zip',
      waczOf(
        { 'one.warc.gz': one },
        { parts: [{ name: 'archive/x.warc', bytes: plain, stored: true, crc: 7 }] },
      ),
      { code: 'corrupt', reason: expect.stringMatching(/archive\/x\.warc .*CRC-32/) },
    ],
  ])('W16 %s gives no captures, but a reason', async (_, bytes, failure) => {
    expect(await reader().readBytes(bytes)).toMatchObject(failure)
  })

  it('says at which byte of the WACZ a record is damaged', async () => {
    const damaged = Buffer.from(one)
    damaged[one.length - b.length + 30]! ^= 0xff
    const bytes = waczOf({ 'one.warc.gz': damaged })
    const failure = await reader().readBytes(bytes)
    expect(failure).toMatchObject({ code: 'corrupt', offset: bytes.indexOf(damaged) + one.length - b.length })
  })

  it.each<[string, Parameters<typeof waczOf>[1], RegExp]>([
    ['is missing', { without: ['datapackage.json'] }, /datapackage\.json is missing/],
    [
      'is no JSON',
      { parts: [{ name: 'datapackage.json', bytes: Buffer.from('{') }] },
      /datapackage\.json is damaged: .*JSON/,
    ],
    ['has no resources', { dataPackage: { resources: 1 } }, /datapackage\.json is damaged: .*resources/],
    ['has another version', { dataPackage: { wacz_version: '2.0' } }, /version "2\.0"/],
    [
      'names a file that is not there',
      { dataPackage: { resources: [{ path: 'archive/two.warc.gz' }, { path: 'archive/one.warc.gz' }] } },
      /archive\/two\.warc\.gz is missing/,
    ],
    ['does not name a WARC', { dataPackage: { resources: [{ path: 'pages/x' }] } }, /is not in datapackage/],
    [
      'has another length',
      { dataPackage: { resources: [{ path: 'archive/one.warc.gz', bytes: 7 }] } },
      /has \d+ bytes, and datapackage\.json says 7/,
    ],
    [
      'has another digest',
      { dataPackage: { resources: [{ path: 'archive/one.warc.gz', hash: `sha256:${'0'.repeat(64)}` }] } },
      /another digest than datapackage\.json says/,
    ],
    [
      'is not the one that was digested',
      { parts: [{ name: 'datapackage-digest.json', bytes: Buffer.from('{"hash":"sha256:00"}') }] },
      /datapackage\.json was changed/,
    ],
  ])('whose datapackage.json %s is indexed, with a warning', async (_, options, warning) => {
    const read = await reader().readBytes(waczOf({ 'one.warc.gz': one }, options))
    expect(read).toMatchObject({
      captures: [{}, {}],
      summary: { warnings: [expect.stringMatching(warning)] },
    })
  })

  it('has the digest of all of a WARC, also of what a reader passes over', async () => {
    const large = Buffer.concat([
      warcRecord({ type: 'request', block: Buffer.alloc(3 * 1024 * 1024, 'x') }),
      plain,
      warcRecord({ type: 'request', block: Buffer.alloc(3 * 1024 * 1024, 'y') }),
    ])
    expect(await reader().readBytes(waczOf({ 'large.warc': large }))).toMatchObject({
      summary: { warnings: [] },
    })
  })

  it('is no failure where it grows while it is read', async () => {
    const large = warcRecord({ type: 'request', block: Buffer.alloc(10 * 1024 * 1024) })
    const { path, readBytes, read } = reader()
    await readBytes(waczOf({ 'large.warc': Buffer.concat([large, large, large]) }))
    expect(await read(() => appendFileSync(path, 'more'))).toMatchObject({ code: 'growing' })
  })

  it('is salvaged WARC by WARC: what is lost has its bytes in the WACZ', async () => {
    const damaged = Buffer.concat([a, b.subarray(0, -20), c])
    const lost = Buffer.from('no archive at all, whatever its name')
    const bytes = waczOf({ 'one.warc.gz': damaged, 'two.warc.gz': page('d'), 'three.warc.gz': lost })
    const { path, readBytes } = reader()
    expect(await readBytes(bytes)).toMatchObject({ code: 'corrupt' })
    const urls: string[] = []
    const draft = {
      add: ({ url }: { url: string }) => void urls.push(url),
      keep: () => {},
      discard: () => {},
    }
    const salvaged = await salvageArchive(path, { name: 'crawl.wacz', kind: 'content' }, draft)
    expect(urls.map((url) => url.at(-1))).toEqual(['a', 'c', 'd'])
    const at = bytes.indexOf(damaged) + a.length
    const from = bytes.indexOf(lost)
    expect(salvaged).toMatchObject({
      right: {
        loss: {
          bytes: b.length - 20 + lost.length,
          places: 2,
          lost: [
            { from: at, to: at + b.length - 20 },
            { from, to: from + lost.length },
          ],
        },
      },
    })
  })
})
