import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { probeBucket } from '#infra/object-store/ocfl-s3/probe.ts'
import { type Bucket, failing, type RequestKind, type S3Server, startS3 } from '../../fakes/s3-server.ts'

const key = 'storage/extensions/fonds-probe/1'

describe('a probe of a bucket', () => {
  let server: S3Server
  let bucket: Bucket
  beforeEach(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    server = await startS3({ buckets: ['archive'] })
    bucket = server.bucket('archive')
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await server.close()
  })
  const probe = (signal?: AbortSignal) =>
    probeBucket(
      's3://archive/storage',
      { key: 'extensions/fonds-probe/1', text: 'Written for ada', signal },
      { endpoint: server.endpoint, region: 'us-east-1' },
    )
  const outcomes = async (signal?: AbortSignal) => {
    const { results, leftovers } = await probe(signal)
    return { ...Object.fromEntries(results.map(({ step, works }) => [step, works])), leftovers }
  }
  const failAt = (kinds: readonly RequestKind[], status: number, code: string) =>
    server.beforeEach(({ kind }) => (kinds.includes(kind) ? failing(status, code) : undefined))
  const all = {
    write: 'yes',
    list: 'yes',
    read: 'yes',
    'if-none-match': 'yes',
    'if-match': 'yes',
    multipart: 'yes',
    'list-uploads': 'yes',
    delete: 'yes',
    'delete-versions': 'not-tried',
    leftovers: [],
  }

  it('writes one small object below the prefix, and takes it away', async () => {
    const written: string[] = []
    server.beforeEach(({ kind, key, body }) => {
      if (kind === 'PutObject') written.push(`${key}: ${body}`)
      return undefined
    })
    expect(await outcomes()).toEqual(all)
    expect(new Set(written)).toEqual(new Set([`${key}: Written for ada`]))
    expect(bucket.keys).toEqual([])
    expect(bucket.uploads.size).toBe(0)
  })

  it('in a bucket that keeps versions leaves none, and no delete marker', async () => {
    bucket.isVersioned = true
    expect(await outcomes()).toEqual({ ...all, 'delete-versions': 'yes' })
    expect(bucket.versions(key)).toEqual([])
  })

  it('names the versions that a lock keeps, and the reason', async () => {
    bucket.isVersioned = true
    server.beforeEach(({ kind, query }) =>
      kind === 'DeleteObject' && query.has('versionId') ? failing(403, 'AccessDenied') : undefined,
    )
    const { results, leftovers } = await probe()
    expect(results.at(-1)).toMatchObject({
      step: 'delete-versions',
      works: 'no',
      note: expect.stringContaining('AccessDenied'),
    })
    const versions = bucket.versions(key).map(({ versionId }) => ({ key, versionId }))
    expect(versions).toHaveLength(2)
    expect(leftovers).toEqual(versions)
  })

  it('names an object that may not be deleted', async () => {
    failAt(['DeleteObject'], 403, 'AccessDenied')
    expect(await outcomes()).toEqual({ ...all, delete: 'no', leftovers: [{ key }] })
    expect(bucket.keys).toEqual([key])
  })

  it('names an upload in parts that may not be given up', async () => {
    failAt(['AbortUpload'], 403, 'AccessDenied')
    const uploadId = expect.any(String)
    expect(await outcomes()).toEqual({
      ...all,
      multipart: 'no',
      leftovers: [{ key: `${key}-parts`, uploadId }],
    })
    expect(bucket.uploads.size).toBe(1)
  })

  it.each([
    ['if-none-match', 'If-None-Match'],
    ['if-match', 'If-Match'],
  ])('finds a server that does not keep %s', async (step, header) => {
    server.beforeEach(({ headers }) => void delete headers[header.toLowerCase()])
    expect(await outcomes()).toEqual({ ...all, [step]: 'no' })
  })

  it('of a server that refuses to write tries nothing else', async () => {
    failAt(['PutObject'], 403, 'AccessDenied')
    const { results, leftovers } = await probe()
    expect(results[0]).toMatchObject({ works: 'no', note: expect.stringContaining('AccessDenied') })
    expect(results.slice(1).every(({ works }) => works === 'not-tried')).toBe(true)
    expect(leftovers).toEqual([])
    expect([...server.counts.keys()]).toEqual(['PutObject'])
  })

  it.each([
    [501, 'NotImplemented'],
    [400, 'MissingUploadObjectWithObjectLockHeaders'],
  ])('says which setting a server needs that answers %i %s', async (status, code) => {
    failAt(['PutObject'], status, code)
    expect((await probe()).results[0]?.note).toContain('FONDS_S3_CHECKSUMS')
  })

  it.each([false, true])(
    'takes away what was written though its answer was lost (versions: %s)',
    async (isVersioned) => {
      bucket.isVersioned = isVersioned
      server.beforeEach(({ kind }) => (kind === 'PutObject' ? { kind: 'lose' } : undefined))
      const { results, leftovers } = await probe()
      expect(results[0]).toMatchObject({ step: 'write', works: 'no' })
      expect(leftovers).toEqual([])
      expect(bucket.keys).toEqual([])
    },
  )

  it('that is stopped takes away what it wrote', async () => {
    const stopping = new AbortController()
    server.beforeEach(({ kind }) => {
      if (kind === 'ListObjects') stopping.abort()
      return undefined
    })
    expect(await outcomes(stopping.signal)).toMatchObject({
      write: 'yes',
      read: 'not-tried',
      delete: 'yes',
      leftovers: [],
    })
    expect(bucket.keys).toEqual([])
  })
})
