import { describe, expect, it } from 'vitest'
import { kindOf } from '#src/domain/indexing/kind.ts'
import { frames, warcinfo, warcRecord } from '../../../../packages/warc/test/make-warc.ts'
import { useReader } from '../read-bytes.ts'

/* How Zstandard is read is in the tests of @fonds/warc. */

const name = 'made.warc.zst'
const urls = ['http://example.com/1', 'http://example.com/2']

describe('a Zstandard WARC file', () => {
  it('W2 is content or metadata by its name', () => {
    expect(kindOf('a.warc.zst')).toBe('content')
    expect(kindOf('1-metadata-1.WARC.ZST')).toBe('metadata')
    expect(kindOf('a.arc.zst')).toBe('unknown')
  })

  it('has a capture at each frame', async () => {
    const [a, b] = urls.map((url) => frames([warcRecord({ url })])) as [Buffer, Buffer]
    expect(await useReader({ name }).readBytes(a, b)).toMatchObject({
      captures: [
        { url: urls[0], offset: 0, length: a.length, status: '200', file: name },
        { url: urls[1], offset: a.length, length: b.length, status: '200', file: name },
      ],
      summary: { records: 2, warnings: [] },
    })
  })

  it('of metadata gives the duplicates of its crawl log', async () => {
    const log = warcRecord({
      type: 'metadata',
      url: 'metadata://example.org/crawl/logs/crawl.log',
      contentType: 'text/plain',
      block: `2026-01-31T12:00:00.000Z 200 17 ${urls[0]} - - text/html #1 20260131120000000+10 sha1:${'A'.repeat(32)} - duplicate:"b.warc.gz,7"\n`,
    })
    expect(
      await useReader({ name: '1-metadata-1.warc.zst', kind: 'metadata' }).readBytes(
        frames([warcinfo()]),
        frames([log]),
      ),
    ).toMatchObject({ captures: [{ url: urls[0], offset: 7, file: 'b.warc.gz' }] })
  })
})
