import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inspectBucket } from '#infra/content/s3/inspect.ts'
import {
  type Fault,
  failing,
  type RequestKind,
  type S3Server,
  seedObject,
  startS3,
} from '../../../fakes/s3-server.ts'

describe('an inspection of a bucket', () => {
  let server: S3Server
  beforeEach(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    server = await startS3({ buckets: ['archive'], checksDate: true })
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await server.close()
  })

  const inspect = (address = 's3://archive/masters', signal?: AbortSignal) =>
    inspectBucket(address, { endpoint: server.endpoint }, signal)
  const seed = (key: string, content = 'content', own = {}) =>
    seedObject(server.bucket('archive'), key, content, own)
  const failAt = (kind: RequestKind, fault: Fault) =>
    server.beforeEach((request) => (request.kind === kind ? fault : undefined))

  it('reaches, lists, describes and reads, and writes nothing', async () => {
    seed('elsewhere')
    seed('masters/a', '')
    seed('masters/b')
    expect(await inspect()).toEqual({
      done: ['reach', 'list', 'describe', 'read'],
      skewMillis: 0,
      object: { key: 'masters/b', checksums: ['crc64nvme'], isArchived: false },
    })
    expect([...server.counts.keys()].sort()).toEqual(['GetObject', 'HeadBucket', 'HeadObject', 'ListObjects'])
  })

  it('of what is empty describes nothing', async () => {
    expect(await inspect()).toEqual({ done: ['reach', 'list'], skewMillis: 0 })
  })

  it('reads no archived object: that would be refused', async () => {
    seed('masters/a', 'content', { storageClass: 'GLACIER' })
    expect(await inspect()).toMatchObject({
      done: ['reach', 'list', 'describe'],
      object: { isArchived: true },
    })
    expect(server.count('GetObject')).toBe(0)
  })

  it('tells how far the clocks are apart, though the client mends it', async () => {
    server.skewMillis = 3_600_000
    const { skewMillis, done } = await inspect()
    expect(done).toEqual(['reach', 'list'])
    expect(Math.round((skewMillis ?? 0) / 60_000)).toBe(60)
  })

  it.each([
    ['HeadBucket', 'reach', failing(503, 'SlowDown')],
    ['ListObjects', 'list', failing(403, 'AccessDenied')],
    ['HeadObject', 'describe', { kind: 'answer', answer: { status: 403 } }],
    ['GetObject', 'read', failing(403, 'AccessDenied')],
  ] as readonly (readonly [RequestKind, string, Fault])[])(
    'stops where %s fails',
    async (kind, step, fault) => {
      seed('masters/a')
      failAt(kind, fault)
      const { failed } = await inspect()
      expect(failed).toEqual({ step, reason: expect.stringMatching(/403|503/) })
    },
  )

  it('goes on where the bucket itself may not be asked for', async () => {
    seed('masters/a')
    failAt('HeadBucket', { kind: 'answer', answer: { status: 403 } })
    expect(await inspect()).toMatchObject({ done: ['reach', 'list', 'describe', 'read'], skewMillis: 0 })
  })

  it('a bucket that is not there is not reached', async () => {
    expect(await inspect('s3://nowhere')).toMatchObject({ done: [], failed: { step: 'reach' } })
  })

  it('ends when it is told to', async () => {
    server.beforeEach(() => ({ kind: 'delay', millis: 500 }))
    expect(await inspect('s3://archive', AbortSignal.timeout(20))).toMatchObject({
      failed: { step: 'reach', reason: 'it gave no answer in time' },
    })
  })
})
