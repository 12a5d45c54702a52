import { randomBytes } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import { seedObject, startS3 } from '../../../fakes/s3-server.ts'

/* Objects come over connections of their own, which carry one request after the other. */

const bytes = randomBytes(6_000_000)

const opened = async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  const server = await startS3()
  onTestFinished(server.close)
  seedObject(server.bucket('bucket'), 'key', bytes)
  const store = openContent('s3://bucket', {
    s3: { endpoint: server.endpoint, region: 'us-east-1', attempts: 1 },
  })
  const found = await store.stat('key')()
  if (isLeft(found)) throw new Error(found.left.kind)
  const { version } = found.right
  const read = async (options: Partial<Parameters<typeof store.read>[1]> = {}) => {
    const chunks: Buffer[] = []
    const keep = (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk))
    const outcome = await store.read('key', { version, ...options }, keep)()
    return { outcome, got: Buffer.concat(chunks) }
  }
  return { server, read, version }
}

it('a large object, and large and small ranges of it, are read over one connection', async () => {
  const { server, read, version } = await opened()
  const before = server.connections()
  const whole = await read()
  expect(whole.outcome).toMatchObject({ right: { bytes: bytes.length, version } })
  expect(whole.got.equals(bytes)).toBe(true)
  expect((await read({ from: 100, to: 5_000_000 })).got.equals(bytes.subarray(100, 5_000_000))).toBe(true)
  expect((await read({ from: 100, to: 200 })).got.equals(bytes.subarray(100, 200))).toBe(true)
  expect(server.connections()).toBe(before + 1)
})

it('a broken stream goes on with the same version, or tells that it is gone', async () => {
  const { server, read } = await opened()
  let gets = 0
  server.beforeEach(() => (++gets === 1 ? { kind: 'cut', afterBytes: 1_000_000 } : undefined))
  expect((await read()).got.equals(bytes)).toBe(true)
  expect(gets).toBe(2)

  gets = 0
  server.beforeEach(() => {
    if (++gets === 1) return { kind: 'cut', afterBytes: 1_000_000 }
    seedObject(server.bucket('bucket'), 'key', randomBytes(6_000_000))
    return undefined
  })
  expect((await read()).outcome).toMatchObject({ left: { kind: 'Changed' } })
})
