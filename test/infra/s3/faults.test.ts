import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { S3Error } from '../../../infra/s3/errors.ts'
import {
  type Fault,
  failing,
  internalError,
  type RequestKind,
  seedObject,
  slowDown,
} from '../../fakes/s3-server.ts'
import { bytesIn, keysOf, type OpenedStub, openStub } from './opening.ts'

const broken: readonly (readonly [string, Fault])[] = [
  ['503 SlowDown', slowDown],
  ['500 InternalError', internalError],
  ['429', failing(429, 'TooManyRequestsException')],
  ['a page of a proxy', { kind: 'answer', answer: { status: 502, body: '<html><br></html>' } }],
  ['no answer', { kind: 'refuse' }],
]

describe('requests that fail', () => {
  let stub: OpenedStub
  beforeEach(async () => {
    stub = await openStub({ attempts: 4 }, { options: { minPartBytes: 1, checksDate: true } })
    seedObject(stub.server.bucket('bucket'), 'key', 'hello')
  })
  afterEach(() => stub.close())

  /** Puts the faults in the way of the first requests of this kind; those that follow succeed. */
  const plan = (kind: RequestKind, ...faults: readonly Fault[]) => {
    const left = [...faults]
    stub.server.beforeEach((request) => (request.kind === kind ? left.shift() : undefined))
  }

  it.each(broken)('%s: made again, behind growing pauses', async (_, fault) => {
    plan('GetObject', fault, fault, fault)
    const { body } = await stub.bucket.get('key')
    expect(await bytesIn(body)).toBe('hello')
    expect(stub.server.count('GetObject')).toBe(4)
    expect(stub.pauses).toHaveLength(3)
  })

  it.each(broken)('%s: a transient failure once all attempts are used up', async (_, fault) => {
    plan('GetObject', fault, fault, fault, fault)
    const failure = await stub.bucket.get('key').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(S3Error)
    expect(failure).toMatchObject({ isTransient: true })
    expect(stub.server.count('GetObject')).toBe(4)
  })

  it('is not made again where another attempt changes nothing', async () => {
    plan('GetObject', failing(403, 'AccessDenied'))
    await expect(stub.bucket.get('key')).rejects.toMatchObject({ code: 'AccessDenied', isTransient: false })
    expect(stub.server.count('GetObject')).toBe(1)
  })

  it('waits as long as Retry-After asks', async () => {
    const answer = { status: 503, headers: { 'retry-after': '7' } }
    plan('HeadObject', { kind: 'answer', answer })
    await stub.bucket.head('key')
    expect(stub.pauses[0]).toBeGreaterThanOrEqual(7000)
    expect(stub.pauses[0]).toBeLessThan(8000)
  })

  it('a server that refuses everything is asked less and less often', async () => {
    stub.server.beforeEach(() => slowDown)
    for (let i = 0; i < 100; i++) await stub.bucket.head('key').catch(() => {})
    expect(stub.server.count('HeadObject')).toBe(100 + 200)
  })

  it.each([
    ['reset in the middle', { kind: 'cut', afterBytes: 2 }],
    ['longer than it was said to be', { kind: 'length', contentLength: 9 }],
  ] as const)('a body that is %s is an error, and never the whole', async (_, fault) => {
    plan('GetObject', fault)
    const { body } = await stub.bucket.get('key')
    await expect(bytesIn(body)).rejects.toMatchObject({ name: 'S3Error', isTransient: true })
  })

  it('a listing that breaks off is asked for again', async () => {
    plan('ListObjects', { kind: 'cut', afterBytes: 100 })
    expect(await keysOf(stub.bucket.list())).toEqual(['key'])
  })

  it('a listing with the status 200 and an error in its body is a failure', async () => {
    plan('ListObjects', failing(200, 'AccessDenied'))
    await expect(keysOf(stub.bucket.list())).rejects.toMatchObject({ code: 'AccessDenied' })
    plan('ListObjects', failing(200, 'InternalError'))
    expect(await keysOf(stub.bucket.list())).toEqual(['key'])
  })

  it.each([20 * 60_000, -20 * 60_000])(
    'learns once that the clock of the server is %i ms ahead',
    async (skew) => {
      stub.server.skewMillis = skew
      await stub.bucket.get('key').then(({ body }) => bytesIn(body))
      expect(stub.server.count('GetObject')).toBe(2)
      await stub.bucket.head('key')
      expect(stub.server.count('HeadObject')).toBe(1)
    },
  )

  it('learns it from HEAD too, whose answers have no code', async () => {
    stub.server.skewMillis = 20 * 60_000
    await stub.bucket.head('key')
    expect(stub.server.count('HeadObject')).toBe(2)
  })

  it('a clock that cannot be mended is a failure', async () => {
    stub.server.beforeEach(() => failing(403, 'RequestTimeTooSkewed'))
    await expect(stub.bucket.get('key')).rejects.toMatchObject({ code: 'RequestTimeTooSkewed' })
    expect(stub.server.count('GetObject')).toBe(2)
  })

  it('goes to the region in which the bucket is, and stays there', async () => {
    const regions: unknown[] = []
    stub.server.beforeEach(({ headers }) => {
      const region = String(headers.authorization).split('/')[2]
      regions.push(region)
      if (region === 'eu-central-1') return undefined
      return { kind: 'answer', answer: { status: 301, headers: { 'x-amz-bucket-region': 'eu-central-1' } } }
    })
    await stub.bucket.head('key')
    await stub.bucket.head('key')
    expect(regions).toEqual(['us-east-1', 'eu-central-1', 'eu-central-1'])
  })

  it('a redirect to nowhere is a failure', async () => {
    stub.server.beforeEach(() => ({ kind: 'answer', answer: { status: 307 } }))
    await expect(stub.bucket.head('key')).rejects.toMatchObject({ status: 307 })
    expect(stub.server.count('HeadObject')).toBe(1)
  })

  it('a signal ends it with its reason: before, while it waits, and in the body', async () => {
    const reason = new Error('enough')
    await expect(stub.bucket.get('key', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    stub.server.beforeEach(() => {
      controller.abort(reason)
      return slowDown
    })
    await expect(stub.bucket.get('key', { signal: controller.signal })).rejects.toBe(reason)
    stub.server.beforeEach(undefined)
    seedObject(stub.server.bucket('bucket'), 'large', Buffer.alloc(8_000_000))
    const later = new AbortController()
    const { body } = await stub.bucket.get('large', { signal: later.signal })
    const reading = (async () => {
      for await (const _ of body) later.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
  })
})

describe('credentials that expire', () => {
  it('are asked for once more, and by all callers together', async () => {
    let asked = 0
    const credentials = () => ({ accessKeyId: `id${++asked}`, secretAccessKey: 's', sessionToken: 't' })
    const stub = await openStub({}, { credentials })
    seedObject(stub.server.bucket('bucket'), 'key', 'hello')
    let refused = 0
    stub.server.beforeEach(({ headers }) => {
      expect(headers['x-amz-security-token']).toBe('t')
      return refused++ < 1 ? failing(400, 'ExpiredToken') : undefined
    })
    await stub.bucket.get('key').then(({ body }) => bytesIn(body))
    expect(stub.server.count('GetObject')).toBe(2)
    stub.server.beforeEach(() => failing(400, 'ExpiredToken'))
    await expect(stub.bucket.get('key')).rejects.toMatchObject({ code: 'ExpiredToken' })
    expect(stub.server.count('GetObject')).toBe(4)
    await stub.close()
  })
})

describe('writing, when the answer is lost', () => {
  let stub: OpenedStub
  beforeEach(async () => {
    stub = await openStub({}, { options: { minPartBytes: 1 } })
  })
  afterEach(() => stub.close())
  const plan = (kind: RequestKind, fault: Fault, meanwhile?: () => void) => {
    let isFirst = true
    stub.server.beforeEach((request) => {
      if (request.kind !== kind) return undefined
      if (isFirst) {
        isFirst = false
        return fault
      }
      meanwhile?.()
      return undefined
    })
  }
  const lost: Fault = { kind: 'lose' }

  it('a conditional write that was ours is a success', async () => {
    plan('PutObject', lost)
    const written = await stub.bucket.put('key', Buffer.from('hello'), { ifNoneMatch: '*' })
    expect(written).toMatchObject({ etag: '5d41402abc4b2a76b9719d911017c592' })
    expect(stub.server.count('PutObject')).toBe(2)
  })

  it("a conditional write that was another's is none", async () => {
    plan('PutObject', { kind: 'refuse' }, () => {
      seedObject(stub.server.bucket('bucket'), 'key', 'other')
    })
    await expect(stub.bucket.put('key', Buffer.from('hello'), { ifNoneMatch: '*' })).rejects.toMatchObject({
      code: 'PreconditionFailed',
      wasRepeated: true,
    })
  })

  it('a condition that does not hold at first is a failure, also where the bytes are equal', async () => {
    seedObject(stub.server.bucket('bucket'), 'key', 'hello')
    await expect(stub.bucket.put('key', Buffer.from('hello'), { ifNoneMatch: '*' })).rejects.toMatchObject({
      code: 'PreconditionFailed',
      wasRepeated: false,
    })
    expect(stub.server.count('HeadObject')).toBe(0)
  })

  const uploaded = async () => {
    const upload = await stub.bucket.createUpload('key')
    return { upload, parts: [await stub.bucket.uploadPart(upload, 1, Buffer.from('hello'))] }
  }

  it('a completed upload is a success', async () => {
    const { upload, parts } = await uploaded()
    plan('CompleteUpload', lost)
    const { etag } = await stub.bucket.completeUpload(upload, parts, { ifNoneMatch: '*' })
    expect(etag).toBe((await stub.bucket.head('key')).etag)
  })

  it('a completed upload that was overwritten since has an unknown outcome', async () => {
    const { upload, parts } = await uploaded()
    plan('CompleteUpload', lost, () => {
      seedObject(stub.server.bucket('bucket'), 'key', 'other')
    })
    await expect(stub.bucket.completeUpload(upload, parts)).rejects.toMatchObject({ code: 'OutcomeUnknown' })
  })

  it('an upload whose answer is 200 and an error is completed by another request, or not at all', async () => {
    const { upload, parts } = await uploaded()
    plan('CompleteUpload', failing(200, 'InternalError'))
    await stub.bucket.completeUpload(upload, parts)
    expect(await keysOf(stub.bucket.list())).toEqual(['key'])
    const second = await uploaded()
    plan('CompleteUpload', failing(200, 'InvalidPart'))
    await expect(stub.bucket.completeUpload(second.upload, second.parts)).rejects.toMatchObject({
      code: 'InvalidPart',
    })
  })
})
