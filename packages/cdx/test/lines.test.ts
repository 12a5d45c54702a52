import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import type { Capture } from '../src/capture.ts'
import { compareLines } from '../src/lines/compare-lines.ts'
import { formatLine } from '../src/lines/format-line.ts'
import { cdxFormats, headerOf } from '../src/lines/formats.ts'
import { parseLines } from '../src/lines/line-reader.ts'
import { parseLine } from '../src/lines/parse-line.ts'
import { surt } from '../src/surt.ts'
import { capture } from './captures.ts'

const page: Capture = {
  url: 'http://www.example.com/B',
  time: '20260102030405',
  mime: 'text/html',
  status: '200',
  digest: '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
  redirect: '-',
  flags: '-',
  length: 1043,
  offset: 333,
  file: 'a.warc.gz',
}
const revisit: Capture = {
  ...page,
  mime: 'warc/revisit',
  original: { length: 9, offset: 8, file: 'b.warc.gz' },
}
const start = 'com,example)/b 20260102030405 http://www.example.com/B'
const sha1 = '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'

describe('a line of a capture (W3)', () => {
  it.each([
    ['cdx-11', page, `${start} text/html 200 ${sha1} - - 1043 333 a.warc.gz`],
    ['cdx-9', page, `${start} text/html 200 ${sha1} - 333 a.warc.gz`],
    ['cdx-14', revisit, `${start} warc/revisit 200 ${sha1} - - 1043 333 a.warc.gz 9 8 b.warc.gz`],
    ['cdx-14', page, `${start} text/html 200 ${sha1} - - 1043 333 a.warc.gz - - -`],
    [
      'cdxj',
      page,
      `com,example)/b 20260102030405 {"url":"http://www.example.com/B","mime":"text/html","status":"200","digest":"sha1:${sha1}","length":"1043","offset":"333","filename":"a.warc.gz"}`,
    ],
    [
      'cdxj',
      { ...revisit, status: '-', digest: 'sha256:QZ7', length: -1 },
      'com,example)/b 20260102030405 {"url":"http://www.example.com/B","mime":"warc/revisit","digest":"sha256:QZ7","offset":"333","filename":"a.warc.gz","orig.length":"9","orig.offset":"8","orig.filename":"b.warc.gz"}',
    ],
  ] as const)('%s', (format, of, line) => {
    expect(formatLine(format, of)).toBe(line)
  })

  it('has the key that is given for it', () => {
    expect(formatLine('cdx-9', page, 'com,example)/b?__wb_method=post')).toMatch(
      /^com,example\)\/b\?__wb_method=post 2026/,
    )
  })

  it.each([
    ['mime', 'text/html; charset=utf-8', 'text/html'],
    ['mime', ' text/html charset', 'text/html'],
    ['mime', 'text/html\0', 'text/html'],
    ['mime', '', '-'],
    ['mime', '; charset=utf-8', '-'],
    ['url', 'http://a.b/x y\u00a0z\u2028\0', 'http://a.b/x%20y%c2%a0z%e2%80%a8%00'],
    ['url', 'http://a.b/\ud800', 'http://a.b/%ef%bf%bd'],
    ['redirect', '/a b\n', '/a%20b%0a'],
    ['status', '', '-'],
    ['file', 'my file.warc.gz', 'my%20file.warc.gz'],
  ] as const)('has one token for the %s %j', (field, text, written) => {
    const [line] = [...parseLines([formatLine('cdx-11', { ...page, [field]: text })])]
    expect(line).toMatchObject(E.right({ capture: { [field]: written } }))
  })

  it.each(cdxFormats)(
    '%s: whatever was found, it is one line with as many blanks as its fields need',
    (format) => {
      const text = fc.array(fc.nat(0xffff), { maxLength: 8 }).map((codes) => String.fromCharCode(...codes))
      const rude = fc.record({
        url: text,
        mime: text,
        status: fc.constantFrom('200', '-', '0', ''),
        digest: text,
        redirect: text,
        flags: text,
        file: text,
      })
      const blanks = { 'cdx-9': 8, 'cdx-11': 10, 'cdx-14': 13, cdxj: 2 }[format]
      fc.assert(
        fc.property(rude, (found) => {
          const line = formatLine(format, { ...page, ...found })
          expect(line.split(/\s/u)).toHaveLength(blanks + 1)
          expect(E.isRight(parseLine(line))).toBe(true)
        }),
        { numRuns: runs(500) },
      )
    },
  )

  it.each(['cdx-9', 'cdx-11', 'cdx-14'] as const)(
    '%s: an address that begins as JSON does is read as an address',
    (format) => {
      const line = formatLine(format, { ...page, url: '{x}' })
      expect(parseLine(line)).toMatchObject(E.right({ capture: { url: '%7Bx}' } }))
    },
  )

  it('cdx-11 begins every line of cdx-14', () => {
    fc.assert(
      fc.property(capture, fc.constantFrom('', '; a=b', ' ', '-'), (found, behind) => {
        const of = { ...found, mime: `${found.mime}${behind}` }
        expect(formatLine('cdx-14', of).startsWith(`${formatLine('cdx-11', of)} `)).toBe(true)
      }),
    )
  })

  it.each([
    ['cdx-11', ({ original: _, ...rest }: Capture): Capture => rest],
    ['cdx-9', ({ original: _, ...rest }: Capture): Capture => ({ ...rest, flags: '-', length: -1 })],
    ['cdx-14', (whole: Capture): Capture => whole],
    ['cdxj', (whole: Capture): Capture => whole],
  ] as const)('%s is read again as it was, but for what the format has no place for', (format, kept) => {
    fc.assert(
      fc.property(capture, (of) => {
        expect(parseLine(formatLine(format, of))).toEqual(E.right({ key: surt(of.url), capture: kept(of) }))
      }),
    )
  })
})

