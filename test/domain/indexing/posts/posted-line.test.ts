import { captureLine, formatLine } from '@fonds/cdx'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { postedLine } from '#src/domain/indexing/posts/posted-line.ts'
import { runs } from '../../../runs.ts'

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
  [
    'what was posted to a URL',
    kept.replace(')/ ', ')/?__wb_method=POST&q=1 '),
    kept.replace(')/ ', ')/?__wb_method=POST&q=1 '),
  ],
])('indexing C10 %s', (_, line, expected) => {
  expect(postedLine(line)).toEqual(E.right(expected))
})

it.each([
  ['CDX-7: where its record lies is not said', '- 20260131120000 http://example.org/ text/html 200 ABC 100'],
  ['no URL', kept.replace('http://example.org/', '-')],
  ['no time', kept.replace('20260131120000', 'yesterday')],
  ['an alias', '@alias http://example.org/a http://example.org/b'],
  ['JSON that is cut', kept.replace(/ http.*/, ' {"url":"http')],
])('indexing C10 refused: %s', (_, line) => {
  expect(E.isLeft(postedLine(line))).toBe(true)
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
