import { describe, expect, it } from 'vitest'
import { headIn, unchunked } from '#infra/s3/direct/head.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('the head of an answer', () => {
  it('has a status, and headers by their names in lower case', () => {
    const text = 'HTTP/1.1 206 Partial Content\r\nETag: "a: b"\r\nX-Amz-Meta-A:\r\nvia: 1\r\nVia:  2 \r\n\r\n'
    const headers = { etag: '"a: b"', 'x-amz-meta-a': '', via: '1,2' }
    expect(headIn(bytes(`${text}body`))).toEqual({
      ...{ status: 206, headers, isKept: true },
      length: text.length,
    })
    expect(headIn(bytes('HTTP/1.0 200\r\n\r\n'))).toMatchObject({ status: 200, headers: {} })
  })

  it('stands behind interim answers', () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'
    const own = 'HTTP/1.1 200 OK\r\na: b\r\n\r\n'
    expect(headIn(bytes(interim))).toBeUndefined()
    expect(headIn(bytes(interim + own))).toEqual({
      ...{ status: 200, headers: { a: 'b' }, isKept: true },
      length: interim.length + own.length,
    })
  })

  it.each([
    ['HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\n', true],
    ['HTTP/1.1 200 OK\r\nConnection: Close\r\n\r\n', false],
    ['HTTP/1.1 200 OK\r\nConnection: te, close\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\n\r\n', false],
  ])('tells in %j whether the connection stays', (text, isKept) =>
    expect(headIn(bytes(text))).toMatchObject({ isKept }),
  )

  it.each(['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\na: b\r\n\r'])('is not whole in %j', (text) =>
    expect(headIn(bytes(text))).toBeUndefined(),
  )

  it.each([
    'SSH-2.0-OpenSSH\r\n\r\n',
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 0200 OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\n: no name\r\n\r\n',
    'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    `HTTP/1.1 200 OK\r\na: ${'b'.repeat(70_000)}`,
  ])('is not in %j', (text) =>
    expect(() => headIn(bytes(text))).toThrow(expect.objectContaining({ code: 'InvalidAnswer' })),
  )
})

describe('a body in chunks', () => {
  it.each([
    ['5\r\nhello\r\n0\r\n\r\n', 'hello'],
    ['2;name=value\r\nhe\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n', 'he0123456789'],
    ['0\r\n\r\n', ''],
  ])('%j is read', (text, content) => expect(unchunked(bytes(text))?.toString()).toBe(content))

  it.each(['', '5\r\nhel', '5\r\nhello\r\n', 'x\r\nhello\r\n0\r\n\r\n', '-1\r\n'])(
    '%j is not whole',
    (text) => expect(unchunked(bytes(text))).toBeUndefined(),
  )
})
