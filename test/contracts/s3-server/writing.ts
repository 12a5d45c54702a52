import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { algorithms, checksum, headerOf } from '../../fakes/s3/checksums.ts'
import { each, one } from '../../fakes/s3/xml.ts'
import { keysIn, type S3Tools } from './tools.ts'

/** Checksums, conditional writes, deletions, versions. */
export const writingFacts = (tools: S3Tools): void => {
  const { fact, call, put, head } = tools

  describe('checksums', () => {
    for (const algorithm of algorithms) {
      test(`${algorithm} is kept, and told by HEAD and GET`, async () => {
        const value = checksum(algorithm, Buffer.from('content'))
        await put('a', 'content', {
          [headerOf(algorithm)]: value,
          'x-amz-sdk-checksum-algorithm': algorithm,
        })
        expect((await head('a')).headers).toMatchObject({ [headerOf(algorithm)]: value })
        const read = await call('GET', 'a', { headers: { 'x-amz-checksum-mode': 'ENABLED' } })
        expect(read.headers).toMatchObject({ [headerOf(algorithm)]: value })
      })
    }

    fact('checksumsAreChecked')('one that does not fit is refused, and nothing is kept', async () => {
      const value = checksum('SHA256', Buffer.from('other'))
      expect(
        await call('PUT', 'a', { body: 'content', headers: { 'x-amz-checksum-sha256': value } }),
      ).toMatchObject({
        status: 400,
      })
      expect(await call('HEAD', 'a')).toMatchObject({ status: 404 })
    })

    fact('defaultChecksum')('without one the server computes CRC64NVME', async () => {
      await put('a')
      expect((await head('a')).headers).toMatchObject({
        'x-amz-checksum-crc64nvme': checksum('CRC64NVME', Buffer.from('content')),
        'x-amz-checksum-type': 'FULL_OBJECT',
      })
    })

    test('the ETag of a single PUT is the MD5', async () => {
      const { headers } = await put('a')
      expect(headers.etag).toBe(`"${createHash('md5').update('content').digest('hex')}"`)
    })
  })

  describe('conditional writes', () => {
    test('If-None-Match: * does not overwrite', async () => {
      await put('a', 'first', { 'if-none-match': '*' })
      expect(await call('PUT', 'a', { body: 'second', headers: { 'if-none-match': '*' } })).toMatchObject({
        status: 412,
      })
      expect((await call('GET', 'a')).body.toString()).toBe('first')
    })

    test('If-Match replaces that object alone', async () => {
      const { headers } = await put('a', 'first')
      const etag = String(headers.etag)
      await put('a', 'second', { 'if-match': etag })
      expect(await call('PUT', 'a', { body: 'third', headers: { 'if-match': etag } })).toMatchObject({
        status: 412,
      })
      expect((await call('GET', 'a')).body.toString()).toBe('second')
    })

    test('If-Match creates nothing', async () => {
      const reply = await call('PUT', 'a', { body: 'x', headers: { 'if-match': '"0123"' } })
      expect(reply.status).toBe(404)
    })
  })

  describe('deleting', () => {
    test('of a thing that is not there is done', async () => {
      expect(await call('DELETE', 'a')).toMatchObject({ status: 204 })
    })

    test('of many at once', async () => {
      for (const name of ['a', 'b', 'c']) await put(name)
      const body = '<Delete><Object><Key>a</Key></Object><Object><Key>c</Key></Object></Delete>'
      const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
      expect(await call('POST', '', { query: { delete: '' }, body, headers })).toMatchObject({ status: 200 })
      const left = await call('GET', '', { query: { 'list-type': '2' } })
      expect(keysIn(left.body.toString())).toEqual(['b'])
    })
  })

  describe('versions', () => {
    beforeEach(async () => {
      const body =
        '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>'
      expect(await call('PUT', '', { query: { versioning: '' }, body })).toMatchObject({ status: 200 })
    })

    test('are kept, listed with the newest first, and read by their ids', async () => {
      const first = String((await put('a', 'first')).headers['x-amz-version-id'])
      const second = String((await put('a', 'second')).headers['x-amz-version-id'])
      const deleted = await call('DELETE', 'a')
      expect([deleted.status, deleted.headers['x-amz-delete-marker']]).toEqual([204, 'true'])
      expect(await call('GET', 'a')).toMatchObject({ status: 404 })
      const read = await call('GET', 'a', { query: { versionId: first } })
      expect(read.body.toString()).toBe('first')
      const text = (await call('GET', '', { query: { versions: '' } })).body.toString()
      expect(each(text, 'Version').map((version) => one(version, 'VersionId'))).toEqual([second, first])
      expect(each(text, 'DeleteMarker').map((marker) => one(marker, 'IsLatest'))).toEqual(['true'])
    })

    fact('readingAMarker')('a delete marker has no content', async () => {
      await put('a')
      const marker = String((await call('DELETE', 'a')).headers['x-amz-version-id'])
      expect(await call('GET', 'a', { query: { versionId: marker } })).toMatchObject({ status: 405 })
      expect((await call('GET', 'a')).headers).toMatchObject({ 'x-amz-delete-marker': 'true' })
    })
  })
}