describe('lines of other programs', () => {
  const fields = `${start} text/html 200 ${sha1}`
  it.each([
    [7, `${fields} 1043`, { length: 1043, offset: -1, file: '-' }],
    [9, `${fields} - 333 a.warc.gz`, { length: -1, offset: 333, file: 'a.warc.gz' }],
    [10, `${fields} /c AF 333 a.warc.gz`, { redirect: '/c', flags: 'AF', length: -1, offset: 333 }],
    [11, `${fields} - - - 333 a.warc.gz`, { length: -1, offset: 333 }],
    [12, `${fields} - 333 a.warc.gz 9 8 b.warc.gz`, { offset: 333, original: revisit.original }],
    [13, `${fields} - AF 333 a.warc.gz 9 8 b.warc.gz`, { flags: 'AF', original: revisit.original }],
    [14, `${fields} - - 1043 333 a.warc.gz 9 8 b.warc.gz`, { length: 1043, original: revisit.original }],
  ])('are read with %i fields', (_, line, found) => {
    expect(parseLine(line)).toMatchObject(
      E.right({ key: 'com,example)/b', capture: { url: page.url, ...found } }),
    )
  })

  it.each([
    [
      '{"url":"http://a/","status":200,"length":"9","offset":0}',
      { status: '200', length: 9, offset: 0, mime: '-' },
    ],
    ['{"url": "http://a/", "digest": "sha1:QZ7", "extra": {"x": [1]}}', { digest: 'QZ7', file: '-' }],
    ['{"url":"http://a/","redirect":""}', { redirect: '-' }],
  ])('are read as CDXJ: %s', (json, found) => {
    expect(parseLine(`a)/ 20260102030405123 ${json}`)).toMatchObject(
      E.right({ key: 'a)/', capture: { time: '20260102030405', ...found } }),
    )
  })

  it('are skipped where they are headers or empty', () => {
    const lines = [
      ...cdxFormats.map(headerOf),
      '!meta 0 {"format":"cdxj-gzip-1.0"}',
      '!OpenWayback-CDXJ 1.0',
      '',
    ]
    const given = lines.filter((line) => line !== undefined)
    expect([...parseLines(given)]).toEqual([])
    expect([...parseLines([...given, '!)/ 20260102030405 http://!/ - - - 1'])]).toHaveLength(1)
  })

  it.each([
    ['a b', /^line 2: a line has 7 or 9 to 14 fields parted by one blank each, and this has 2: "a b"$/],
    [`a)/ 2026 http://a/ - - - 1`, /^line 2: the time 2026 is not one of 14 digits, nor of 8, 10 or 12: /],
    [`${fields} - x a.warc.gz`, /^line 2: the offset x is no number of bytes: "com,example\)/],
    [`${fields} - - -5 333 a.warc.gz`, /^line 2: the length -5 is no number of bytes/],
    [`${fields}  333 a.warc.gz`, /^line 2: the field redirect is empty; what is not known is written as -/],
    ['a)/ 20260102030405 {"url"', /^line 2: what stands behind the time is no JSON/],
    ['a)/ 20260102030405 {"url":["x"]}', /^line 2: url is no text/],
    ['a)/ 20260102030405 {"status":"200"}', /^line 2: there is no url/],
    ['a)/ 20260102030405 {"url":"http://a/","offset":1.5}', /^line 2: the offset 1\.5 is no number of bytes/],
    ['x'.repeat(5000), /^.{100,400}…"$/],
  ])('are refused with what is wrong: %j', (line, problem) => {
    const [read] = [...parseLines([' CDX N b a m s k r V g', line])]
    expect(read).toEqual(E.left(expect.stringMatching(problem)))
  })
})

describe('the header', () => {
  it.each([
    ['cdx-11', ' CDX N b a m s k r M S V g'],
    ['cdx-9', ' CDX N b a m s k r V g'],
    ['cdx-14', ' CDX N b a m s k r M S V g S V g'],
    ['cdxj', undefined],
  ] as const)('of %s', (format, header) => {
    expect(headerOf(format)).toBe(header)
  })
})

it('W27 lines have the order that LC_ALL=C sort -u gives them', () => {
  const line = fc.oneof(
    capture.map((of) => formatLine('cdx-11', of)),
    fc.stringMatching(/^[ -~ü日\ue000💩]{0,6}$/u),
  )
  fc.assert(
    fc.property(fc.array(line, { minLength: 200, maxLength: 1000 }), (lines) => {
      const buffers = lines.map((text) => Buffer.from(text)).sort(compareLines)
      const sorted = buffers.filter((one, i) => i === 0 || compareLines(one, buffers[i - 1]!) !== 0)
      const said = spawnSync('sort', ['-u'], {
        input: `${lines.join('\n')}\n`,
        env: { ...process.env, LC_ALL: 'C' },
      })
      expect(said.stdout.toString()).toBe(sorted.map((one) => `${one}\n`).join(''))
    }),
    { numRuns: runs(10) },
  )
})
