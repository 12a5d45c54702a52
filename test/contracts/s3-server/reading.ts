import { describe, expect, test } from 'vitest'
import { codeOf, type S3Tools } from './tools.ts'

/** Bytes, ranges, metadata, archived objects. */
export const readingFacts = (tools: S3Tools): void => {
  const { fact, call, put, head } = tools

  describe('reading', () => {
    test.each([
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=5-2', 200, '0123456789', undefined],
      ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ])('a range %s', async (range, status, text, contentRange) => {
      await put('a', '0123456789')
      const reply = await call('GET', 'a', { headers: { range } })
      expect([reply.status, reply.body.toString(), reply.headers['content-range']]).toEqual([
        status,
        text,
        contentRange,
      ])
    })

    test('a range from the end on is none', async () => {
      await put('a', '0123456789')
      const reply = await call('GET', 'a', { headers: { range: 'bytes=10-' } })
      expect([reply.status, codeOf(reply)]).toEqual([416, 'InvalidRange'])
    })

    test('of another object than was meant is refused', async () => {
      await put('a')
      expect(await call('GET', 'a', { headers: { 'if-match': '"0123"' } })).toMatchObject({ status: 412 })
    })

    test('what is not there is not found', async () => {
      const reply = await call('GET', 'a')
      expect([reply.status, codeOf(reply)]).toEqual([404, 'NoSuchKey'])
      expect(await call('HEAD', 'a')).toMatchObject({ status: 404 })
    })

    test('metadata and encoding come back as they were put, and bytes as stored', async () => {
      const headers = { 'content-encoding': 'gzip', 'content-type': 'text/x', 'x-amz-meta-MD5chksum': 'abc' }
      await put('a', 'no gzip', headers)
      const reply = await call('GET', 'a')
      expect(reply.body.toString()).toBe('no gzip')
      expect(reply.headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': 'text/x',
        'x-amz-meta-md5chksum': 'abc',
      })
    })

    fact('archives')('an archived object is described, and not read', async () => {
      await put('a', 'content', { 'x-amz-storage-class': 'GLACIER' })
      expect((await head('a')).headers).toMatchObject({ 'x-amz-storage-class': 'GLACIER' })
      const reply = await call('GET', 'a')
      expect([reply.status, codeOf(reply)]).toEqual([403, 'InvalidObjectState'])
    })
  })
}
