import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { s3ServerSuite } from '../contracts/s3-server.ts'
import { each, one } from './s3/xml.ts'
import { type S3Calls, s3Calls } from './s3-calls.ts'
import { type S3Server, seedObject, seedParts, slowDown, startS3 } from './s3-server.ts'

describe('the stub of S3', () => {
  s3ServerSuite(async () => {
    const server = await startS3()
    return { calls: s3Calls(server.endpoint), dispose: server.close }
  })
})

describe('faults of the stub', () => {
  let server: S3Server
  let calls: S3Calls

  beforeEach(async () => {
    server = await startS3({ checksDate: true })
    calls = s3Calls(server.endpoint)
    seedObject(server.bucket('bucket'), 'a', '0123456789')
  })
  afterEach(async () => {
    await calls.close()
    await server.close()
  })

  const get = () => calls.call('GET', '/bucket/a')
  const put = () => calls.call('PUT', '/bucket/b', { body: 'new' })
  const isKept = () => server.bucket('bucket').current('b') !== undefined

  it('an answer in its place: the request is counted, and not carried out', async () => {
    server.beforeEach(({ kind }) => (kind === 'PutObject' ? slowDown : undefined))
    const reply = await put()
    expect([reply.status, one(reply.body.toString(), 'Code')]).toEqual([503, 'SlowDown'])
    expect([isKept(), server.count('PutObject')]).toEqual([false, 1])
    expect((await get()).status).toBe(200)
  })

  it('a connection that is cut, before and behind the work', async () => {
    server.beforeEach(() => ({ kind: 'refuse' }))
    await expect(put()).rejects.toThrow()
    expect(isKept()).toBe(false)
    server.beforeEach(() => ({ kind: 'lose' }))
    await expect(put()).rejects.toThrow()
    expect(isKept()).toBe(true)
  })

  it.each([
    { kind: 'cut', afterBytes: 4 },
    { kind: 'length', contentLength: 20 },
  ] as const)('an answer that ends early: $kind', async (fault) => {
    server.beforeEach(() => fault)
    await expect(get()).rejects.toThrow()
  })

  it('an answer that claims fewer bytes than there are', async () => {
    server.beforeEach(() => ({ kind: 'length', contentLength: 4 }))
    expect((await get()).body.toString()).toBe('0123')
  })

  it('a clock that is an hour off, and keys that have run out', async () => {
    server.skewMillis = 3_600_000
    const skewed = await get()
    expect([skewed.status, one(skewed.body.toString(), 'Code')]).toEqual([403, 'RequestTimeTooSkewed'])
    server.skewMillis = 0
    server.hasExpired = true
    expect(one((await get()).body.toString(), 'Code')).toBe('ExpiredToken')
  })

  const names = async (query: Record<string, string> = {}) => {
    const reply = await calls.call('GET', '/bucket', { query: { 'list-type': '2', ...query } })
    return {
      names: each(reply.body.toString(), 'Key'),
      token: one(reply.body.toString(), 'NextContinuationToken'),
    }
  }

  it('lists that are behind, while HEAD is not', async () => {
    const frozen = server.bucket('bucket').freezeListing()
    await put()
    expect((await names()).names).toEqual(['a'])
    expect((await calls.call('HEAD', '/bucket/b')).status).toBe(200)
    frozen.thaw()
    expect((await names()).names).toEqual(['a', 'b'])
  })

  it('ten million names, of which none is kept', async () => {
    const nameOf = (at: number) => String(at).padStart(8, '0')
    server.bucket('bucket').names = function* (key) {
      const begin = Number(key.padEnd(8, '0').slice(0, 8)) || 0
      for (let at = begin; at < 10_000_000; at++) yield { key: nameOf(at), size: at }
    }
    const first = await names()
    expect([first.names.length, first.names[999]]).toEqual([1000, nameOf(999)])
    const second = await names({ 'continuation-token': first.token ?? '' })
    expect(second.names[0]).toBe(nameOf(1000))
    const last = await names({ 'start-after': nameOf(9_999_998) })
    expect(last).toEqual({ names: [nameOf(9_999_999)], token: undefined })
  })

  it('objects of parts of any size', async () => {
    seedParts(server.bucket('bucket'), 'parts', ['one', 'two'])
    const reply = await calls.call('HEAD', '/bucket/parts', { query: { partNumber: '1' } })
    expect(reply.headers).toMatchObject({ 'content-length': '3', 'x-amz-mp-parts-count': '2' })
  })
})
