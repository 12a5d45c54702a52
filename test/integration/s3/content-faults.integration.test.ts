import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBucketStore } from '#infra/content/s3/store.ts'
import { versitygw } from '#infra/local/s3/programs.ts'
import { localKeys } from '#infra/local/s3/server.ts'
import { startVersitygw, type Versitygw } from '#infra/local/s3/versitygw.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import { listAll, namesIn, put } from '../../contracts/content-store.ts'
import { type FaultProxy, startFaultProxy } from '../../fakes/fault-proxy.ts'
import { type Fault, failing, slowDown } from '../../fakes/s3-server.ts'
import { keysInEnvironment } from './server-address.ts'

/* Content that is only unavailable is never missing, and bytes that came are those that were stored. */

describe.skipIf(versitygw() === undefined)('content of a server that fails', () => {
  keysInEnvironment(localKeys)
  let server: Versitygw
  let proxy: FaultProxy
  let store: ContentStore

  beforeAll(async () => {
    server = await startVersitygw({ buckets: ['archive'] })
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    proxy = await startFaultProxy(server.endpoint)
    store = createBucketStore({ bucket: 'archive', prefix: '' }, { endpoint: proxy.endpoint, attempts: 2 })
  })
  afterEach(() => proxy.close())

  /** Kinds of what became of it, where it did not go well. */
  const failuresOf = async (path: string) => {
    const results = await Promise.all([store.stat(path)(), store.read(path, {}, () => {})()])
    return results.map((result) => (result._tag === 'Left' ? result.left.kind : 'fine'))
  }

  const broken: readonly (readonly [string, Fault])[] = [
    ['503 SlowDown', slowDown],
    ['a connection that is cut', { kind: 'refuse' }],
    ['expired credentials', failing(400, 'ExpiredToken')],
    ['a page of a proxy', { kind: 'answer', answer: { status: 404, body: '<html>not here</html>' } }],
    ['a bucket that is gone', failing(404, 'NoSuchBucket')],
    ['no right', failing(403, 'AccessDenied')],
  ]

  it.each(broken)('%s: neither missing, nor an empty list', async (_, fault) => {
    await put(store, 'kept/file', 'content')
    proxy.beforeEach(() => fault)
    for (const kind of await failuresOf('kept/file')) expect(kind).toMatch(/^(Unreadable|Refused|Machine)$/)
    const { paths, skipped } = await listAll(store)
    expect([paths, skipped]).toEqual([[], [expect.objectContaining({ mayBeContent: true })]])
    expect(await namesIn(store, 'kept')).toEqual({ paths: [], skipped: ['kept'] })
    proxy.beforeEach(undefined)
    expect(await failuresOf('kept/file')).toEqual(['fine', 'fine'])
  })

  it('a server that is down, and comes again', async () => {
    await put(store, 'kept/file', 'content')
    const direct = createBucketStore(
      { bucket: 'archive', prefix: '' },
      { endpoint: server.endpoint, attempts: 1 },
    )
    await server.kill()
    const found = await direct.stat('kept/file')()
    await server.start()
    expect(found).toMatchObject({ left: { kind: 'Unreadable' } })
    expect(await direct.stat('kept/file')()).toMatchObject({ right: { size: 7 } })
  })

  it.each([
    ['cut', { kind: 'cut', afterBytes: 200_000 }],
    ['longer than it is', { kind: 'length', contentLength: 800_000 }],
    ['shorter than it is', { kind: 'length', contentLength: 100_000 }],
  ] as const)('an answer that is %s: all bytes, or a failure', async (name, fault) => {
    const content = randomBytes(600_000)
    const { version } = await put(store, 'large', content)
    const faults: Fault[] = [fault]
    proxy.beforeEach(({ kind }) => (kind === 'GetObject' ? faults.shift() : undefined))
    const hash = createHash('sha256')
    let bytes = 0
    const read = await store.read('large', { version }, (chunk) => {
      bytes += chunk.length
      hash.update(chunk)
    })()
    if (name === 'cut') expect(read._tag).toBe('Right')
    if (read._tag === 'Left') expect(read.left.kind).toMatch(/^(Unreadable|Changed|Machine)$/)
    else {
      expect([bytes, read.right.bytes]).toEqual([600_000, 600_000])
      expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'))
    }
  })

  it('a list that breaks off midway names what it could not tell', async () => {
    for (let i = 0; i < 1100; i += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, j) => put(store, `many/${String(i + j).padStart(4, '0')}`, 'x')),
      )
    let pages = 0
    proxy.beforeEach(({ kind }) => (kind === 'ListObjects' && ++pages > 1 ? slowDown : undefined))
    const { paths, skipped } = await listAll(store, 'many')
    expect(paths).toHaveLength(1000)
    expect(skipped).toEqual([expect.objectContaining({ path: 'many', mayBeContent: true })])
    proxy.beforeEach(undefined)
    expect((await listAll(store, 'many')).paths).toHaveLength(1100)
  })
})
