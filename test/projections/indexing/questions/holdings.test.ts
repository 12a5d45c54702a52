import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { Aspects, holdings } from '#src/projections/indexing/questions/holdings.ts'
import { indexOf, sourceOf } from '../captures/given-index.ts'

const line = (key: string, time: string, mime = 'text/html', status = '200') =>
  `${key} ${time} http://u/ ${mime} ${status} AAAA - - 512 0 a.warc.gz`
const lines = [
  line('org,example)/', '20250301000000'),
  line('org,example)/', '20260131120000'),
  line('org,example)/b', '20260131120000', 'TEXT/html'),
  line('org,example,sub:8080)/', '20260131120000', 'image/png', '404'),
  line('dns:example.org', '20260131120000', 'text/dns'),
]
const all = { keys: { ranges: [{ from: '' }] } }
const { signal } = new AbortController()
const source = (more = {}) => sourceOf(indexOf({ a: lines }), more)

describe('holdings', () => {
  it('are counted by what is asked for, the most first', async () => {
    const by = await holdings(source(), all, ['year', 'type'], signal)
    expect(by.lines.map(({ year, type, captures }) => [year, type, captures])).toEqual([
      ['2026', 'text/html', 2],
      ['2025', 'text/html', 1],
      ['2026', 'image/png', 1],
      ['2026', 'text/dns', 1],
    ])
    const hosts = await holdings(source(), all, ['host'], signal)
    expect(hosts.lines.map(({ host, captures }) => [host, captures])).toEqual([
      ['example.org', 3],
      ['dns:', 1],
      ['sub.example.org:8080', 1],
    ])
    expect(hosts.lines[0]).toEqual({
      ...{ host: 'example.org', type: null, year: null, status: null },
      ...{ captures: 3, others: false },
    })
  })

  it('C2 have no line that is hidden, and say when not all were counted', async () => {
    const seen = await holdings(source({ isHidden: () => true }), all, ['status'], signal)
    expect(seen).toEqual({ lines: [], captures: 0, isCut: false })
    expect(await holdings(source({ maxScanned: 2 }), all, ['status'], signal)).toMatchObject({
      ...{ captures: 2, isCut: true },
    })
  })

  it('of more rows than there is room for count the rest together', async () => {
    const { lines, captures } = await holdings(source(), all, ['host'], signal, 1)
    expect(lines.map(({ host, captures, others }) => [host, captures, others])).toEqual([
      ['dns:', 1, false],
      [null, 4, true],
    ])
    expect(captures).toBe(5)
  })

  it.each([
    ['host,year,host', ['host', 'year']],
    ['mime', undefined],
    ['', undefined],
  ])('by %j', (text, names) => {
    const read = Aspects.decode(text)
    expect(isRight(read) ? read.right : undefined).toEqual(names)
  })
})
