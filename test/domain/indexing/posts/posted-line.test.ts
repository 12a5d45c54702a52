import { captureLine, formatLine } from '@fonds/cdx'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { postedLines } from '#src/domain/indexing/posts/posted-line.ts'
import { runs } from '../../../runs.ts'

/** A post of one line. */
const postedLine = (line: string) => postedLines().read(line) ?? E.left('it is no line')

const kept = 'org,example)/ 20260131120000 http://example.org/ text/html 200 ABC - - 100 7 a.warc.gz'

it.each([
  ['CDX-11, under whatever key', kept.replace('org,example)/', 'example.org/')],
  ['with the end of a line of Windows', `${kept}\r`],
  [
    'CDXJ',
    'org,example)/ 20260131120000 {"url":"http://example.org/","mime":"text/html","status":"200","digest":"sha1:ABC","length":"100","offset":"7","filename":"a.warc.gz"}',
  ],
])('indexing C10 what says the same is one line: %s', (_, line) => {
  expect(postedLine(line)).toEqual(E.right(kept))
})

it.each([
  [
    'CDX-9',
    '- 20260131120000 http://example.org/ text/html 200 ABC - 7 a.warc.gz',
    kept.replace(' 100 ', ' - '),
  ],
  [
    'CDX-10',
    '- 20260131120000 http://example.org/ text/html 200 ABC - - 7 a.warc.gz',
    kept.replace(' 100 ', ' - '),
  ],
  ['CDX-14', `${kept} 90 3 b.warc.gz`, `${kept} 90 3 b.warc.gz`],
  ['CDX-14 without the record that it repeats', `${kept} - - -`, kept],
  ['a time without seconds, as in OutbackCDX', kept.replace('120000', '1200'), kept],
  ['a time without hours', kept.replace('120000', ''), kept.replace('120000', '000000')],
  ['a status that is not known', kept.replace(' 200 ', ' - '), kept.replace(' 200 ', ' - ')],
  [
    'what was posted to a URL',
    kept.replace(')/ ', ')/?__wb_method=POST&q=1 '),
    kept.replace(')/ ', ')/?__wb_method=post&q=1 '),
  ],
  [
    'what was posted, by a key of other order and case, as warcio.js makes them',
    kept.replace(')/ ', ')/?q=B%20c&__wb_method=POST&__wb_post_data=dGVzdAo= '),
    kept.replace(')/ ', ')/?__wb_method=post&__wb_post_data=dgvzdao=&q=b%20c '),
  ],
  [
    'what was posted, by members of CDXJ, as OutbackCDX reads them',
    'x 20260131120000 {"url":"http://example.org/","mime":"text/html","status":"200","digest":"ABC","length":"100","offset":"7","filename":"a.warc.gz","method":"POST","requestBody":"Q=1"}',
    kept.replace(')/ ', ')/?__wb_method=post&q=1 '),
  ],
])('indexing C10 %s', (_, line, expected) => {
  expect(postedLine(line)).toEqual(E.right(expected))
})

it.each([
  ['CDX-7: where its record lies is not said', '- 20260131120000 http://example.org/ text/html 200 ABC 100'],
  ['no URL', kept.replace('http://example.org/', '-')],
  ['a status that is no number, as in OutbackCDX', kept.replace(' 200 ', ' OK ')],
  ['no time', kept.replace('20260131120000', 'yesterday')],
  ['an alias', '@alias http://example.org/a http://example.org/b'],
  ['JSON that is cut', kept.replace(/ http.*/, ' {"url":"http')],
])('indexing C10 refused: %s', (_, line) => {
  expect(E.isLeft(postedLine(line))).toBe(true)
})

it('indexing C10 what was posted under a key of other order and case is deleted, too', () => {
  const former = kept.replace(')/ ', ')/?q=B&__wb_method=POST ')
  const now = kept.replace(')/ ', ')/?__wb_method=post&q=b ')
  expect(postedLines(true).read(former)).toEqual(E.right(`${now}\n${former}`))
  expect(postedLines(true).read(now)).toEqual(E.right(now))
  expect(postedLines(true).read(kept)).toEqual(E.right(kept))
})

/** What a post of these lines comes to, a line each; headers give none. */
const posted = (...lines: readonly string[]) => {
  const reader = postedLines()
  return lines.flatMap((line) => reader.read(line) ?? [])
}

it.each([
  [
    'in another order',
    ' CDX g V a b s m k N',
    'a.warc.gz 7 http://example.org/ 20260131120000 200 text/html ABC x',
  ],
  [
    'with another delimiter',
    ' CDX\ta\tb\tm\ts\tk\tS\tV\tg',
    'http://example.org/\t20260131120000\ttext/html\t200\tABC\t100\t7\ta.warc.gz',
  ],
  [
    'as the delimiter begins the file',
    '|CDX|a|b|m|s|k|S|V|g',
    'http://example.org/|20260131120000|text/html|200|ABC|100|7|a.warc.gz',
  ],
  [
    'without the blank before it',
    'CDX b a m s k S V g\r',
    '20260131120000 http://example.org/ text/html 200 ABC 100 7 a.warc.gz\r',
  ],
  [
    "with columns that are no part of a capture, as Alexa's",
    ' CDX A b e a m s c k r V v D d g M n',
    'example.org/ 20260131120000 192.0.2.1 http://example.org/ text/html 200 c ABC - 7 9 - - a.warc.gz - 55',
  ],
  [
    'with nine columns that are not the usual nine',
    ' CDX N b a s m k r V g',
    'x 20260131120000 http://example.org/ 200 text/html ABC - 7 a.warc.gz',
  ],
  [
    'with the record that a revisit repeats',
    ' CDX b a m s k S V g S V g',
    '20260131120000 http://example.org/ text/html 200 ABC 100 7 a.warc.gz 90 3 b.warc.gz',
  ],
])('indexing C17 columns are those of the header: %s', (_, header, line) => {
  const length = header.includes('S') ? '100' : '-'
  const original = line.includes('b.warc.gz') ? ' 90 3 b.warc.gz' : ''
  expect(posted(header, line)).toEqual([E.right(kept.replace(' 100 ', ` ${length} `) + original)])
})

