import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { arcRecord, arcVersion, frames, httpResponse, packed, warcinfo, warcRecord } from './make-warc.ts'
import { useReader } from './read-bytes.ts'

const record = warcRecord()
const next = warcRecord({ url: 'http://example.com/next' })
const withLength = (more: number) => {
  const block = httpResponse()
  return warcRecord({ block, fields: { 'Content-Length': String(block.length + more) } })
}

const flipped = (bytes: Buffer, place: number): Buffer => {
  const damaged = Buffer.from(bytes)
  damaged[place]! ^= 1
  return damaged
}

describe('a file that fails gives a code, a sentence and the place', () => {
  const member = packed(record)

  it.each<[string, Buffer[], { code: string; reason?: unknown; offset?: number }]>([
    ['of no bytes', [], { code: 'empty' }],
    ['of empty members', [gzipSync('')], { code: 'empty' }],
    ['of text', [Buffer.from('Not found\n')], { code: 'not-an-archive', offset: 0 }],
    ['of a page', [Buffer.from('<html>Error</html>')], { code: 'not-an-archive', reason: /HTML/ }],
    ['of a zip', [Buffer.from('PK\x03\x04 and so on')], { code: 'not-an-archive', reason: /zip/ }],
    ['of text, packed', [gzipSync('Not found\n')], { code: 'not-an-archive', reason: /gzip(?!.*Not)/ }],
    [
      'that is none, packed by Zstandard',
      [frames(['text'])],
      { code: 'not-an-archive', reason: /it is zstd, but within it/ },
    ],
    ['of one byte', [Buffer.from([0x1f])], { code: 'not-an-archive' }],
    ['packed as a whole', [gzipSync(Buffer.concat([record, next]))], { code: 'not-per-record', offset: 0 }],
    [
      'of ARC, packed as a whole',
      [gzipSync(Buffer.concat([arcVersion(), arcRecord()]))],
      { code: 'not-per-record', offset: 0 },
    ],
    ['cut within a member', [member, member.subarray(0, -9)], { code: 'truncated', offset: member.length }],
    ['cut within a trailer', [member, member.subarray(0, -1)], { code: 'truncated', offset: member.length }],
    ['cut within a header of gzip', [member, member.subarray(0, 5)], { code: 'truncated' }],
    ['cut within a block', [record, next.subarray(0, -20)], { code: 'truncated', offset: record.length }],
    ['cut within a head', [record, next.subarray(0, 40)], { code: 'truncated', offset: record.length }],
    ['cut within a version', [record, next.subarray(0, 7)], { code: 'truncated', offset: record.length }],
    ['with damaged data', [member, flipped(member, 40), member], { code: 'corrupt', offset: member.length }],
    ['with a wrong checksum', [flipped(member, member.length - 8)], { code: 'corrupt', reason: /CRC-32/ }],
    ['with a wrong ISIZE', [flipped(member, member.length - 4)], { code: 'corrupt', reason: /ISIZE/ }],
    ['with another method', [member, flipped(member, 2)], { code: 'corrupt', reason: /method/ }],
    ['with unknown flags', [member, flipped(member, 3), Buffer.of(0)], { code: 'corrupt' }],
    [
      'with garbage behind the last member',
      [member, Buffer.from('garbage')],
      { code: 'corrupt', offset: member.length },
    ],
    ['with zeros behind it', [member, Buffer.alloc(512)], { code: 'corrupt', offset: member.length }],
    [
      'with garbage behind the last record',
      [record, Buffer.from('garbage')],
      { code: 'corrupt', offset: record.length },
    ],
    ['with a length too small', [withLength(-7), next], { code: 'corrupt', offset: 0 }],
    ['with a length too big', [withLength(7), next], { code: 'corrupt', offset: 0 }],
    ['with a length behind the end', [withLength(1_000_000), next], { code: 'truncated', offset: 0 }],
    ['packed, with a length too small', [packed(withLength(-7), next)], { code: 'corrupt', offset: 0 }],
    ['packed, with a length too big', [packed(withLength(7), next)], { code: 'corrupt', offset: 0 }],
    [
      'with a length that is no number',
      [warcRecord({ fields: { 'Content-Length': '1e3' } })],
      { code: 'corrupt', reason: /Content-Length(?!.*1e3)/ },
    ],
    [
      'without a length',
      [warcRecord({ fields: { 'Content-Length': undefined } })],
      { code: 'corrupt', reason: /Content-Length/ },
    ],
    [
      'of an unknown version',
      [warcRecord({ version: 'WARC/2.0' })],
      { code: 'corrupt', reason: /^(?!.*2\.0).*another version/ },
    ],
    ['with a head that has no end', [Buffer.from(`WARC/1.0\r\nX: ${'x'.repeat(2e6)}`)], { code: 'corrupt' }],
    ['of ARC with a wrong length', [arcVersion(), arcRecord({ length: '3' })], { code: 'corrupt' }],
    ['of ARC cut within a block', [arcVersion(), arcRecord().subarray(0, -5)], { code: 'truncated' }],
    ['of ARC cut within a line', [arcVersion(), arcRecord().subarray(0, 20)], { code: 'truncated' }],
    ['of ARC with garbage', [arcVersion(), Buffer.from('garbage\n')], { code: 'corrupt' }],
  ])('%s', async (_, parts, { reason = /./, ...failure }) => {
    expect(await useReader().readBytes(...parts)).toMatchObject({
      ...failure,
      reason: expect.stringMatching(reason as RegExp),
    })
  })

  it('that is not there', async () => {
    expect(await useReader().read()).toMatchObject({ code: 'not-found' })
  })

  it('that is a folder', async () => {
    const { path, read } = useReader()
    mkdirSync(path)
    expect(await read()).toMatchObject({ code: 'unreadable', reason: expect.stringContaining('no file') })
  })

  const large = Array.from({ length: 3 }, () =>
    warcRecord({ type: 'request', block: Buffer.alloc(10 * 1024 * 1024) }),
  )

  it('that grows while it is read, whatever else is wrong', async () => {
    const { path, readBytes, read } = useReader()
    await readBytes(...large, record.subarray(0, -9))
    expect(await read({ onProgress: () => appendFileSync(path, 'more') })).toMatchObject({ code: 'growing' })
    expect(await read()).toMatchObject({ code: 'corrupt' })
  })

  it('that vanishes while it is read', async () => {
    const { path, readBytes, read } = useReader()
    await readBytes(...large)
    expect(await read({ onProgress: () => rmSync(path, { force: true }) })).toMatchObject({ code: 'growing' })
  })

  it('and harms no file that is read behind it', async () => {
    const reader = useReader()
    expect(await reader.readBytes(packed(warcinfo(), withLength(7)))).toMatchObject({ code: 'corrupt' })
    expect(await reader.readBytes(packed(warcinfo(), record))).toMatchObject({ records: { length: 1 } })
  })
})
