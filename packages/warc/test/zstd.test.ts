import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { frames, httpResponse, skippable, warcRecord } from './make-warc.ts'
import { useReader } from './read-bytes.ts'
import { zstdDictionary } from './zstd-dictionary.ts'

const name = 'made.warc.zst'
const urls = ['http://example.com/1', 'http://example.com/2']
const records = urls.map((url) => warcRecord({ url, block: httpResponse({ body: `<p>${url}</p>` }) }))
const one = records[0]!
const packed = records.map((record) => frames([record]))
const read = (...places: readonly (readonly [offset: number, length: number])[]) =>
  places.map(([offset, length], i) => ({ url: urls[i], offset, length, status: '200' }))
const usual = read([0, packed[0]!.length], [packed[0]!.length, packed[1]!.length])

describe('a Zstandard WARC file', () => {
  it('has a record at each frame', async () => {
    expect(await useReader(name).readBytes(...packed)).toMatchObject({
      records: usual,
      summary: { records: 2, warnings: [] },
    })
  })

  it.each([
    ['as it is', zstdDictionary],
    ['compressed', zstdCompressSync(zstdDictionary)],
  ])('is read with the dictionary that it begins with, %s', async (_, stored) => {
    const dictionary = skippable(stored, 0x5d)
    const [first, second] = records.map((record) => frames([record], zstdDictionary)) as [Buffer, Buffer]
    const at = dictionary.length
    expect(await useReader(name).readBytes(dictionary, first, second)).toMatchObject({
      records: read([at, first.length], [at + first.length, second.length]),
    })
  })

  it('has frames to be skipped and empty ones, which belong to no record', async () => {
    const [skipped, empty] = [skippable('anything'), frames([''])]
    const [a, b] = packed as [Buffer, Buffer]
    expect(
      await useReader(name).readBytes(empty, skipped, a, skipped, empty, skipped, b, empty),
    ).toMatchObject({
      records: read(
        [empty.length + skipped.length, a.length],
        [2 * empty.length + 3 * skipped.length + a.length, b.length],
      ),
    })
  })

  it('may have records of several frames', async () => {
    const parts = frames([one.subarray(0, 3), one.subarray(3, 200), one.subarray(200, -1), one.subarray(-1)])
    expect(await useReader(name).readBytes(parts, packed[1]!)).toMatchObject({
      records: read([0, parts.length], [parts.length, packed[1]!.length]),
    })
  })

  it('may have records larger than all buffers', async () => {
    const body = Buffer.alloc(3_000_000, 'all work and no play ')
    const large = frames([warcRecord({ url: urls[0]!, block: httpResponse({ body }) })])
    expect(await useReader(name).readBytes(large, packed[1]!)).toMatchObject({
      records: read([0, large.length], [large.length, packed[1]!.length]),
    })
  })

  it('without checksums is read as well', async () => {
    const [a, b] = records.map((record) => zstdCompressSync(record)) as [Buffer, Buffer]
    expect(await useReader(name).readBytes(a, b)).toMatchObject({
      records: read([0, a.length], [a.length, b.length]),
    })
  })

  const withWindow = (descriptor: number) =>
    Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, descriptor]), Buffer.from([1, 0, 0])])
  const dictionary = skippable(zstdDictionary, 0x5d)

  it.each<[string, readonly Buffer[], object]>([
    ['of one frame', [frames([Buffer.concat(records)])], { code: 'not-per-record', offset: 0 }],
    ['without a record', [frames(['']), skippable('none')], { code: 'empty' }],
    [
      'that is cut',
      [packed[0]!, packed[1]!.subarray(0, -2)],
      { code: 'truncated', offset: packed[0]!.length },
    ],
    ['with garbage behind', [...packed, Buffer.from('garbage')], { code: 'corrupt' }],
    [
      'with a wrong checksum',
      [packed[0]!.subarray(0, -1), Buffer.from([~packed[0]!.at(-1)! & 255]), packed[1]!],
      { code: 'corrupt', offset: 0, reason: expect.stringMatching(/checksum/) },
    ],
    [
      'that needs too large a window',
      [packed[0]!, withWindow(18 << 3)],
      {
        code: 'unreadable',
        offset: packed[0]!.length,
        reason: expect.stringMatching(/window of 268435456 bytes.*--long/),
      },
    ],
    [
      'that lacks its dictionary',
      [frames([one], zstdDictionary)],
      { code: 'corrupt', reason: expect.stringMatching(/wants the dictionary \d+, and the file has none/) },
    ],
    ['whose dictionary is cut', [dictionary.subarray(0, -1)], { code: 'truncated', offset: 0 }],
    ['whose dictionary is none', [skippable('text', 0x5d), ...packed], { code: 'corrupt', offset: 0 }],
    [
      'whose dictionary is too large',
      [skippable(zstdCompressSync(Buffer.alloc(9 * 1024 * 1024)), 0x5d), ...packed],
      { code: 'unreadable', reason: expect.stringMatching(/larger than 8 MiB/) },
    ],
    [
      'with a record that is longer than its frame',
      [frames([warcRecord({ fields: { 'Content-Length': '1000' } })]), packed[1]!],
      { code: 'corrupt', offset: 0 },
    ],
  ])('%s fails with its reason', async (_, parts, failure) => {
    expect(await useReader(name).readBytes(...parts)).toMatchObject(failure)
  })
})
