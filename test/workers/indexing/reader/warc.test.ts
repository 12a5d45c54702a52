import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  httpResponse,
  memberWithAllFields,
  packed,
  sha1Of,
  warcinfo,
  warcRecord,
} from '../../../../packages/warc/test/make-warc.ts'
import { type Reading, useReader } from '../read-bytes.ts'

const capturesOf = (reading: Reading) => ('captures' in reading ? reading.captures : reading)

describe('a WARC file', () => {
  const records = [
    warcinfo(),
    warcRecord({ url: 'http://example.com/1' }),
    warcRecord({ url: 'http://example.com/2' }),
  ]

  it('whose records are packed one by one: offset and length are those of the members', async () => {
    const [first, second, third] = records.map((record) => packed(record))
    expect(await useReader().readBytes(first!, second!, third!)).toMatchObject({
      summary: { records: 3, captures: 2, warnings: [] },
      captures: [
        {
          url: 'http://example.com/1',
          time: '20260131120000',
          mime: 'text/html',
          status: '200',
          digest: sha1Of('<p>page</p>'),
          redirect: '-',
          flags: '-',
          offset: first!.length,
          length: second!.length,
          file: 'made.warc.gz',
        },
        { url: 'http://example.com/2', offset: first!.length + second!.length, length: third!.length },
      ],
    })
  })

  it('that is not packed: the length is that of the record without the empty lines behind it', async () => {
    const [first, second, third] = records
    expect(capturesOf(await useReader({ name: 'made.warc' }).readBytes(...records))).toMatchObject([
      { offset: first!.length, length: second!.length - 4 },
      { offset: first!.length + second!.length, length: third!.length - 4 },
    ])
  })

  it('is told by its content; a name that says something else is a warning', async () => {
    expect(await useReader({ name: 'made.arc.gz' }).readBytes(...records)).toMatchObject({
      summary: { captures: 2, warnings: [expect.stringContaining('ends with .warc')] },
    })
  })

  it.each(['WARC/0.17', 'WARC/0.18', 'WARC/1.0', 'WARC/1.1'])('of version %s', async (version) => {
    expect(await useReader().readBytes(warcRecord({ version }))).toMatchObject({ summary: { captures: 1 } })
  })

  it('with headers of members that have every field, and with empty members between the others', async () => {
    const member = memberWithAllFields(warcRecord())
    const empty = gzipSync('')
    expect(capturesOf(await useReader().readBytes(empty, member, empty, empty, member, empty))).toMatchObject(
      [
        { offset: empty.length, length: member.length },
        { offset: 3 * empty.length + member.length, length: member.length },
      ],
    )
  })

  it('with nothing to show is whole', async () => {
    expect(await useReader().readBytes(packed(warcinfo()))).toMatchObject({
      summary: { records: 1, captures: 0 },
    })
  })
})

