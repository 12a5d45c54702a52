import { describe, expect, it } from 'vitest'
import { askedAs, offsetsAs } from './asked-as.ts'

const ask = askedAs('outbackcdx')
const offsets = offsetsAs('outbackcdx')

describe("indexing C3: OutbackCDX's dialect", () => {
  it.each([
    ['exact', 'url=http://example.com/', '0 200 300 400'],
    [
      'exact, whatever the case of host and words',
      'url=HTTP://WWW.EXAMPLE.com&matchType=EXACT',
      '0 200 300 400',
    ],
    ['exact, by key', 'urlkey=com,example)/path', '500'],
    ['prefix', 'url=http://example.com/path&matchType=prefix', '500 600 700'],
    ['prefix that ends in a slash', 'url=http://example.com/path/&matchType=prefix', '600'],
    ['prefix by a star', 'url=example.com/path*', '500 600 700'],
    ['prefix by a star behind a slash', 'url=example.com/path/*', '600'],
    ['no star where matchType is given', 'url=example.com/path*&matchType=exact', ''],
    ['host, with its ports', 'url=example.com&matchType=host', '0 200 300 400 500 600 700 800 990'],
    ['domain', 'url=example.com&matchType=domain', '0 200 300 400 500 600 700 800 900 990'],
    ['domain by a star', 'url=*.example.com', '0 200 300 400 500 600 700 800 900 990'],
    ['range', 'url=http://example-b.com/&matchType=range', '950 990 999'],
    ['request with a body', 'url=http://example.com/post&method=POST&requestBody=a%3D1', '800'],
    [
      'request with a body of JSON',
      'url=http://example.com/post&method=post&requestBody=%7B%22a%22%3A1%7D',
      '800',
    ],
    [
      'no other request at a URL with a fragment',
      'url=http://example.com/path%23x&method=POST&requestBody=a%3D1',
      '',
    ],
    ['requests at several URLs', 'url=http://example.com/po*&method=POST', '800'],
    ['requests at several URLs by their body', 'url=example.com/po*&method=POST&requestBody=a%3D1', '800'],
    [
      'no request at several URLs that has more than that body',
      'url=example.com/po*&method=POST&requestBody=',
      '',
    ],
    ['reverse', 'url=example.com&sort=reverse', '400 300 200 0'],
    ['closest', 'url=example.com&sort=closest&closest=20250101', '300 400 200 0'],
    ['closest, the later of two', 'url=example.com&sort=closest&closest=20240101060000&limit=1', '200'],
    ['closest with no time', 'url=example.com&sort=closest&closest=', '0 200 300 400'],
    [
      "pywb's fuzzy pass",
      'url=http://example.com/path&matchType=prefix&closest=&sort=closest',
      '500 600 700',
    ],
    [
      "pywb's request",
      'url=http%3A%2F%2Fexample.com%2F&closest=20240101&sort=closest&limit=100',
      '0 200 300 400',
    ],
    ['from and to, inclusive', 'url=example.com&from=2025&to=20260101000000', '300 400'],
    ['to, padded', 'url=example.com&to=2024', '0 200'],
    ['filter by a whole pattern', 'url=example.com&filter=statuscode:20', ''],
    ['filter by a pattern', 'url=example.com&filter=status:2..', '0 200'],
    ['filter that must not hold', 'url=example.com&filter=!mimetype:warc/.*', '0 200 400'],
    ['filter by a part', 'url=example.com&filter=~original:www', '200'],
    ['filter by what is no part', 'url=example.com&filter=~!filename:a.warc', '300 400'],
    ['several filters', 'url=example.com&filter=digest:AAA&filter=!status:200', '300'],
    ['collapse', 'url=example.com&collapse=timestamp:8', '0 300 400'],
    ['collapseToFirst', 'url=example.com&collapseToFirst=digest', '0 400'],
    ['collapseToLast', 'url=example.com&collapseToLast=digest', '300 400'],
    ['limit', 'url=example.com&limit=2', '0 200'],
    ['self-redirects left out', 'url=sub.example.com&omitSelfRedirects=true', ''],
    ['self-redirects', 'url=sub.example.com', '900'],
    ['nothing found', 'url=http://nowhere.example/', ''],
    ['unknown parameters', 'url=example.com&limit=1&page=3&foo=bar', '0'],
  ])('%s: %s', async (_, query, expected) => {
    expect(await offsets(query)).toBe(expected)
  })

  it.each([
    [
      'cdx, 11 columns whatever is stored',
      'url=example.com&from=2026',
      'com,example)/ 20260101000000 http://example.com/ text/html 404 BBB - - 80 400 c.warc.gz\n',
    ],
    [
      'cdx9',
      'url=example.com&limit=1&output=cdx9',
      'com,example)/ 20240101000000 http://example.com/ text/html 200 AAA - 0 a.warc.gz\n',
    ],
    [
      'cdx14',
      'url=example.com&limit=1&output=cdx14',
      'com,example)/ 20240101000000 http://example.com/ text/html 200 AAA - - 100 0 a.warc.gz - - -\n',
    ],
    ['cdx of nothing', 'url=nowhere.example', ''],
    [
      'fl',
      'url=example.com&limit=1&fl=timestamp,original,mime,redirecturl',
      '20240101000000 http://example.com/ text/html -\n',
    ],
    [
      'json: arrays, the names first',
      'url=example.com&from=2025&output=json&fl=urlkey,timestamp,statuscode,length',
      '[["urlkey","timestamp","statuscode","length"],\n["com,example)/",20250101000000,"-",90],\n["com,example)/",20260101000000,404,80]]\n',
    ],
    ['json of nothing', 'url=nowhere.example&output=json', '[]\n'],
    [
      'jsondict',
      'url=example.com&limit=1&output=jsondict',
      '[{"urlkey":"com,example)/","timestamp":20240101000000,"original":"http://example.com/","mimetype":"text/html","statuscode":200,"digest":"AAA","redirecturl":"-","robotflags":"-","length":100,"offset":0,"filename":"a.warc.gz"}]\n',
    ],
    [
      'cdxj',
      'url=example.com&limit=1&output=cdxj',
      'com,example)/ 20240101000000 {"url":"http://example.com/","mime":"text/html","status":"200","digest":"sha1:AAA","length":"100","offset":"0","filename":"a.warc.gz"}\n',
    ],
  ])('output %s: %s', async (_, query, expected) => {
    expect(await ask(query)).toBe(expected)
  })

  it.each([
    ['', 'url: is missing; send the URL that is looked for, or its key as urlkey'],
    ['url=a&urlkey=b', 'urlkey: stands beside url; send one of them'],
    ['url=a&matchType=all', 'matchType: is "all"; send exact, prefix, host, domain, range, default'],
    ['url=a&sort=up', 'sort: is "up"; send default, reverse, closest'],
    ['url=a&limit=-1', 'limit: is "-1"; send a whole number from 0 to 1000000000'],
    [
      'url=a&from=yesterday',
      'from: is "yesterday"; send 1 to 14 digits of a time, such as 20260131 or 20260131120000',
    ],
    ['url=a&output=xml', 'output: is "xml"; send cdx, cdx9, cdx11, cdx14, json, jsondict, cdxj'],
    ['url=a&filter=200', 'filter: "200" has no field; send [~][!]field:expression'],
    ['url=a&filter=x:200', 'filter: "x:200" names no field: there is no field "x"; there are urlkey'],
    ['url=a&filter=status:(', 'filter: "status:(" is no pattern of RE2'],
    ['url=a&filter=status:(%3F!2)', 'there is no look-around and no back reference'],
    [
      'url=a&filter=status:(a{30}){30}(b{30}){30}',
      'filter: "status:(a{30}){30}(b{30}){30}" is too large when it is written out; send a simpler pattern',
    ],
    [`url=a&filter=status:${'.'.repeat(1001)}`, 'is longer than 1000 characters; send a shorter pattern'],
    [`url=a${'&filter=status:200'.repeat(21)}`, 'filter: comes 21 times; send 20 at most'],
    [
      'url=a&collapse=x',
      'collapse: is "x"; send a field, or a field and a number of characters (timestamp:8)',
    ],
    ['url=a&fl=urlkey,constructor', 'fl: there is no field "constructor"; there are urlkey, timestamp'],
    ['url=a&resumeKey=x', 'resumeKey: is "x"; send it as an answer gave it'],
  ])('%s is refused, with what to send: %s', async (query, expected) => {
    expect(await ask(query)).toContain(expected)
  })
})
