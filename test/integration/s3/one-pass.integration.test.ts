import { createHash, randomBytes } from 'node:crypto'
import { DownloadFailure } from '@fonds/download'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import { versitygw } from '#infra/local/s3/programs.ts'
import { localKeys } from '#infra/local/s3/server.ts'
import { startVersitygw, type Versitygw } from '#infra/local/s3/versitygw.ts'
import { openBucketStore } from '#infra/object-store/ocfl-s3/object-store.ts'
import { openBucket, type S3Bucket } from '#infra/s3/bucket.ts'
import { systemClock } from '#src/async/system-clock.ts'
import type { ObjectStore } from '#src/ports/object-store.ts'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { createFetcher } from '#src/workers/ingest/fetch/fetcher.ts'
import { WrongContent } from '#src/workers/ingest/fetch/wanted.ts'
import { createFileWork } from '#src/workers/ingest/files/file-work.ts'
import { createRooms } from '#src/workers/runtime/room.ts'
import { type FaultProxy, startFaultProxy } from '../../fakes/fault-proxy.ts'
import { type Fault, slowDown } from '../../fakes/s3-server.ts'
import { keysInEnvironment } from './server-address.ts'

/* A payload in a bucket comes into a root in a bucket in one pass, whatever goes wrong between: all of it, or nothing. */

const large = randomBytes(17 * 1024 ** 2)
const small = randomBytes(70_000)
const sources = { 'large.bin': large, 'small.bin': small }
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const context = { signal: new AbortController().signal, progress: () => {} }

describe.skipIf(versitygw() === undefined)('a payload in a bucket, taken in in one pass', () => {
  keysInEnvironment(localKeys)
  let server: Versitygw
  let proxy: FaultProxy
  let client: S3Bucket
  let objects: ObjectStore
  let roots = 0

  beforeAll(async () => {
    server = await startVersitygw({ buckets: ['source', 'archive'] })
    const bucket = openBucket('source', { endpoint: server.endpoint })
    for (const [name, bytes] of Object.entries(sources)) await bucket.put(`drop/${name}`, bytes)
    await bucket.close()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    proxy = await startFaultProxy(server.endpoint)
    client = openBucket('archive', { endpoint: server.endpoint })
    const s3 = { endpoint: server.endpoint }
    objects = await openBucketStore(`s3://archive/root-${++roots}`, { s3 })
  })
  afterEach(async () => {
    await objects.close()
    await client.close()
    await proxy.close()
  })

  const stage = async (name: keyof typeof sources, digest = sha256(sources[name])) => {
    const files = createFileWork(60_000)
    const http = createHttpClient({ stallMillis: 60_000 })
    onTestFinished(async () => {
      await Promise.all([files.close(), http.close()])
    })
    const fetcher = createFetcher({
      openBucket: (root) => openContent(root, { s3: { endpoint: proxy.endpoint, attempts: 2 } }),
      ...{ client: http, clock: systemClock, files, stallMillis: 60_000, hosts: undefined },
      ...{ downloads: 4, rooms: createRooms(100), tries: 2 },
    })
    const stages = objects.stages!
    const to = await stages.open({ id: 'job-1', object: 'ark:/99999/fk4a', basedOn: 0 })
    const wanted = {
      url: `s3://source/drop/${name}`,
      size: sources[name].length,
      digest: { algorithm: 'sha256', value: digest } as const,
    }
    return fetcher.stage(wanted, { path: `producer/${name}`, stage: to }, context)
  }

  const contents = async () => {
    const found: string[] = []
    for await (const page of client.list({ prefix: `root-${roots}/` }))
      found.push(...page.objects.map(({ key }) => key).filter((key) => key.includes('/content/')))
    return found
  }
  const openUploads = async () => {
    let count = 0
    for await (const _ of client.uploads({ prefix: `root-${roots}/` })) count += 1
    return count
  }
  const bytesAt = async (key: string) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of (await client.get(key)).body) chunks.push(Uint8Array.from(chunk))
    return Buffer.concat(chunks)
  }

  /** Of the first GETs so many go wrong. */
  const failFirst = (count: number, fault: Fault) => {
    let left = count
    proxy.beforeEach(({ kind }) => (kind === 'GetObject' && left-- > 0 ? fault : undefined))
  }

  it.each([
    ['503 SlowDown', 'large.bin', 2, slowDown],
    ['a connection that is cut before the answer', 'large.bin', 1, { kind: 'refuse' }],
    ['an answer that is cut', 'large.bin', 1, { kind: 'cut', afterBytes: 9_000_001 }],
    ['answers that are cut again and again', 'large.bin', 3, { kind: 'cut', afterBytes: 3_000_000 }],
    ['an answer that ends early', 'small.bin', 1, { kind: 'cut', afterBytes: 1 }],
    [
      'a longer Content-Length than there are bytes',
      'small.bin',
      1,
      { kind: 'length', contentLength: 80_000 },
    ],
  ] as const)('%s: all bytes come, once', async (_, name, count, fault) => {
    failFirst(count, fault)
    const staged = await stage(name)
    expect(staged).toMatchObject({ size: sources[name].length, sha256: sha256(sources[name]) })
    const keys = await contents()
    expect(keys).toHaveLength(1)
    expect((await bytesAt(keys[0]!)).equals(sources[name])).toBe(true)
    expect(await openUploads()).toBe(0)
    // What came before a cut is not asked for again: a GET for each fault, and one more.
    expect(proxy.count('GetObject')).toBeLessThanOrEqual(count + 1)
  })

  it.each([
    ['503 SlowDown', slowDown],
    ['answers that are cut at once', { kind: 'cut', afterBytes: 0 }],
    ['connections that are cut', { kind: 'refuse' }],
  ] as const)('%s, without an end: nothing comes, and nothing is left', async (_, fault) => {
    failFirst(1000, fault)
    await expect(stage('large.bin')).rejects.toThrow(DownloadFailure)
    expect(await contents()).toEqual([])
    expect(await openUploads()).toBe(0)
    proxy.beforeEach(undefined)
    expect(await stage('large.bin')).toMatchObject({ sha256: sha256(large) })
  })

  it('ingest I28 bytes that are not those that were announced never become a key, after a cut as well', async () => {
    failFirst(1, { kind: 'cut', afterBytes: 9_000_001 })
    await expect(stage('large.bin', sha256(small))).rejects.toThrow(WrongContent)
    expect(await contents()).toEqual([])
    expect(await openUploads()).toBe(0)
  })
})