describe('the records of a WARC file that get a line', () => {
  it('are responses, revisits, resources, and metadata that are no fields about another record', async () => {
    const fields = { 'WARC-Payload-Digest': 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' }
    const reading = await useReader().readBytes(
      warcinfo(),
      warcRecord({ type: 'request', contentType: 'application/http; msgtype=request' }),
      warcRecord({ type: 'resource', contentType: 'application/json', block: '{}' }),
      warcRecord({ type: 'metadata', contentType: 'application/warc-fields', block: 'via: x\r\n' }),
      warcRecord({ type: 'metadata', contentType: 'text/anvl', block: 'via: x\r\n' }),
      warcRecord({ type: 'metadata', contentType: 'text/plain', url: 'metadata://a/b', block: 'x' }),
      warcRecord({ type: 'conversion', contentType: 'text/plain', block: 'x' }),
      warcRecord({ type: 'revisit', block: 'HTTP/1.1 304 Not Modified\r\n\r\n', fields }),
      warcRecord({ type: 'revisit', block: '', fields }),
      warcRecord({ type: 'revisit', block: '' }),
      warcRecord({ url: 'dns:example.com', contentType: 'text/dns', block: '20260131\n192.0.2.1\n' }),
      warcRecord({ url: 'whois://example.com', contentType: 'text/plain', block: 'x' }),
    )
    expect(capturesOf(reading)).toMatchObject([
      { mime: 'application/json', status: '-', digest: sha1Of('{}') },
      { url: 'metadata://a/b', mime: 'text/plain', status: '-', digest: sha1Of('x') },
      { mime: 'warc/revisit', status: '304', digest: '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' },
      { mime: 'warc/revisit', status: '-', digest: '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' },
      { mime: 'warc/revisit', status: '-', digest: '-' },
      { url: 'dns:example.com', mime: 'text/dns', status: '-' },
      { url: 'whois://example.com', mime: 'text/plain', status: '-' },
    ])
  })

  it('have the original of a revisit where it is asked for', async () => {
    const id = '<urn:uuid:11111111-1111-4111-8111-111111111111>'
    const first = warcRecord({ fields: { 'WARC-Record-ID': id } })
    const again = warcRecord({ type: 'revisit', block: '', fields: { 'WARC-Refers-To': id } })
    const reading = await useReader({ hasOriginals: true, name: 'a.warc' }).readBytes(first, again)
    expect(capturesOf(reading)).toMatchObject([
      { offset: 0 },
      { mime: 'warc/revisit', original: { offset: 0, length: first.length - 4, file: 'a.warc' } },
    ])
  })

  it.each([
    [
      'blanks, umlauts and control characters',
      'http://example.com/a b\u00fc\x01',
      'http://example.com/a%20b%FC%01',
    ],
    ['an à in UTF-8 at its end', 'http://example.com/\u00c3\u00a0', 'http://example.com/%C3%A0'],
    ['angle brackets, as of Wget 1.19', '<http://example.com/>', 'http://example.com/'],
    ['a folded line', 'http://example.com/a\r\n b', 'http://example.com/a%20b'],
    ['folded lines of blanks', '\r\n http://example.com/a\r\n \t\r\n b', 'http://example.com/a%20b'],
    ['64 KiB', `http://example.com/${'a'.repeat(65536)}`, `http://example.com/${'a'.repeat(65536)}`],
  ])('have a URL of one token: %s', async (_, url, token) => {
    expect(capturesOf(await useReader().readBytes(warcRecord({ url })))).toMatchObject([{ url: token }])
  })

  it.each([
    ['2026-01-31T12:00:00.123456Z', '20260131120000'],
    ['2026-01-31T13:00:00+01:00', '20260131120000'],
    ['2026-01', '20260101000000'],
    ['2026-01-31T12:05Z', '20260131120500'],
  ])('have the date %s as %s', async (date, time) => {
    expect(capturesOf(await useReader().readBytes(warcRecord({ date })))).toMatchObject([{ time }])
  })

  it.each([
    ['no text behind the status', { status: 'HTTP/1.0 302 ' }, { status: '302', mime: 'text/html' }],
    ['nothing behind the status', { status: 'HTTP/1.1 204' }, { status: '204' }],
    ['no status', { status: 'HTTP/1.1 OK' }, { status: '-', mime: 'text/html' }],
    ['no head of a protocol', { status: 'Not Found' }, { status: '-', mime: '-' }],
    ['no media type', { fields: {} }, { status: '200', mime: '-' }],
    ['a media type with a blank', { fields: { 'content-type': 'text/x y; z' } }, { mime: 'text/x' }],
    ['a folded field', { fields: { 'Content-Type': '\r\n\ttext/css' } }, { mime: 'text/css' }],
    ['a redirect', { status: 'HTTP/1.1 301 Moved', fields: { Location: '/a b' } }, { redirect: '-' }],
  ])('are kept whatever the HTTP head says: %s', async (_, response, capture) => {
    const read = await useReader().readBytes(packed(warcRecord({ block: httpResponse(response) })))
    expect(capturesOf(read)).toMatchObject([capture])
  })

  it.each([
    ['a b.warc', 'a%20b.warc'],
    ['100% a.warc', '100%25%20a.warc'],
    ['a%20b.warc', 'a%20b.warc'],
    ['$(a)&;"\'.warc', '$(a)&;"\'.warc'],
  ])('have the name of their file as one token: %s', async (name, file) => {
    expect(capturesOf(await useReader({ name }).readBytes(warcRecord()))).toMatchObject([{ file }])
  })

  it('have a redirect where it is asked for', async () => {
    const block = httpResponse({ status: 'HTTP/1.1 301 Moved', fields: { Location: '/a b' } })
    expect(
      capturesOf(await useReader({ hasRedirects: true }).readBytes(warcRecord({ block }))),
    ).toMatchObject([{ status: '301', redirect: '/a%20b' }])
  })

  it('are kept where the HTTP head has no end, or none within 256 KiB, and the next is unharmed', async () => {
    const endless = `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}\r\nContent-Type: a/b\r\n\r\nbody`
    const records = [
      warcRecord({ block: 'HTTP/1.1 404 Not Found\r\nContent-Type: a/b' }),
      warcRecord({ block: endless }),
      warcRecord(),
    ]
    const expected = [
      { status: '404', mime: 'a/b', digest: sha1Of('') },
      { status: '-', mime: '-', digest: sha1Of(endless) },
      { status: '200', mime: 'text/html' },
    ]
    expect(capturesOf(await useReader().readBytes(packed(...records)))).toMatchObject(expected)
  })

  it.each<[string, (...records: Buffer[]) => Buffer]>([
    ['', (...records) => Buffer.concat(records)],
    [', packed', packed],
  ])(
    'are kept, with a warning, where a record lacks its empty lines and the next begins right there%s',
    async (_, join) => {
      const info = warcinfo()
      const short = [warcRecord().subarray(0, -2), warcRecord().subarray(0, -4)]
      const read = await useReader().readBytes(join(info, ...short, warcRecord()))
      expect(capturesOf(read)).toHaveLength(3)
      const first = join(info).length
      expect(read).toMatchObject({
        summary: {
          warnings: expect.arrayContaining([expect.stringMatching(`: 2, the first at byte ${first};`)]),
        },
      })
    },
  )

  it('are the same where lines end with LF alone', async () => {
    const block = 'HTTP/1.1 200 OK\nContent-Type: text/html\n\nbody'
    const records = [warcRecord({ block, lineEnd: '\n' }), warcRecord({ block, lineEnd: '\n' })]
    const expected = { status: '200', mime: 'text/html', digest: sha1Of('body') }
    expect(capturesOf(await useReader().readBytes(...records))).toMatchObject([
      { ...expected, offset: 0 },
      { ...expected, offset: records[0]!.length },
    ])
  })
})
