import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { flipBit, wholeFiles } from './damage.ts'
import { arcRecord, arcVersion, httpResponse, packed, sha1Of, warcRecord } from './make-warc.ts'
import { useReader } from './read-bytes.ts'

const useSalvage = (name: string) => {
  const { salvageBytes, readBytes } = useReader(name)
  const salvage = async (...parts: readonly Buffer[]) => {
    const reading = await salvageBytes(...parts)
    return 'records' in reading ? { ...reading.summary, records: reading.records } : reading
  }
  return { salvage, readBytes }
}

const pages = Array.from({ length: 6 }, (_, i) =>
  warcRecord({
    url: `http://example.com/${i}`,
    block: httpResponse({ body: `<p>page ${i}</p>`.repeat(40) }),
  }),
)
const offsets = (pieces: readonly Buffer[]) =>
  pieces.map((_, i) => pieces.slice(0, i).reduce((sum, { length }) => sum + length, 0))

describe('a salvage', () => {
  it.each([
    ['a.warc.gz', pages.map((page) => packed(page))],
    ['a.warc', pages],
  ])('of %s gives each record that is whole, and tells what is lost', async (name, pieces) => {
    const at = offsets(pieces)
    const size = Buffer.concat(pieces).length
    const broken = pieces.map((piece, i) => (i === 2 ? Buffer.alloc(piece.length, 7) : piece))
    const { salvage } = useSalvage(name)
    expect(await salvage(...broken)).toMatchObject({
      records: [0, 1, 3, 4, 5].map((i) => ({
        url: `http://example.com/${i}`,
        offset: at[i],
      })),
      size,
      loss: {
        bytes: at[3]! - at[2]!,
        places: 1,
        lost: [{ from: at[2], to: at[3], reason: expect.stringMatching(/\S \S/) }],
      },
    })
  })

  it('of an ARC file gives its records also where the first, which says how to read them, is lost', async () => {
    const pieces = [arcVersion(), arcRecord(), arcRecord({ url: 'http://example.com/b' })]
    for (const [name, bytes] of [
      ['a.arc', pieces],
      ['a.arc.gz', pieces.map((piece) => packed(piece))],
    ] as const) {
      const [version, ...records] = bytes
      const { salvage } = useSalvage(name)
      expect(
        await salvage(Buffer.alloc(version!.length - 1, 7), Buffer.from('\n'), ...records),
      ).toMatchObject({
        records: [
          { url: 'http://example.com/', offset: version!.length },
          { url: 'http://example.com/b', offset: version!.length + records[0]!.length },
        ],
        loss: { bytes: version!.length },
      })
    }
  })

  it('gives a record whose digest proves it whole, though the line ends behind it are damaged', async () => {
    const block = httpResponse()
    const proven = (url: string, digest = `sha1:${sha1Of(block)}`) =>
      warcRecord({ url, block, fields: { 'WARC-Block-Digest': digest } })
    const damaged = (record: Buffer) => Buffer.concat([record.subarray(0, -4), Buffer.from('xx\0x')])
    const { salvage } = useSalvage('a.warc')
    const hex = createHash('sha1').update(block).digest('hex')
    const pieces = [
      damaged(proven('http://example.com/1')),
      damaged(proven('http://example.com/2', `sha1:${hex}`)),
      damaged(proven('http://example.com/3', `sha1:${sha1Of('other')}`)),
      damaged(warcRecord({ url: 'http://example.com/4' })),
      proven('http://example.com/5'),
    ]
    const at = offsets(pieces)
    expect(await salvage(...pieces)).toMatchObject({
      records: [0, 1, 4].map((i) => ({ url: `http://example.com/${i + 1}`, offset: at[i] })),
      loss: { bytes: 8 + pieces[2]!.length + pieces[3]!.length },
    })
  })

  it.each([
    ['a.warc.gz', true],
    ['a.warc', false],
  ])('of %s takes no record of an archive that a damaged record holds', async (name, isPacked) => {
    const nested = Array.from({ length: 30 }, (_, i) =>
      warcRecord({ url: `http://nested.example/${i}`, block: httpResponse({ body: randomBytes(9000) }) }),
    )
    const body = isPacked ? packed(...nested) : Buffer.concat(nested)
    const outer = warcRecord({ url: 'http://example.com/outer', block: httpResponse({ body }) })
    const pieces = [pages[0]!, outer, pages[1]!, pages[2]!].map((piece) => (isPacked ? packed(piece) : piece))
    const at = offsets(pieces)
    const damaged = Buffer.concat(pieces)
    const middle = at[1]! + (pieces[1]!.length >> 1)
    // Of a plain file, bytes that are missing; of a packed one, bytes that make no sense.
    const parts = isPacked
      ? [damaged.fill(255, middle - 20_000, middle)]
      : [damaged.subarray(0, middle), damaged.subarray(middle + 5)]
    const { salvage } = useSalvage(name)
    const salvaged = await salvage(...parts)
    if (!('records' in salvaged)) return expect.fail(salvaged.reason)
    const urls = salvaged.records.map(({ url }) => url ?? '')
    expect(urls.filter((url) => url.includes('nested') || url.includes('outer'))).toEqual([])
    expect(urls).toEqual(expect.arrayContaining(['http://example.com/0', 'http://example.com/2']))
  })

  it.each([
    ['a.warc.gz', [arcVersion(), arcRecord(), arcRecord({ url: 'http://example.com/b' })]],
    ['a.arc.gz', pages.slice(0, 3)],
  ])('of %s goes by the content, whatever the name says', async (name, records) => {
    const pieces = records.map((record) => packed(record))
    const { salvage } = useSalvage(name)
    expect(await salvage(pieces[0]!, pieces[1]!.subarray(0, -9), pieces[2]!)).toMatchObject({
      records: expect.arrayContaining([
        expect.objectContaining({ offset: pieces[0]!.length + pieces[1]!.length - 9 }),
      ]),
      loss: { bytes: pieces[1]!.length - 9 },
    })
  })

  it('of what stands behind the last record tells all of it as lost', async () => {
    const { salvage } = useSalvage('a.warc.gz')
    expect(await salvage(packed(...pages), Buffer.alloc(1000))).toMatchObject({
      records: { length: pages.length },
      loss: { bytes: 1000, places: 1 },
    })
  })

  it.each([
    ['a file that is compressed as a whole', [gzipSync(Buffer.concat(pages))], 'not-per-record'],
    ['a page of HTML', [Buffer.from('<html>')], 'not-an-archive'],
    ['an empty file', [], 'empty'],
    ['one record that is cut', [packed(pages[0]!).subarray(0, -9)], 'truncated'],
  ])('of %s fails as reading it does', async (_, parts, code) => {
    const { salvage } = useSalvage('a.warc.gz')
    expect(await salvage(...parts)).toMatchObject({ code })
  })
})

