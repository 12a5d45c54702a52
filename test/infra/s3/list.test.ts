import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareKeys } from '../../../infra/s3/key-order.ts'
import { type Fault, seedObject } from '../../fakes/s3-server.ts'
import { runs } from '../../runs.ts'
import { keysOf, type OpenedStub, openStub } from './opening.ts'

const bytesOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Characters that XML, addresses or the order of UTF-16 make something else of. */
const hostile = fc.constantFrom(
  ...[
    '/',
    '+',
    ' ',
    '%',
    '%20',
    '%2F',
    '&',
    '<',
    '>',
    '"',
    "'",
    '&#13;',
    ']]>',
    '\r',
    '\n',
    '\t',
    '\u0001',
    '\u007f',
  ],
  ...[
    '\u0085',
    '\u2028',
    '\ufffd',
    '\ufffe',
    '\ufeff',
    '\uff5e',
    '\u{1f600}',
    'e\u0301',
    'é',
    '.',
    '..',
    '~',
    '*',
    '\\',
  ],
)
const key = fc.array(fc.oneof(hostile, fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme-ascii' })), {
  minLength: 1,
  maxLength: 6,
})

describe('the order of keys', () => {
  it('is that of their bytes', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      key.map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, text, (a, b) => Math.sign(compareKeys(a, b)) === Math.sign(bytesOrder(a, b))),
      { numRuns: runs(2000) },
    )
  })
})

describe('a listing', () => {
  let stub: OpenedStub
  beforeEach(async () => {
    stub = await openStub({ attempts: 2 })
  })
  afterEach(() => stub.close())

  it('has each key as it was put, in the order of their bytes, whatever its characters', async () => {
    const sets = fc.uniqueArray(
      key.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(sets, async (keys) => {
        for (const old of stub.server.bucket('bucket').keys) stub.server.bucket('bucket').remove(old, 'null')
        for (const one of keys) await stub.bucket.put(one, Buffer.from(one))
        expect(await keysOf(stub.bucket.list())).toEqual(keys.toSorted(bytesOrder))
        const under = [...(keys[0] ?? '')].slice(0, 1).join('')
        expect(await keysOf(stub.bucket.list({ prefix: under }))).toEqual(
          keys.filter((one) => one.startsWith(under)).toSorted(bytesOrder),
        )
        expect(await stub.bucket.deleteAll(keys)).toEqual([])
        expect(await keysOf(stub.bucket.list())).toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })

  it('goes on over pages, and begins behind a key', async () => {
    const keys = Array.from({ length: 2500 }, (_, i) => `key ${String(i).padStart(4, '0')}`)
    for (const one of keys) seedObject(stub.server.bucket('bucket'), one, '')
    expect(await keysOf(stub.bucket.list())).toEqual(keys)
    expect(stub.server.count('ListObjects')).toBe(3)
    expect(await keysOf(stub.bucket.list({ startAfter: 'key 2400' }))).toEqual(keys.slice(2401))
  })

  it('gives what has a delimiter as a common prefix', async () => {
    for (const one of ['a', 'a/b', 'a/c/d', 'b/x']) seedObject(stub.server.bucket('bucket'), one, '')
    const pages = []
    for await (const { objects, prefixes } of stub.bucket.list({ delimiter: '/' }))
      pages.push([objects.map(({ key }) => key), prefixes])
    expect(pages).toEqual([[['a'], ['a/', 'b/']]])
  })

  it('a server that says it encodes and does not is read as it is', async () => {
    for (const one of ['x+y', 'x%20y', 'ü', '\ufffd']) seedObject(stub.server.bucket('bucket'), one, '')
    stub.server.beforeEach(({ query }) => {
      if (!query.has('encoding-type')) return undefined
      const keys = ['x%20y', 'x+y', 'ü', '\ufffd']
      return answering(`<EncodingType>url</EncodingType>${keys.map(contents).join('')}`)
    })
    expect(await keysOf(stub.bucket.list())).toEqual(['x%20y', 'x+y', 'ü', '\ufffd'])
  })

  const contents = (name: string) =>
    `<Contents><Key>${name}</Key><Size>1</Size><ETag>"e"</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`
  const answering = (inner: string): Fault => ({
    kind: 'answer',
    answer: { status: 200, body: `<?xml version="1.0"?>\n<ListBucketResult>${inner}</ListBucketResult>` },
  })
  const more = '<IsTruncated>true</IsTruncated>'
  const token = (name: string) => `<NextContinuationToken>${name}</NextContinuationToken>`

  it.each([
    ['an order that breaks', `${contents('b')}${contents('a')}`, /not in byte order: "a" comes after "b"/],
    ['a key given twice', `${contents('a')}${contents('a')}`, /not in byte order/],
    ['the same page again', `${more}${token('t')}${contents('a')}`, /not in byte order/],
    ['the same empty page again', `${more}${token('t')}`, /comes to no end/],
    ['more without a token', `${more}${contents('a')}`, /has no NextContinuationToken/],
    ['an object without a size', '<Contents><Key>a</Key></Contents>', /<Contents> without <Size>/],
    ['a size that is none', contents('a').replace('<Size>1', '<Size>-1'), /<Size> that makes no sense/],
    ['a date that is none', contents('a').replace('2026-', 'x'), /<LastModified> that makes no sense/],
    ['no XML', '<Contents>', /no XML/],
    ['a document type', '</ListBucketResult><!DOCTYPE x><ListBucketResult>', /no XML/],
    ['a CR in a key of a server that does not encode', contents('a\rb'), /CR/],
  ])('%s is a failure, and not the end', async (_, inner, message) => {
    stub.server.beforeEach(() => answering(inner))
    await expect(keysOf(stub.bucket.list())).rejects.toMatchObject({
      code: 'InvalidAnswer',
      message: expect.stringMatching(message),
    })
  })

  it.each([
    ['another document', '<Other/>', /answered with <Other>/],
    ['a page of a proxy', '<html><body>Login</body></html>', /answered with <html>/],
    ['nothing', '', /no XML/],
  ])('%s is no empty listing', async (_, body, message) => {
    stub.server.beforeEach(() => ({ kind: 'answer', answer: { status: 200, body } }))
    await expect(keysOf(stub.bucket.list())).rejects.toThrow(message)
  })

  it('does not end at a thousand empty pages, and comes to an end', async () => {
    let page = 0
    stub.server.beforeEach(() => answering(page++ < 20 ? `${more}${token(`t${page}`)}` : contents('a')))
    expect(await keysOf(stub.bucket.list())).toEqual(['a'])
    stub.server.beforeEach(() => answering(`${more}${token(`t${page++}`)}`))
    await expect(keysOf(stub.bucket.list())).rejects.toThrow(/comes to no end/)
  })

  it('of many names takes the memory of one page', async () => {
    const count = 60_000
    stub.server.bucket('bucket').names = function* (from) {
      const first = from === '' ? 0 : Number(/\d+/.exec(from)?.[0] ?? 0)
      for (let i = first; i < count; i++)
        yield { key: `key/${String(i).padStart(9, '0')}`, size: 1, etag: 'e', modifiedAt: new Date(0) }
    }
    let found = 0
    let most = 0
    const before = process.memoryUsage().heapUsed
    for await (const { objects } of stub.bucket.list()) {
      found += objects.length
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }
    expect(found).toBe(count)
    expect(most).toBeLessThan(200 * 1024 ** 2)
  })
})
