import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Algorithm, checksum, composite, headerOf } from '../../fakes/s3/checksums.ts'
import { each, one } from '../../fakes/s3/xml.ts'
import { codeOf, type Headers, type S3Tools } from './tools.ts'

const partBytes = 5 * 1024 ** 2

/** Objects of several parts. */
export const multipartFacts = (tools: S3Tools): void => {
  const { fact, call, put, head } = tools

  describe('multipart uploads', () => {
    const create = async (key: string, headers: Headers = {}) => {
      const reply = await call('POST', key, { query: { uploads: '' }, headers })
      expect(reply.status).toBe(200)
      return one(reply.body.toString(), 'UploadId') ?? ''
    }
    const upload = async (
      key: string,
      uploadId: string,
      bodies: readonly Buffer[],
      algorithm?: Algorithm,
    ) => {
      const parts: string[] = []
      for (const [at, body] of bodies.entries()) {
        const sum = algorithm && checksum(algorithm, body)
        const reply = await call('PUT', key, {
          query: { partNumber: String(at + 1), uploadId },
          body,
          headers: algorithm && sum ? { [headerOf(algorithm)]: sum } : {},
        })
        expect(reply.status).toBe(200)
        const named = sum ? `<Checksum${algorithm}>${sum}</Checksum${algorithm}>` : ''
        parts.push(
          `<Part><PartNumber>${at + 1}</PartNumber><ETag>${reply.headers.etag}</ETag>${named}</Part>`,
        )
      }
      return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`
    }
    const complete = (key: string, uploadId: string, body: string, headers: Headers = {}) =>
      call('POST', key, { query: { uploadId }, body, headers })
    const bodies = [Buffer.alloc(partBytes, 1), Buffer.from('end')]
    const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest()
    const etag = `"${md5(Buffer.concat(bodies.map(md5))).toString('hex')}-2"`

    const composed = async () => {
      const id = await create('a', { 'x-amz-checksum-algorithm': 'SHA256' })
      const reply = await complete('a', id, await upload('a', id, bodies, 'SHA256'))
      expect(reply.status).toBe(200)
      return composite(
        'SHA256',
        bodies.map((body) => checksum('SHA256', body)),
      )
    }

    test('join the parts; the ETag is of the parts, and so is the checksum', async () => {
      const sum = await composed()
      const read = await call('GET', 'a', { headers: { 'x-amz-checksum-mode': 'ENABLED' } })
      expect(read.body.equals(Buffer.concat(bodies))).toBe(true)
      expect(read.headers).toMatchObject({ etag, 'x-amz-checksum-sha256': sum })
    })

    fact('checksumOfHead')('HEAD has the checksum of the parts with their number, and its type', async () => {
      const sum = await composed()
      expect((await head('a')).headers).toMatchObject({
        'x-amz-checksum-sha256': sum,
        'x-amz-checksum-type': 'COMPOSITE',
      })
    })

    fact('partNumbers')('HEAD has the size of a part, and their number', async () => {
      await composed()
      const { status, headers } = await head('a', { partNumber: '2' })
      expect([status, headers['content-length'], headers['x-amz-mp-parts-count']]).toEqual([206, '3', '2'])
      expect(await head('a', { partNumber: '3' })).toMatchObject({ status: 416 })
    })

    test('a part that is too short is refused', async () => {
      const id = await create('a')
      const reply = await complete('a', id, await upload('a', id, [Buffer.from('x'), Buffer.from('y')]))
      expect([reply.status, codeOf(reply)]).toEqual([400, 'EntityTooSmall'])
    })

    test('are not completed over an object with If-None-Match: *', async () => {
      const id = await create('a')
      const parts = await upload('a', id, [Buffer.from('second')])
      await put('a', 'first')
      expect(await complete('a', id, parts, { 'if-none-match': '*' })).toMatchObject({ status: 412 })
      expect((await call('GET', 'a')).body.toString()).toBe('first')
    })

    fact('conditionalCompleteByETag')(
      'are not completed over another object than If-Match names',
      async () => {
        const id = await create('a')
        const parts = await upload('a', id, [Buffer.from('second')])
        await put('a', 'first')
        expect(await complete('a', id, parts, { 'if-match': '"0123"' })).toMatchObject({ status: 412 })
      },
    )

    test('are listed while they are open, and gone when they are aborted', async () => {
      const id = await create('a')
      const listed = async () =>
        each((await call('GET', '', { query: { uploads: '' } })).body.toString(), 'UploadId')
      expect(await listed()).toEqual([id])
      expect(await call('DELETE', 'a', { query: { uploadId: id } })).toMatchObject({ status: 204 })
      expect(await listed()).toEqual([])
      const again = await call('DELETE', 'a', { query: { uploadId: id } })
      expect([again.status, codeOf(again)]).toEqual([404, 'NoSuchUpload'])
    })
  })
}
