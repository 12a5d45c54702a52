import { describe, expect, it } from 'vitest'
import {
  arcRecord,
  arcVersion,
  httpResponse,
  packed,
  sha1Of,
} from '../../../../packages/warc/test/make-warc.ts'
import { type Reading, useReader } from '../read-bytes.ts'

const capturesOf = (reading: Reading) => ('captures' in reading ? reading.captures : reading)

describe('an ARC file', () => {
  it('has a line for each record but the first, with a digest that is computed', async () => {
    const version = arcVersion()
    const record = arcRecord()
    const capture = {
      url: 'http://example.com/',
      time: '20260131120000',
      mime: 'text/html',
      status: '200',
      digest: sha1Of('<p>page</p>'),
      file: 'made.arc',
    }
    expect(await useReader({ name: 'made.arc' }).readBytes(version, record, record)).toMatchObject({
      captures: [
        { ...capture, offset: version.length, length: record.length - 1 },
        { ...capture, offset: version.length + record.length, length: record.length - 1 },
      ],
      summary: { records: 3, captures: 2, warnings: [] },
    })
    expect(
      capturesOf(await useReader({ name: 'made.arc' }).readBytes(packed(version), packed(record))),
    ).toMatchObject([{ ...capture, offset: packed(version).length, length: packed(record).length }])
  })

  it('of version 2', async () => {
    const block = httpResponse()
    const line = `http://example.com/a b 192.0.2.1 20260131120000 text/html 200 - - 0 made.arc ${block.length}\n`
    const record = Buffer.concat([Buffer.from(line), block, Buffer.from('\n')])
    expect(capturesOf(await useReader().readBytes(arcVersion(2), record))).toMatchObject([
      { url: 'http://example.com/a%20b', time: '20260131120000', status: '200', mime: 'text/html' },
    ])
  })

  it.each([
    ['a URL with blanks', { url: 'http://example.com/a b c' }, { url: 'http://example.com/a%20b%20c' }],
    ['a URL with a date', { url: 'http://example.com/ 20200101000000 x' }, { time: '20260131120000' }],
    ['a media type with blanks', { mime: 'text/html; charset=x' }, { time: '20260131120000' }],
    ['a date of 17 digits', { date: '20260131120000123' }, { time: '20260131120000' }],
    ['a date of 18 digits', { date: '202601311200001234' }, { time: '20260131120000' }],
    ['a date of 12 digits', { date: '202601311205' }, { time: '20260131120500' }],
    [
      'a name of DNS',
      { url: 'dns:example.com', mime: 'text/dns', block: '192.0.2.1\n' },
      { url: 'dns:example.com', mime: 'text/dns', status: '-', digest: sha1Of('192.0.2.1\n') },
    ],
    ['a body without a head', { block: 'body' }, { mime: 'text/html', status: '-', digest: sha1Of('body') }],
  ])('with %s', async (_, record, capture) => {
    expect(
      capturesOf(await useReader().readBytes(arcVersion(), arcRecord(record), arcRecord())),
    ).toMatchObject([capture, { url: 'http://example.com/', status: '200' }])
  })

  it.each(['-1', 'zz', '100000000000000000000'])(
    'whose first record has the length %s: it is read, packed or not, and a warning says so',
    async (length) => {
      const version = Buffer.from(
        arcVersion()
          .toString('latin1')
          .replace(/ \d+\n/, ` ${length}\n`),
        'latin1',
      )
      const warning = `records whose length cannot be right: 1, the first at byte 0, where it is "${length}"; each is taken to end where its member does, or where the next one begins`
      for (const parts of [
        [version, arcRecord()],
        [packed(version), packed(arcRecord())],
      ]) {
        const name = parts[0] === version ? 'made.arc' : 'made.arc.gz'
        expect(await useReader({ name }).readBytes(...parts)).toMatchObject({
          captures: [{ url: 'http://example.com/', status: '200' }],
          summary: { records: 2, warnings: [warning] },
        })
      }
    },
  )

  it.each(['0', '5', '999999999999999'])(
    'whose first record has the length %s, which is wrong: it is refused',
    async (length) => {
      const version = Buffer.from(
        arcVersion()
          .toString('latin1')
          .replace(/ \d+\n/, ` ${length}\n`),
        'latin1',
      )
      const { code } = (await useReader().readBytes(version, arcRecord())) as { readonly code?: string }
      expect(['corrupt', 'truncated']).toContain(code)
    },
  )

  it.each(['-1', 'abc'])('with the length %s: in a member it is the rest', async (length) => {
    const records = [arcVersion(), arcRecord({ length }), arcRecord()]
    expect(capturesOf(await useReader().readBytes(packed(...records)))).toMatchObject([
      { status: '200', offset: packed(records[0]!).length },
      { status: '200' },
    ])
  })

  it.each(['-1', 'abc'])(
    'with the length %s: elsewhere it is nothing, if a record follows',
    async (length) => {
      const unknown = arcRecord({ length, block: '' })
      const reader = useReader()
      expect(capturesOf(await reader.readBytes(arcVersion(), unknown, arcRecord()))).toMatchObject([
        { status: '-', length: unknown.length - 1 },
        { status: '200' },
      ])
      expect(await reader.readBytes(arcVersion(), arcRecord({ length }), arcRecord())).toMatchObject({
        code: 'corrupt',
      })
    },
  )
})
