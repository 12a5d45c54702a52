import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { CaptureSource } from '#src/projections/indexing/captures/capture-source.ts'
import { answerQuery } from '#src/projections/indexing/xml-query/answer-query.ts'
import { parseQuery } from '#src/projections/indexing/xml-query/parse-query.ts'
import { indexOf, sourceOf } from '../captures/given-index.ts'

const line = (path: string, time: string, digest: string) =>
  `com,example)${path} ${time} http://example.com${path} text/html 200 ${digest} - - 100 7 a.warc.gz`

const index = indexOf({
  a: [
    line('/', '20140101000000', 'A'),
    line('/', '20150101000000', 'A'),
    line('/', '20160101000000', 'B'),
    line('/about', '20150601000000', 'C'),
    `com,example)/n 20150101000000 {"url":"http://example.com/n?a&b<c","filename":"n.warc","offset":"9"}`,
  ],
})

const ask = async (q: string, more: object = {}, source: Partial<CaptureSource> = {}) => {
  const query = parseQuery({ q, ...more })
  if (!isRight(query)) throw new Error(query.left)
  let text = ''
  for await (const part of answerQuery(sourceOf(index, source), query.right, '2026-01-31T12:00:00.000Z'))
    text += part
  return text
}
const each = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value]) => value)

describe('the XML query', () => {
  it('gives captures of a URL in the order of time, each field under its name', async () => {
    const text = await ask('type:urlquery url:http%3A%2F%2Fwww.example.com%2F')
    expect(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<wayback><results><result>')).toBe(true)
    expect(text).toContain(
      '<result><compressedoffset>7</compressedoffset><compressedendoffset>100</compressedendoffset><mimetype>text/html</mimetype><file>a.warc.gz</file><redirecturl>-</redirecturl><urlkey>com,example)/</urlkey><digest>A</digest><httpresponsecode>200</httpresponsecode><robotflags>-</robotflags><url>http://example.com/</url><capturedate>20140101000000</capturedate></result>',
    )
    expect(each(text, 'capturedate')).toEqual(['20140101000000', '20150101000000', '20160101000000'])
    expect(text).toContain(
      '<request><startdate>19960101000000</startdate><enddate>20260131120000</enddate><type>urlquery</type><firstreturned>0</firstreturned><url>com,example)/</url><resultsrequested>10000</resultsrequested><resultstype>resultstypecapture</resultstype><numreturned>3</numreturned><numresults>3</numresults></request></wayback>\n',
    )
  })

  it('gives a page, and counts what is on others', async () => {
    const text = await ask('url:example.com', { count: '2', start_page: '2' })
    expect(each(text, 'capturedate')).toEqual(['20160101000000'])
    expect([each(text, 'firstreturned'), each(text, 'numreturned'), each(text, 'numresults')]).toEqual([
      ['2'],
      ['1'],
      ['3'],
    ])
  })

  it('counts up to a hundred thousand', async () => {
    const many = Array.from({ length: 100_010 }, (_, i) => line('/', String(20140101000000 + i), 'A'))
    const source = { index: indexOf({ many }) }
    const text = await ask('url:example.com', { count: '2', start_page: '3' }, source)
    expect(each(text, 'capturedate')).toEqual(['20140101000004', '20140101000005'])
    expect(each(text, 'numresults')).toEqual(['100000'])
    const last = await ask('url:example.com', { count: '1000', start_page: '101' }, source)
    expect([each(last, 'numreturned'), each(last, 'numresults')]).toEqual([['10'], ['100010']])
  })

  it('gives what is nearest to a date, in the order of time, and marks the nearest', async () => {
    const text = await ask('url:example.com date:20150901', { count: '2' })
    expect(each(text, 'capturedate')).toEqual(['20150101000000', '20160101000000'])
    expect(text.match(/<capturedate>(\d+)<\/capturedate><closest>true/)?.[1]).toBe('20160101000000')
    expect(each(text, 'closest')).toEqual(['true'])
  })

  it('keeps to a span of time', async () => {
    expect(each(await ask('url:example.com startdate:2015 enddate:2015'), 'capturedate')).toEqual([
      '20150101000000',
    ])
  })

  it('sums up the URLs that begin so', async () => {
    const text = await ask('type:prefixquery url:http%3A%2F%2Fexample.com%2F')
    expect(text).toContain(
      '<result><urlkey>com,example)/</urlkey><originalurl>http://example.com/</originalurl><numversions>2</numversions><numcaptures>3</numcaptures><firstcapturets>20140101000000</firstcapturets><lastcapturets>20160101000000</lastcapturets></result>',
    )
    expect(each(text, 'originalurl')).toHaveLength(3)
    expect(each(text, 'resultstype')).toEqual(['resultstypeurl'])
  })

  it('escapes what XML has a meaning for, and leaves out what is not known', async () => {
    const text = await ask('url:example.com/n')
    expect(text).toContain('<url>http://example.com/n?a&amp;b&lt;c</url>')
    expect(text).not.toContain('compressedendoffset')
  })

  it('says that there is none, and shows none that is hidden', async () => {
    const none =
      '<?xml version="1.0" encoding="UTF-8"?>\n<wayback><error><title>Resource Not In Archive</title><message>The resource you requested is not in this archive.</message></error></wayback>\n'
    expect(await ask('url:http://example.com/nowhere')).toBe(none)
    expect(await ask('type:prefixquery url:http://example.com/nowhere')).toBe(none)
    expect(await ask('url:example.com', {}, { isHidden: () => true })).toBe(none)
    const some = await ask('url:example.com', {}, { isHidden: ({ time }) => time < '2016' })
    expect(each(some, 'numresults')).toEqual(['1'])
  })

  it('says where it looked no further', async () => {
    expect(await ask('url:example.com', {}, { maxScanned: 2 })).toContain(
      '<!-- incomplete: 2 lines of the index were looked at, and there are more --></wayback>',
    )
  })
})
