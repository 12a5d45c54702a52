import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seedObject } from '../../fakes/s3-server.ts'
import { bytesIn, keysOf, type OpenedStub, openStub } from './opening.ts'

const sha256OfHello = 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='

describe('a bucket', () => {
  let stub: OpenedStub
  beforeEach(async () => {
    stub = await openStub({}, { options: { minPartBytes: 1 } })
  })
  afterEach(() => stub.close())

  it('gives back what was put, described as HEAD does', async () => {
    const { bucket } = stub
    const put = await bucket.put('a/key', Buffer.from('hello'), {
      metadata: { Title: 'x' },
      contentType: 'text/plain',
    })
    expect(put).toMatchObject({ etag: '5d41402abc4b2a76b9719d911017c592' })
    const { object, body } = await bucket.get('a/key')
    expect(await bytesIn(body)).toBe('hello')
    expect(object).toMatchObject({
      key: 'a/key',
      size: 5,
      checksums: { sha256: sha256OfHello },
      checksumType: 'FULL_OBJECT',
      metadata: { title: 'x' },
    })
    expect(await bucket.head('a/key')).toEqual(object)
  })

  it.each([
    [1, 3, 'el'],
    [0, 1, 'h'],
    [4, undefined, 'o'],
    [3, 900, 'lo'],
    [0, 5, 'hello'],
  ])('gives the bytes from %s to %s, and the size of the whole', async (from, to, expected) => {
    await stub.bucket.put('key', Buffer.from('hello'))
    const { object, body } = await stub.bucket.get('key', { from, to })
    expect(await bytesIn(body)).toBe(expected)
    expect(object.size).toBe(5)
  })

  it('refuses a range behind the end, and asks for no empty one', async () => {
    await stub.bucket.put('key', Buffer.from('hello'))
    await expect(stub.bucket.get('key', { from: 5 })).rejects.toMatchObject({ status: 416 })
    expect(() => stub.bucket.get('key', { from: 2, to: 2 })).toThrow(RangeError)
  })

  it('takes no other bytes for a range', async () => {
    await stub.bucket.put('key', Buffer.from('hello'))
    stub.server.beforeEach(({ headers }) => void delete headers.range)
    await expect(stub.bucket.get('key', { from: 1, to: 3 })).rejects.toMatchObject({ code: 'InvalidAnswer' })
  })

  it('reads one version alone', async () => {
    const { bucket, server } = stub
    server.bucket('bucket').isVersioned = true
    const first = await bucket.put('key', Buffer.from('old'))
    await bucket.put('key', Buffer.from('new'))
    await expect(bucket.get('key', { ifMatch: first.etag })).rejects.toMatchObject({
      code: 'PreconditionFailed',
    })
    const { body, object } = await bucket.get('key', { versionId: first.versionId })
    expect(await bytesIn(body)).toBe('old')
    expect(object.versionId).toBe(first.versionId)
    await bucket.delete('key')
    const versions = []
    for await (const page of bucket.versions()) versions.push(...page)
    expect(versions.map(({ isDeleteMarker, size, isLatest }) => [isDeleteMarker, size, isLatest])).toEqual([
      [true, 0, true],
      [false, 3, false],
      [false, 3, false],
    ])
  })

  it('names what is missing', async () => {
    const { bucket } = stub
    await expect(bucket.get('none')).rejects.toMatchObject({
      status: 404,
      code: 'NoSuchKey',
      isTransient: false,
      message: expect.stringMatching(/^s3:\/\/bucket\/none: 404 NoSuchKey/),
    })
    await expect(bucket.head('none')).rejects.toMatchObject({ status: 404, code: 'HTTP404' })
    await expect(bucket.check()).resolves.toBeUndefined()
  })

  it('gives bytes as stored, whatever Content-Encoding names', async () => {
    seedObject(stub.server.bucket('bucket'), 'key', 'no gzip', { headers: { 'content-encoding': 'gzip' } })
    const { body, object } = await stub.bucket.get('key')
    expect(object.contentEncoding).toBe('gzip')
    expect(await bytesIn(body)).toBe('no gzip')
  })

  it('makes an object of parts, which nobody sees before', async () => {
    const { bucket } = stub
    const upload = await bucket.createUpload('key')
    const parts = [
      await bucket.uploadPart(upload, 1, Buffer.from('one ')),
      await bucket.uploadPart(upload, 2, Buffer.from('two')),
    ]
    const open = []
    for await (const one of bucket.uploads()) open.push(one)
    expect(open).toEqual([{ ...upload, begunAt: expect.any(String) }])
    expect(await keysOf(bucket.list())).toEqual([])
    const { etag } = await bucket.completeUpload(upload, parts)
    const { object, body } = await bucket.get('key')
    expect(await bytesIn(body)).toBe('one two')
    expect(object).toMatchObject({ etag, parts: 2, checksumType: 'COMPOSITE' })
    expect(etag).toMatch(/-2$/)
  })

  it('aborts an upload, again without a failure', async () => {
    const { bucket, server } = stub
    const upload = await bucket.createUpload('key')
    await bucket.abortUpload(upload)
    await bucket.abortUpload(upload)
    expect(server.bucket('bucket').uploads.size).toBe(0)
  })

  it('deletes many keys, a thousand in a request', async () => {
    const { bucket, server } = stub
    const keys = Array.from({ length: 1500 }, (_, i) => `key <&> ${i}`)
    for (const key of [...keys, 'stays', 'control \u0001']) seedObject(server.bucket('bucket'), key, '')
    expect(await bucket.deleteAll([...keys, 'control \u0001', 'never there'])).toEqual([])
    expect(await keysOf(bucket.list())).toEqual(['stays'])
    expect(server.count('DeleteObjects')).toBe(2)
  })

  it.each([
    ['supported', { 'x-amz-checksum-sha256': sha256OfHello, 'content-md5': undefined }],
    ['md5', { 'x-amz-checksum-sha256': undefined, 'content-md5': 'XUFAKrxLKna5cZ2REBfFkg==' }],
    ['required', { 'x-amz-checksum-sha256': undefined, 'content-md5': undefined }],
  ] as const)('sends with what it writes the checksums that are %s', async (checksums, expected) => {
    const other = await openStub({ checksums })
    const sent: unknown[] = []
    other.server.beforeEach(({ headers }) => {
      const { 'content-md5': md5, 'x-amz-checksum-sha256': sha256 } = headers
      sent.push({ 'content-md5': md5, 'x-amz-checksum-sha256': sha256 })
      return undefined
    })
    await other.bucket.put('key', Buffer.from('hello'))
    expect(sent).toEqual([expected])
    await other.close()
  })

  it('says that there are no credentials, and where they go', async () => {
    const other = await openStub(
      {},
      {
        credentials: () => {
          throw new Error('none found')
        },
      },
    )
    await expect(other.bucket.head('key')).rejects.toMatchObject({
      code: 'NoCredentials',
      isTransient: false,
      message: expect.stringContaining('AWS_ACCESS_KEY_ID'),
    })
    await other.close()
  })
})

describe('an endpoint that is no address', () => {
  it.each(['127.0.0.1:9000', 'ftp://host', 'https://user:secret@host'])(
    '%s is refused without its secret',
    async (endpoint) => {
      const stub = await openStub({ endpoint })
      const failure = await stub.bucket.head('key').catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'InvalidEndpoint', isTransient: false })
      expect(String(failure)).not.toContain('secret')
      await stub.close()
    },
  )
})
