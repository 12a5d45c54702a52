import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBucket, type S3Bucket } from '#infra/s3/bucket.ts'
import { credentialChain } from '#infra/s3/credentials.ts'
import { S3Error } from '#infra/s3/errors.ts'
import type { S3Settings } from '#infra/s3/settings.ts'
import { systemClock } from '#src/async/system-clock.ts'
import { type FaultProxy, startFaultProxy } from '../../fakes/fault-proxy.ts'
import { s3Calls } from '../../fakes/s3-calls.ts'
import { type Fault, failing, internalError, type RequestKind, slowDown } from '../../fakes/s3-server.ts'
import { server } from '../servers.ts'
import { placeOf } from './server-address.ts'

/* Our client on a real server, behind a proxy that fails. */

const found = server('s3')

describe.skipIf('absent' in found)('buckets of a real server that fail', () => {
  const { endpoint, keys } = placeOf('absent' in found ? 'http://absent' : found.address)
  let proxy: FaultProxy
  let name: string
  const opened: S3Bucket[] = []

  beforeEach(async () => {
    name = `faults-${randomUUID().slice(0, 8)}`
    const calls = s3Calls(endpoint, keys)
    expect(await calls.call('PUT', `/${name}`)).toMatchObject({ status: 200 })
    await calls.close()
    proxy = await startFaultProxy(endpoint)
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((bucket) => bucket.close()))
    await proxy.close()
  })

  const open = (
    settings: S3Settings = {},
    {
      aheadMillis = 0,
      credentials = () => keys,
    }: { aheadMillis?: number; credentials?: () => typeof keys } = {},
  ) => {
    const clock = {
      ...systemClock,
      now: () => new Date(Date.now() + aheadMillis).toISOString(),
      sleep: async () => {},
    }
    const bucket = openBucket(
      name,
      { endpoint: proxy.endpoint, region: 'us-east-1', ...settings },
      { clock, credentials: credentialChain(undefined, async () => async () => credentials()) },
    )
    opened.push(bucket)
    return bucket
  }

  const plan = (kind: RequestKind, ...faults: readonly Fault[]) => {
    const left = [...faults]
    proxy.beforeEach((request) => (request.kind === kind ? left.shift() : undefined))
  }
  const bytesOf = async (body: AsyncIterable<Uint8Array>) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  const keysOf = async (bucket: S3Bucket) => {
    const listed: string[] = []
    for await (const { objects } of bucket.list()) listed.push(...objects.map(({ key }) => key))
    return listed
  }

  it.each([
    ['503 SlowDown', slowDown],
    ['500 InternalError', internalError],
    ['a reset before the answer', { kind: 'refuse' }],
    ['a reset behind the work', { kind: 'lose' }],
  ] as readonly (readonly [string, Fault])[])(
    '%s: asked again, and the object is there once',
    async (_, fault) => {
      const bucket = open()
      plan('PutObject', fault, fault)
      await bucket.put('a', Buffer.from('content'))
      expect(proxy.count('PutObject')).toBe(3)
      expect(await keysOf(bucket)).toEqual(['a'])
      expect((await bytesOf((await bucket.get('a')).body)).toString()).toBe('content')
    },
  )

  it('a new object whose answer was lost is ours, and another one is not', async () => {
    const bucket = open()
    plan('PutObject', { kind: 'lose' })
    await bucket.put('a', Buffer.from('ours'), { ifNoneMatch: '*' })
    plan('PutObject', { kind: 'lose' })
    await expect(bucket.put('a', Buffer.from('other'), { ifNoneMatch: '*' })).rejects.toMatchObject({
      status: 412,
    })
    expect((await bytesOf((await bucket.get('a')).body)).toString()).toBe('ours')
  })

  it('what does not answer is never missing', async () => {
    const bucket = open({ attempts: 2 })
    await bucket.put('a', Buffer.from('content'))
    for (const fault of [slowDown, { kind: 'refuse' }, failing(502, 'BadGateway')] as const) {
      plan('HeadObject', fault, fault)
      const failure = await bucket.head('a').catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(S3Error)
      expect(failure).toMatchObject({ isTransient: true })
      expect((failure as S3Error).status).not.toBe(404)
    }
  })

  it('bytes that end early, or come in pieces, are all or an error', async () => {
    const bucket = open()
    const content = randomBytes(300_000)
    await bucket.put('a', content)
    for (const fault of [
      { kind: 'cut', afterBytes: 100_000 },
      { kind: 'length', contentLength: 400_000 },
    ] as const) {
      plan('GetObject', fault)
      const { body } = await bucket.get('a')
      await expect(bytesOf(body)).rejects.toMatchObject({ isTransient: true })
    }
    plan('GetObject', { kind: 'slow', pieceBytes: 50_000, pauseMillis: 5 })
    expect((await bytesOf((await bucket.get('a')).body)).equals(content)).toBe(true)
  })

  it('200 with an error in its body completes nothing, and is asked again', async () => {
    const bucket = open()
    const upload = await bucket.createUpload('parts')
    const part = await bucket.uploadPart(upload, 1, Buffer.from('content'))
    plan('CompleteUpload', failing(200, 'InternalError'))
    await bucket.completeUpload(upload, [part])
    expect(proxy.count('CompleteUpload')).toBe(2)
    expect(await keysOf(bucket)).toEqual(['parts'])
  })

  it.each([3_600_000, -3_600_000])(
    'a clock of ours that is %i ms ahead is mended by one request',
    async (aheadMillis) => {
      const bucket = open({}, { aheadMillis })
      await bucket.put('a', Buffer.from('content'))
      expect(proxy.count('PutObject')).toBe(2)
      await bucket.head('a')
      expect(proxy.count('HeadObject')).toBe(1)
    },
  )

  it('credentials that expired are asked for again', async () => {
    const old = { accessKeyId: 'old', secretAccessKey: 'old' }
    const given = [old, keys]
    const bucket = open({}, { credentials: () => given.shift() ?? keys })
    proxy.beforeEach(({ headers }) =>
      headers.authorization?.includes('Credential=old/') ? failing(400, 'ExpiredToken') : undefined,
    )
    await bucket.put('a', Buffer.from('content'))
    expect(await keysOf(bucket)).toEqual(['a'])
  })
})