describe.each(wholeFiles)('$name', (file) => {
  const bytes = Buffer.concat(file.pieces)
  const at = offsets(file.pieces)

  it('that is whole is not said to be salvaged', async () => {
    const { salvage, readBytes } = useSalvage(file.name)
    const whole = await readBytes(bytes)
    const salvaged = await salvage(bytes)
    expect(salvaged).not.toHaveProperty('loss')
    expect(salvaged).toMatchObject({ records: 'records' in whole ? whole.records : [] })
  })

  it('with a record of it damaged loses that record alone', async () => {
    const { salvage, readBytes } = useSalvage(file.name)
    const whole = await readBytes(bytes)
    if (!('records' in whole)) throw new Error(whole.reason)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length * 8 - 1 }), async (bit) => {
        const place = bit >> 3
        const i = at.findLastIndex((from) => from <= place)
        const [from, to] = [at[i]!, at[i]! + file.pieces[i]!.length]
        const salvaged = await salvage(flipBit(bytes, bit))
        if (!('records' in salvaged)) return expect.fail(JSON.stringify(salvaged))
        const unharmed = whole.records.filter(({ offset }) => offset < from || offset >= to)
        if (!salvaged.loss) return
        // Of a frame that seems to have no checksum, that is lost alone.
        if (file.name.endsWith('.zst') && salvaged.loss.bytes === 4) return
        expect(salvaged.records).toEqual(unharmed)
        expect(salvaged.loss).toMatchObject({ bytes: to - from, places: 1, lost: [{ from, to }] })
      }),
      { numRuns: runs(60) },
    )
  })
})
