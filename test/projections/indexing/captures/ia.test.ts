import { describe, expect, it } from 'vitest'
import { askedAs, offsetsAs } from './asked-as.ts'

const ask = askedAs('ia')
const offsets = offsetsAs('ia')

describe("indexing C3: the Internet Archive's dialect", () => {
  it.each([
    ['exact', 'url=http://example.com/', '0 200 300 400'],
    ['prefix', 'url=example.com/path&matchType=prefix', '500 600 700'],
    ['prefix by a star', 'url=example.com/path/*', '600'],
    ['host', 'url=example.com/path&matchType=host', '0 200 300 400 500 600 700 800 990'],
    ['domain', 'url=example.com/path&matchType=domain', '0 200 300 400 500 600 700 800 900 990'],
    ['domain by a star', 'url=*.example.com/', '0 200 300 400 500 600 700 800 900 990'],
    ['reverse', 'url=example.com&sort=reverse', '400 300 200 0'],
    ['closest', 'url=example.com&sort=closest&closest=20250101', '300 400 200 0'],
    ['from and to', 'url=example.com&from=2024&to=2025', '0 200 300'],
    ['filter by the whole field', 'url=example.com&filter=statuscode:20', ''],
    ['filter by a pattern', 'url=example.com&filter=statuscode:2..', '0 200'],
    ['filter that must not hold', 'url=example.com&filter=!statuscode:200', '300 400'],
    ['filter of a field by its number', 'url=example.com&filter=4:200', '0 200'],
    ['filter of the whole line', 'url=example.com&filter=.*b.warc.*', '300'],
    ['collapse', 'url=example.com&collapse=digest', '0 400'],
    ['collapse by some characters', 'url=example.com&collapse=timestamp:4', '0 300 400'],
    ['several collapses', 'url=example.com&collapse=timestamp:4&collapse=digest', '0 400'],
    ['limit', 'url=example.com&limit=2', '0 200'],
    ['the last ones', 'url=example.com&limit=-2', '300 400'],
    ['the last ones, collapsed', 'url=example.com&limit=-2&collapse=digest', '0 400'],
    ['fastLatest', 'url=example.com&fastLatest=true', '400'],
    ['fastLatest with a limit', 'url=example.com&fastLatest=true&limit=-3', '200 300 400'],
    ['offset', 'url=example.com&offset=1&limit=2', '200 300'],
    ['page', 'url=example.com&page=0', '0 200 300 400'],
    ['page behind the last', 'url=example.com&page=1', ''],
    ['a page below 0 is none', 'url=example.com&page=-1', '0 200 300 400'],
    ['unknown parameters', 'url=example.com&limit=1&foo=bar', '0'],
  ])('%s: %s', async (_, query, expected) => {
    expect(await offsets(query)).toBe(expected)
  })

  it.each([
    [
      'text, 7 fields',
      'url=example.com&from=2026',
      'com,example)/ 20260101000000 http://example.com/ text/html 404 BBB 80\n',
    ],
    [
      'json: texts in arrays, the names first',
      'url=example.com&limit=1&output=json&fl=timestamp,statuscode',
      '[["timestamp","statuscode"],\n["20240101000000","200"]]\n',
    ],
    ['json of nothing', 'url=nowhere.example&output=json', '[]\n'],
    [
      'duplicates, counted',
      'url=example.com&showDupeCount=true&output=json',
      [
        '[["urlkey","timestamp","original","mimetype","statuscode","digest","length","dupecount"]',
        '["com,example)/","20240101000000","http://example.com/","text/html","200","AAA","100","0"]',
        '["com,example)/","20240101120000","http://www.example.com/","text/html","200","AAA","100","1"]',
        '["com,example)/","20250101000000","http://example.com/","warc/revisit","-","AAA","90","2"]',
        '["com,example)/","20260101000000","http://example.com/","text/html","404","BBB","80","0"]]\n',
      ].join(',\n'),
    ],
    [
      'duplicates behind a filter, in the order of fields that was asked for',
      'url=example.com&showDupeCount=true&fl=dupecount,offset&filter=mimetype:text/html',
      '0 0\n1 200\n0 400\n',
    ],
    // Since 2022 at least, web.archive.org shows no more columns for it.
    [
      'revisits, resolved',
      'url=example.com&resolveRevisits=true&from=2024&to=2025',
      'com,example)/ 20240101000000 http://example.com/ text/html 200 AAA 100\n' +
        'com,example)/ 20240101120000 http://www.example.com/ text/html 200 AAA 100\n' +
        'com,example)/ 20250101000000 http://example.com/ text/html 200 AAA 90\n',
    ],
    [
      'the records that revisits repeat',
      'url=example.com&resolveRevisits=true&showDupeCount=true&fl=offset,mime,orig.offset,orig.filename,orig.length,dupecount',
      '0 text/html - - - 0\n200 text/html - - - 1\n300 text/html 0 a.warc.gz 100 2\n400 text/html - - - 0\n',
    ],
    [
      'a revisit whose original is not in the answer, as it is',
      'url=example.com&resolveRevisits=true&from=2025&to=2025&fl=mimetype,statuscode,digest',
      'warc/revisit - AAA\n',
    ],
    [
      'the last ones, resolved as far as they go',
      'url=example.com&resolveRevisits=true&limit=-3&fl=offset,mimetype',
      '200 text/html\n300 text/html\n400 text/html\n',
    ],
    ['pages', 'url=*.example.com&showNumPages=true', '1\n'],
    // Its ZipNumIndex.getNthPage: `if (numPages < 1) numPages = 1`; no iterator, and so no text, if `page >= numPages`.
    ['pages of nothing', 'url=nowhere.example&showNumPages=true', '1\n'],
    ['the first page of nothing, in json', 'url=nowhere.example&page=0&output=json', '[]\n'],
    [
      'a page whose captures are filtered out, in json',
      'url=example.com&page=0&filter=mimetype:x&output=json',
      '[]\n',
    ],
    ['a page behind the last, in json', 'url=example.com&page=1&output=json', ''],
    [
      'a page behind the last, nearest first',
      'url=example.com&page=9&sort=closest&closest=2025&output=json',
      '',
    ],
    [
      'resume key',
      'url=example.com&limit=1&showResumeKey=true&fl=timestamp',
      '20240101000000\n\ncom%2Cexample)%2F+20240101000000+1\n',
    ],
    [
      'resume key in json',
      'url=example.com&limit=1&showResumeKey=true&fl=timestamp&output=json',
      '[["timestamp"],\n["20240101000000"],\n[],\n["com%2Cexample)%2F+20240101000000+1"]]\n',
    ],
    [
      'no resume key behind the last ones',
      'url=example.com&limit=-2&showResumeKey=true&fl=offset',
      '300\n400\n',
    ],
    [
      'no resume key where there is no more',
      'url=example.com&limit=4&showResumeKey=true&fl=offset',
      '0\n200\n300\n400\n',
    ],
  ])('output %s: %s', async (_, query, expected) => {
    expect(await ask(query)).toBe(expected)
  })

  it('wayback 0.5.1 (PyPI) and waybackpack 0.6.4 get what they ask for', async () => {
    const first = 'url=example.com&limit=3&showResumeKey=true&resolveRevisits=true'
    const [lines = '', key = ''] = (await ask(first)).split('\n\n')
    expect(lines.split('\n').map((line) => line.split(' ').slice(3, 5).join(' '))).toEqual(
      Array(3).fill('text/html 200'),
    )
    expect(await offsets(`${first}&resumeKey=${encodeURIComponent(key.trim())}`)).toBe('400')
    const [names, ...rows] = JSON.parse(await ask('url=example.com&showDupeCount=true&output=json'))
    const unique = rows.filter((row: readonly string[]) => row[names.indexOf('dupecount')] === '0')
    expect(unique.map((row: readonly string[]) => row[1])).toEqual(['20240101000000', '20260101000000'])
  })

  it.each(['com%2Cexample)%2F+20240101000000+1', 'com%252Cexample)%252F%2B20240101000000%2B1'])(
    'goes on behind a resume key, encoded once or twice: %s',
    async (key) => {
      expect(await offsets(`url=example.com&limit=2&resumeKey=${key}`)).toBe('200 300')
    },
  )

  it.each([
    ['url=a&matchType=range', 'matchType: is "range"'],
    ['url=a&limit=-1&sort=reverse', 'limit: asks for the last captures; leave out sort, page and resumeKey'],
    ['url=a&pageSize=51', 'pageSize: is "51"; send a whole number from 1 to 50'],
    ['url=a&showSkipCount=true', 'showSkipCount: is not offered here; leave it out'],
    ['url=a&showDupeCount=true&limit=-1', 'showDupeCount: counts from the first capture on'],
    ['url=a&showDupeCount=true&fastLatest=true', 'showDupeCount: counts from the first capture on'],
    ['url=a&showDupeCount=true&sort=closest&closest=2025', 'showDupeCount: counts from the first capture on'],
    ['url=a&fl=timestamp,dupecount', 'fl: there is no field "dupecount"'],
    ['url=a&output=cdxj', 'output: is "cdxj"; send text, json'],
  ])('%s is refused, with what to send: %s', async (query, expected) => {
    expect(await ask(query)).toContain(expected)
  })
})
