import * as E from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { postedLine } from '#src/domain/indexing/posts/posted-line.ts'

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