it.each([
  ['a column that there is not', ' CDX N b a ? V g', /^the header " CDX N b a \? V g" names the column \?/],
  ['no offset', ' CDX N b a m s k r g', /names no column V, which is the offset/],
  ['one column twice', ' CDX N b b a V g', /names the column b more than once/],
  ['no columns', ' CDX', /^the header " CDX" names no column b/],
  ['two delimiters', ' CDX N b,a V g', /names the column b,a/],
])(
  'indexing C17 a header with %s is refused by name, and so is each line behind it',
  (_, header, problem) => {
    expect(posted(header, kept, header, kept)).toEqual(Array(4).fill(E.left(expect.stringMatching(problem))))
  },
)

it('indexing C17 a header holds up to the next one, and usual ones leave it to the number of fields', () => {
  const [swapped, usual] = [' CDX g V b a', ' CDX N b a m s k r M S V g']
  const short = 'a.warc.gz 7 20260131120000 http://example.org/'
  const read = kept.replace('text/html 200 ABC', '- - -').replace(' 100 ', ' - ')
  expect(posted(swapped, short, usual, kept, swapped, short)).toEqual([read, kept, read].map(E.right))
  // Sorted files of several programs begin with all of their headers.
  expect(posted(' CDX N b a m s k r V g', usual, kept)).toEqual([E.right(kept)])
  expect(posted(swapped, usual, short, kept)).toEqual([E.right(read), E.right(kept)])
  expect(posted(swapped, kept)).toEqual([
    E.left(
      expect.stringMatching(/^the header " CDX g V b a" names 4 columns, and the line has 11 fields: "org/),
    ),
  ])
  expect(posted(swapped, ' CDX V g b a', short)).toEqual([
    E.left(expect.stringContaining('the line may be of either')),
  ])
})

it('indexing C17 a blank in a name is no further column', () => {
  const line = 'org,example)/ 20260131120000 http://example.org/ text/html 200 ABC - 7 2019 crawl.warc.gz'
  const nine = ' CDX N b a m s k r V g'
  expect(posted(nine, line)).toEqual([
    E.left(expect.stringContaining(`the header "${nine}" names 9 columns, and the line has 10 fields: "org`)),
  ])
  const json = (filename: string) =>
    `x 20260131120000 {"url":"http://example.org/","offset":"7","filename":"${filename}"}`
  expect(posted(json('100% a.warc.gz'), json('a%20b.warc.gz'))).toEqual([
    E.right(expect.stringMatching(/ 7 100%25%20a\.warc\.gz$/)),
    E.right(expect.stringMatching(/ 7 a%20b\.warc\.gz$/)),
  ])
})

const token = fc.oneof(
  fc.constantFrom(
    '-',
    'http://example.org/a?b=1&__wb_method=POST',
    'text/html;charset=x',
    '{"url":"',
    '}',
    'dns:a',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.webUrl(),
  fc.nat().map(String),
  fc.constant('20260131120000'),
)
const anyLine = fc.oneof(
  fc.array(token, { maxLength: 15 }).map((tokens) => tokens.join(' ')),
  fc
    .tuple(token, token, token, token, fc.nat(), token)
    .map(([key, url, mime, digest, offset, file]) =>
      [key, '20260131120000', url, mime, '200', digest, '-', '-', '-', offset, file].join(' '),
    ),
  fc
    .tuple(token, token, fc.nat(), token)
    .map(([key, url, offset, filename]) =>
      [key, '20260131120000', JSON.stringify({ url, offset: String(offset), filename })].join(' '),
    ),
)

it('indexing C10 whatever is kept is a line of the index, and comes to itself when it is posted again', () => {
  fc.assert(
    fc.property(anyLine, (line) => {
      const first = postedLine(line)
      if (E.isLeft(first)) return
      expect(first.right).not.toMatch(/[\n\0]/)
      expect(captureLine(first.right)).toBeDefined()
      expect(postedLine(first.right)).toEqual(first)
    }),
    { numRuns: runs(2000) },
  )
})

it('indexing C8 the line that Fonds writes of a record is the one that is posted of it', () => {
  const rest = {
    time: '20260131120000',
    mime: 'text/html',
    status: '200',
    digest: 'A',
    redirect: '-',
    flags: '-',
  }
  const url = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ maxLength: 8 }).map((path) => `http://www.Example.org:80/${path}`),
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((path) => `https://example.org/?q=${path}`),
  )
  fc.assert(
    // Records have none at the ends of their URLs.
    fc.property(
      url.filter((url) => url === url.trim()),
      (url) => {
        const line = formatLine('cdx-11', { ...rest, url, length: 9, offset: 7, file: 'a.warc.gz' })
        expect(postedLine(line)).toEqual(E.right(line))
      },
    ),
    { numRuns: runs(1000) },
  )
})
