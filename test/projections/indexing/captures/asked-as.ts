import { decodeCdxRequest } from '@fonds/cdx/server'
import { isLeft } from 'fp-ts/lib/Either.js'
import { countCaptures } from '#src/projections/indexing/captures/count-captures.ts'
import { findCaptures } from '#src/projections/indexing/captures/find-captures.ts'
import { withKeysOfLines } from '#src/projections/indexing/captures/keys-with-lines.ts'
import { writtenPages } from '#src/projections/indexing/captures/written-pages.ts'
import { indexOf, sourceOf } from './given-index.ts'

const line = (
  key: string,
  time: string,
  url: string,
  mime: string,
  status: string,
  digest: string,
  place: string,
) => `${key} ${time} ${url} ${mime} ${status} ${digest} - - ${place}`

/** Lines of all formats: an index keeps them as they were written. */
export const stored = [
  line(
    'com,example)/',
    '20240101000000',
    'http://example.com/',
    'text/html',
    '200',
    'AAA',
    '100 0 a.warc.gz',
  ),
  line(
    'com,example)/',
    '20240101120000',
    'http://www.example.com/',
    'text/html',
    '200',
    'AAA',
    '100 200 a.warc.gz',
  ),
  line(
    'com,example)/',
    '20250101000000',
    'http://example.com/',
    'warc/revisit',
    '-',
    'AAA',
    '90 300 b.warc.gz',
  ),
  'com,example)/ 20260101000000 {"url":"http://example.com/","mime":"text/html","status":"404","digest":"sha1:BBB","length":"80","offset":"400","filename":"c.warc.gz"}',
  line(
    'com,example)/path',
    '20240601000000',
    'http://example.com/path/',
    'text/html',
    '200',
    'CCC',
    '100 500 a.warc.gz',
  ),
  'com,example)/path/one 20240601000001 http://example.com/path/one image/png 200 DDD - 600 a.warc.gz',
  line(
    'com,example)/pathology',
    '20240601000002',
    'http://example.com/pathology',
    'text/html',
    '200',
    'EEE',
    '100 700 a.warc.gz',
  ),
  line(
    'com,example)/post?__wb_method=post&a=1',
    '20240601000003',
    'http://example.com/post',
    'text/html',
    '200',
    'FFF',
    '100 800 a.warc.gz',
  ),
  line(
    'com,example,sub)/',
    '20240701000000',
    'http://sub.example.com/',
    'text/html',
    '301',
    'GGG',
    '100 900 a.warc.gz',
  ).replace('GGG -', 'GGG https://sub.example.com/'),
  line(
    'com,example-b)/',
    '20240701000000',
    'http://example-b.com/',
    'text/html',
    '200',
    'HHH',
    '100 950 a.warc.gz',
  ),
  line(
    'com,example:8080)/',
    '20240701000000',
    'http://example.com:8080/',
    'text/html',
    '200',
    'III',
    '100 990 a.warc.gz',
  ),
  line('org,other)/', '20240801000000', 'http://other.org/', 'text/html', '200', 'JJJ', '100 999 a.warc.gz'),
]

/** What a query string is answered with; a sentence where it is refused. */
export const askedAs = (dialect: string) => async (query: string) => {
  const asked = decodeCdxRequest(new URLSearchParams(`dialect=${dialect}&${query}`))
  if (isLeft(asked)) return asked.left.message
  const source = sourceOf(indexOf({ all: stored }))
  const { counting } = asked.right
  const wanted = await withKeysOfLines(source, asked.right)
  if (counting) return counting.say((await countCaptures(source, wanted)).lines)
  let text = ''
  for await (const page of writtenPages(asked.right, findCaptures(source, wanted))) text += page.text
  return text
}

/** Which of the stored lines are found, by their offsets: these are all different. */
export const offsetsAs = (dialect: string, fields = 'fl=offset') => {
  const ask = askedAs(dialect)
  return async (query: string): Promise<string> => {
    const answer = await ask(`${query}&${fields}`)
    return answer.trim().split('\n').join(' ')
  }
}
