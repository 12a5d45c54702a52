import { describe, expect, it } from 'vitest'
import { askedAs, offsetsAs } from './asked-as.ts'

const ask = askedAs('pywb')
const offsets = offsetsAs('pywb', 'output=text&fields=offset')

describe("indexing C3: pywb's dialect", () => {
  it.each([
    ['exact', 'url=http://example.com/', '0 200 300 400'],
    ['prefix', 'url=http://example.com/path&matchType=prefix', '500 600 700'],
    ['prefix that ends in a slash', 'url=http://example.com/path/&matchType=prefix', '600'],
    ['prefix that ends in a question mark', 'url=http://example.com/post%3F&matchType=prefix', '800'],
    ['prefix by a star', 'url=example.com/path/*', '600'],
    ['host', 'url=example.com&matchType=host', '0 200 300 400 500 600 700 800 990'],
    ['domain by a star', 'url=*.example.com', '0 200 300 400 500 600 700 800 900 990'],
    ['reverse', 'url=example.com&sort=reverse', '400 300 200 0'],
    ['reverse by its own word', 'url=example.com&reverse=true&limit=1', '400'],
    ['closest without sort', 'url=example.com&closest=20250101', '300 400 200 0'],
    ['closest to the end of a time that is cut', 'url=example.com&closest=2025', '400 300 200 0'],
    ['closest, the earlier of two', 'url=example.com&closest=20240101060000&limit=1', '0'],
    ['closest of many keys', 'url=example.com/path*&closest=20240601000002&limit=2', '700 600'],
    ['from and to', 'url=example.com&from=2025&to=2025', '300'],
    ['filter by a part', 'url=example.com&filter=mime:html', '0 200 400'],
    ['filter by the whole', 'url=example.com&filter==status:404', '400'],
    ['filter that must not hold', 'url=example.com&filter=!=status:200', '300 400'],
    ['filter by a pattern of the beginning', 'url=example.com&filter=~timestamp:202[56]', '300 400'],
    ['filter that no pattern may match', 'url=example.com&filter=!~url:http://www.*', '0 300 400'],
    ['filter of the whole line', 'url=example.com&filter=b.warc', '300'],
    ['filter by a letter', 'url=example.com&filter==d:BBB', '400'],
    ['collapseTime, with the status', 'url=example.com&collapseTime=4', '0 300 400'],
    [
      'collapseTime, backwards: the first of each still',
      'url=example.com&collapseTime=4&sort=reverse',
      '400 300 0',
    ],
    ['collapseTime, closest', 'url=example.com&collapseTime=4&closest=2025', '400 300 0'],
    ['limit', 'url=example.com&limit=1', '0'],
    ['page', 'url=example.com&page=0&pageSize=1', '0 200 300 400'],
    ['page behind the last', 'url=example.com&page=1&pageSize=1', ''],
    ['unknown parameters', 'url=example.com&limit=1&foo=bar', '0'],
  ])('%s: %s', async (_, query, expected) => {
    expect(await offsets(query)).toBe(expected)
  })

  it.each([
    [
      'cdxj by default, whatever is stored',
      'url=example.com&from=2025',
      'com,example)/ 20250101000000 {"url":"http://example.com/","mime":"warc/revisit","digest":"sha1:AAA","length":"90","offset":"300","filename":"b.warc.gz"}\n' +
        'com,example)/ 20260101000000 {"url":"http://example.com/","mime":"text/html","status":"404","digest":"sha1:BBB","length":"80","offset":"400","filename":"c.warc.gz"}\n',
    ],
    [
      'cdxj, fields',
      'url=example.com&limit=1&fl=urlkey,mime,statuscode',
      'com,example)/ 20240101000000 {"mime":"text/html","statuscode":"200"}\n',
    ],
    [
      'json, an object a line',
      'url=example.com&limit=1&output=json',
      '{"urlkey":"com,example)/","timestamp":"20240101000000","url":"http://example.com/","mime":"text/html","status":"200","digest":"AAA","length":"100","offset":"0","filename":"a.warc.gz"}\n',
    ],
    [
      'text, as it is stored',
      'url=example.com/path/one&output=text',
      'com,example)/path/one 20240601000001 http://example.com/path/one image/png 200 DDD - 600 a.warc.gz\n',
    ],
    [
      'link',
      'url=example.com&to=2024&output=link',
      '<http://example.com/>; rel="memento"; datetime="Mon, 01 Jan 2024 00:00:00 GMT",\n' +
        '<http://www.example.com/>; rel="memento"; datetime="Mon, 01 Jan 2024 12:00:00 GMT"',
    ],
    ['nothing', 'url=nowhere.example', ''],
    ['pages', 'url=*.example.com&showNumPages=true', '{"pages":1,"pageSize":10,"blocks":1}\n'],
    [
      'pages of nothing',
      'url=nowhere.example&showNumPages=true&pageSize=2',
      '{"pages":0,"pageSize":2,"blocks":0}\n',
    ],
  ])('output %s: %s', async (_, query, expected) => {
    expect(await ask(query)).toBe(expected)
  })

  it.each([
    ['', 'url: is missing; send the URL that is looked for'],
    ['url=a&matchType=range', 'matchType: is "range"; send exact, prefix, host, domain, default'],
    ['url=a&filter=nothing:x', 'filter: "nothing:x" names no field'],
    ['url=a&collapseTime=20', 'collapseTime: is "20"; send a whole number from 1 to 14'],
    ['url=a&pageSize=0', 'pageSize: is "0"; send a whole number from 1 to 1000'],
    ['url=a&resolveRevisits=true', 'resolveRevisits: is not offered here; leave it out'],
    ['url=a&page=1&resumeKey=x', 'resumeKey: stands beside page; send one of them'],
  ])('%s is refused, with what to send: %s', async (query, expected) => {
    expect(await ask(query)).toContain(expected)
  })
})
