import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Capture } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { salvageArchive } from '#src/workers/indexing/captures/read-archive.ts'
import { httpResponse, packed, warcinfo, warcRecord } from '../../../../packages/warc/test/make-warc.ts'
import { useReader } from '../read-bytes.ts'

const useSalvage = (name: string, kind: 'content' | 'metadata' = 'content') => {
  const { path, readBytes } = useReader({ name, kind })
  const salvage = async (...parts: readonly Buffer[]) => {
    writeFileSync(path, Buffer.concat(parts))
    const captures: Capture[] = []
    let kept: boolean | undefined
    const draft = {
      add: (capture: Capture) => void captures.push(capture),
      keep: () => {
        kept = true
      },
      discard: () => {
        kept = false
      },
    }
    const result = await salvageArchive(path, { name, kind }, draft)
    expect(kept).toBe(E.isRight(result))
    return E.isRight(result) ? { ...result.right, captures } : result.left
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

describe('a salvage (W16, W20)', () => {
  it.each([
    ['a.warc.gz', pages.map((page) => packed(page))],
    ['a.warc', pages],
  ])('of %s gives a line for each record that is whole, and tells what is lost', async (name, pieces) => {
    const at = offsets(pieces)
    const size = Buffer.concat(pieces).length
    const broken = pieces.map((piece, i) => (i === 2 ? Buffer.alloc(piece.length, 7) : piece))
    const { salvage } = useSalvage(name)
    expect(await salvage(...broken)).toMatchObject({
      captures: [0, 1, 3, 4, 5].map((i) => ({
        url: `http://example.com/${i}`,
        offset: at[i],
        file: name,
      })),
      size,
      loss: {
        bytes: at[3]! - at[2]!,
        places: 1,
        lost: [{ from: at[2], to: at[3], reason: expect.stringMatching(/\S \S/) }],
      },
    })
  })

  it('of a metadata file gives no line of a crawl log that is damaged at its end', async () => {
    const log = (url: string) =>
      packed(
        warcRecord({
          type: 'metadata',
          url: 'metadata://example.org/crawl/logs/crawl.log',
          contentType: 'text/plain',
          block: `2026-01-31T12:00:00.000Z 200 17 ${url} - - text/html #1 20260131120000000+10 sha1:${'A'.repeat(32)} - duplicate:"b.warc.gz,7"\n`,
        }),
      )
    const { salvage } = useSalvage('a-metadata-1.warc.gz', 'metadata')
    const [one, other] = [log('http://example.org/1'), log('http://example.org/2')]
    expect(await salvage(packed(warcinfo()), one.subarray(0, -5), other)).toMatchObject({
      captures: [{ url: 'http://example.org/2', offset: 7, file: 'b.warc.gz' }],
      loss: { bytes: one.length - 5 },
    })
  })

  it('counts a record as damaged that is to be a capture and says no date', async () => {
    const pieces = [pages[0]!, warcRecord({ date: 'today' }), pages[1]!]
    const at = offsets(pieces)
    const { salvage } = useSalvage('a.warc')
    expect(await salvage(...pieces)).toMatchObject({
      captures: [{ offset: 0 }, { offset: at[2] }],
      loss: { places: 1, lost: [{ from: at[1], to: at[2], reason: expect.stringMatching(/WARC-Date/) }] },
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
