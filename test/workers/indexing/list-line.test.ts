import { expect, it } from 'vitest'
import { readListLine } from '#src/workers/indexing/listing/list-line.ts'

const file = (name: string, place?: object, fileKind?: string) => ({ kind: 'file', name, place, fileKind })

it.each([
  ['/srv/warcs/a.warc.gz', file('a.warc.gz', { location: '/srv/warcs/a.warc.gz' })],
  ['  /srv/my crawls/a.warc\r', file('a.warc', { location: '/srv/my crawls/a.warc' })],
  [
    'https://host.example/x/a%2B1.warc?key=1',
    file('a+1.warc', { location: 'https://host.example/x/a%2B1.warc?key=1' }),
  ],
  ['https://host.example/a%ZZ.warc', file('a%ZZ.warc', { location: 'https://host.example/a%ZZ.warc' })],
  ['a.warc.gz', file('a.warc.gz')],
  [
    '{"location":"/srv/a.bin","size":3,"modifiedAt":"2026-01-31T13:00:00+01:00","kind":"metadata"}',
    file('a.bin', { location: '/srv/a.bin', size: 3, modifiedAt: '2026-01-31T12:00:00.000Z' }, 'metadata'),
  ],
  [
    '{"location":"https://host.example/get?id=7","name":"a.warc"}',
    file('a.warc', { location: 'https://host.example/get?id=7' }),
  ],
])('%s is a file', (line, listed) => {
  expect(readListLine(line)).toEqual(listed)
})

it.each(['', '   ', '# names of 2025'])('"%s" is nothing', (line) => {
  expect(readListLine(line)).toBeUndefined()
})

it.each([
  ['warcs/a.warc', /location: wants absolute path/],
  ['/srv/', /names no file/],
  ['/srv/a\tb.warc', /control character/],
  ['/srv/', /names no file/],
  ['{"location":"/srv/a.warc"', /no JSON/],
  ['{"location":"/srv/a.warc","size":-1}', /size: wants whole number/],
  ['{"size":1}', /names no file/],
  ['{"location":"/srv/a.warc","name":"x/y"}', /name/],
])('%s is skipped with a reason', (line, reason) => {
  const listed = readListLine(line)
  expect(listed).toMatchObject({ kind: 'skipped', what: line })
  expect(listed && 'reason' in listed && listed.reason).toMatch(reason)
})
