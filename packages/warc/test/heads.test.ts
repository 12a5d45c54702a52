import { describe, expect, it } from 'vitest'
import type { HttpHead, RecordHead } from '../src/index.ts'
import { identify } from '../src/open-container.ts'
import { readRecords } from '../src/read-file.ts'
import { wholeFiles } from './damage.ts'
import {
  arcRecord,
  arcVersion,
  httpResponse,
  memberWithAllFields,
  packed,
  warcinfo,
  warcRecord,
} from './make-warc.ts'
import { useReader } from './read-bytes.ts'

/** Of each record of a file that is made of bytes, its head, and that of its response. */
const headsOf = async (...parts: readonly Buffer[]) => {
  const { path, readBytes } = useReader()
  await readBytes(...parts)
  const heads: { readonly head: RecordHead; readonly http: HttpHead | undefined }[] = []
  const summary = await readRecords(path, ({ head, readHttpHead }) => {
    heads.push({ head, http: head.isHttp && head.type === 'response' ? readHttpHead() : undefined })
    return undefined
  })
  return { heads, summary }
}

describe('the head of a record of WARC', () => {
  it('has the fields as they are, but for the type and the time', async () => {
    const fields = {
      'WARC-Record-ID': '<urn:uuid:1>',
      'WARC-Payload-Digest': 'SHA-1:abc',
      'WARC-Refers-To': '<urn:uuid:2>',
    }
    const { heads } = await headsOf(
      warcinfo(),
      warcRecord({
        type: 'Revisit',
        url: '<http://example.com/a b>',
        date: '2026-01-31T13:00:00+01:00',
        fields,
      }),
    )
    expect(heads).toMatchObject([
      { head: { format: 'warc', type: 'warcinfo', url: undefined, isHttp: false } },
      {
        head: {
          type: 'revisit',
          id: '<urn:uuid:1>',
          url: '<http://example.com/a b>',
          time: '20260131120000',
          contentType: 'application/http; msgtype=response',
          isHttp: true,
          payloadDigest: 'SHA-1:abc',
          refersTo: '<urn:uuid:2>',
          blockLength: httpResponse().length,
        },
      },
    ])
  })

  it('may lack a URL and a date, and have fields folded over lines', async () => {
    const { heads } = await headsOf(
      warcRecord({ url: 'http://example.com/a\r\n b', date: 'today', fields: { 'Content-Type': undefined } }),
      warcRecord({ fields: { 'WARC-Target-URI': undefined, 'WARC-Date': undefined } }),
    )
    expect(heads).toMatchObject([
      { head: { url: 'http://example.com/a b', time: undefined, contentType: undefined, isHttp: true } },
      { head: { url: undefined, time: undefined } },
    ])
  })

  it.each(['WARC/0.17', 'WARC/0.18', 'WARC/1.0', 'WARC/1.1'])('of version %s', async (version) => {
    expect((await headsOf(warcRecord({ version }))).heads).toHaveLength(1)
  })
})

describe('the head of a record of ARC', () => {
  it.each([1, 2] as const)('of version %i', async (version) => {
    const block = httpResponse()
    const line =
      version === 2
        ? `http://a.b/c d 192.0.2.1 20260131120000 text/html 200 - - 0 made.arc ${block.length}\n`
        : ''
    const record =
      version === 2
        ? Buffer.concat([Buffer.from(line), block, Buffer.from('\n')])
        : arcRecord({ url: 'http://a.b/c d', mime: 'text/html; charset=x' })
    const { heads } = await headsOf(arcVersion(version), record)
    expect(heads).toMatchObject([
      { head: { format: 'arc', type: 'filedesc', url: 'filedesc://made.arc' } },
      { head: { type: 'response', url: 'http://a.b/c d', time: '20260131120000', isHttp: true } },
    ])
  })

  it('may have a length that cannot be: a warning says so', async () => {
    const { heads, summary } = await headsOf(packed(arcVersion(), arcRecord({ length: '-1' }), arcRecord()))
    expect(heads.map(({ head }) => head.malformedLength)).toEqual([undefined, '-1', undefined])
    expect(summary.warnings).toEqual([
      expect.stringContaining('ends with .arc.gz'),
      expect.stringMatching(
        /^records whose length cannot be right: 1, the first at byte \d+, where it is "-1"/,
      ),
    ])
  })
})

describe('the head of a response', () => {
  it('has what it says as it is', async () => {
    const fields = {
      'content-type': 'text/x y; z',
      Location: '/a b',
      'Transfer-Encoding': 'gzip, Chunked',
    }
    const block = httpResponse({ status: 'HTTP/1.1 301 Moved', fields })
    const { heads } = await headsOf(warcRecord({ block }))
    expect(heads[0]?.http).toEqual({
      length: block.length - '<p>page</p>'.length,
      status: '301',
      contentType: 'text/x y; z',
      location: '/a b',
      isChunked: true,
    })
  })

  it.each([
    [
      'no status',
      httpResponse({ status: 'HTTP/1.1 OK' }),
      { status: undefined, contentType: 'text/html; charset=utf-8' },
    ],
    ['no end', 'HTTP/1.1 404 Not Found\r\nContent-Type: a/b', { status: '404', length: 41 }],
    ['no head', 'body', { status: undefined, length: 0 }],
  ])('may have %s', async (_, block, http) => {
    expect((await headsOf(warcRecord({ block }))).heads[0]?.http).toMatchObject(http)
  })
})

it('members may have headers with every field', async () => {
  const member = memberWithAllFields(warcRecord())
  expect(await useReader().readBytes(member, member)).toMatchObject({
    records: [
      { offset: 0, length: member.length },
      { offset: member.length, length: member.length },
    ],
  })
})

it('a record that lacks its empty lines is whole, and a warning says so', async () => {
  const short = warcRecord().subarray(0, -4)
  const { summary } = await headsOf(warcinfo(), short, warcRecord())
  expect(summary.warnings).toEqual(
    expect.arrayContaining([expect.stringMatching(`: 1, the first at byte ${warcinfo().length};`)]),
  )
})

it.each([1, 2, 3, 4])(
  'a file may end %i bytes before the end of the empty lines of its last record',
  async (by) => {
    const { readBytes } = useReader('made.warc')
    const last = warcRecord()
    const lineEnds = last.subarray(-4, last.length - by).toString()
    expect(await readBytes(warcinfo(), last.subarray(0, -by))).toMatchObject({
      records: [{ offset: warcinfo().length, length: last.length - 4, status: '200' }],
      summary: {
        warnings: lineEnds.split('\n').length > 2 ? [] : [expect.stringContaining(': 1, the first')],
      },
    })
    expect(await readBytes(warcinfo(), last.subarray(0, -5))).toMatchObject({ code: 'truncated' })
  },
)

it('a file is identified by its content', () => {
  const suffixOf = (bytes: Buffer) =>
    identify({ size: bytes.length, read: (offset, buffer) => bytes.copy(buffer, 0, offset) })
  expect(wholeFiles.map(({ pieces }) => suffixOf(Buffer.concat(pieces)))).toEqual([
    '.warc',
    '.warc.gz',
    '.warc.zst',
    '.warc.gz',
    '.arc',
    '.arc.gz',
  ])
  expect(() => suffixOf(Buffer.from('<html>'))).toThrow(/HTML/)
})
