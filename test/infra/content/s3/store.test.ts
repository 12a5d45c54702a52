import type { Right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storeAt } from '../../../../infra/content/s3/store.ts'
import type { ContentEntry, ContentFailure, ContentStore } from '../../../../src/ports/content-store.ts'
import { contentStoreContract, listAll, namesIn, put, readAll } from '../../../contracts/content-store.ts'
import { type Fault, failing, seedObject, seedParts, slowDown } from '../../../fakes/s3-server.ts'
import { type OpenedStub, openStub } from '../../s3/opening.ts'

for (const prefix of ['', 'some/prefix/'])
  contentStoreContract(
    `bucket, ${prefix || 'whole'}`,
    async () => {
      const stub = await openStub()
      return { store: storeAt({ bucket: stub.bucket, prefix }), dispose: stub.close }
    },
    { listsNoClaims: true, readsOneVersion: true },
  )

describe('content in a bucket', () => {
  let stub: OpenedStub
  let store: ContentStore
  beforeEach(async () => {
    stub = await openStub({ attempts: 2 })
    store = storeAt({ bucket: stub.bucket, prefix: 'in/' })
  })
  afterEach(() => stub.close())

  const seed = (key: string, content = 'hello') => seedObject(stub.server.bucket('bucket'), key, content)
  const failureOf = async (path: string): Promise<ContentFailure | undefined> => {
    const read = await store.read(path, {}, () => {})()
    return read._tag === 'Left' ? read.left : undefined
  }
  const statFailure = async (path: string): Promise<ContentFailure | undefined> => {
    const found = await store.stat(path)()
    return found._tag === 'Left' ? found.left : undefined
  }

  it('reports the checksums that the bucket has, and where they are those of the bytes', async () => {
    seed('in/file')
    const found = await store.stat('file')()
    expect(found).toMatchObject({
      right: {
        claims: [
          { algorithm: 'crc64nvme', value: expect.any(String) },
          { algorithm: 'md5', value: '5d41402abc4b2a76b9719d911017c592' },
        ],
      },
    })
  })

  it('asks for the sizes of parts when a reader wants the entry, and not otherwise', async () => {
    seedParts(stub.server.bucket('bucket'), 'in/file', ['one', 'two more'])
    await readAll(store, 'file')
    expect(stub.server.count('HeadObject')).toBe(0)
    const claims: unknown[] = []
    await store.read('file', { onEntry: (entry) => void claims.push(...entry.claims) }, () => {})()
    expect(claims).toMatchObject([{ algorithm: 'sha-256/parts:3+8' }, { algorithm: 'md5/parts:3+8' }])
  })

  it('skips keys that are no path, each with its reason, and the marks of folders', async () => {
    for (const key of ['in/a//b', 'in//c', 'in/./d', 'in/e/../f', 'in/bytes/', 'in/good']) seed(key)
    for (const key of ['in/', 'in/folder/']) seed(key, '')
    const expected = ['.', './d', '/c', 'a//b', 'bytes/', 'e/../f', 'folder/']
    const { paths, skipped } = await listAll(store)
    expect(paths).toEqual(['good'])
    expect(skipped.map(({ path }) => path).toSorted()).toEqual(expected)
    const marks = skipped.filter(({ reason }) => reason.startsWith('is the mark of a folder'))
    expect(marks.map(({ path }) => path)).toEqual(['.', 'folder/'])
    expect((await namesIn(store)).skipped.toSorted()).toEqual(expected)
    const uncertain: string[] = []
    for await (const found of store.list())
      if (found.kind === 'skipped' && found.skipped.mayBeContent) uncertain.push(found.skipped.path)
    expect(uncertain.toSorted()).toEqual(['./d', '/c', 'a//b', 'bytes/', 'e/../f'])
  })

  it('a folder has what is directly in it, and what can be no path', async () => {
    for (const key of ['in//c', 'in/./d', 'in/a//b', 'in/a/x', 'in/file']) seed(key)
    const inFolder = async (path?: string) => {
      const found: string[] = []
      for await (const one of store.folder(path))
        found.push(
          one.kind === 'entry'
            ? one.entry.path
            : `${one.kind} ${one.kind === 'folder' ? one.path : one.skipped.path}`,
        )
      return found
    }
    expect(await inFolder()).toEqual(['skipped ./.', 'skipped ./', 'file', 'folder a'])
    expect(await inFolder('a')).toEqual(['skipped a/', 'a/x'])
  })

  it('does not take a key that can be no path for a listing that breaks off', async () => {
    for (const key of ['in/', 'in/.', 'in/good']) seed(key)
    const { paths, skipped } = await listAll(store)
    expect(paths).toEqual(['good'])
    expect(skipped.map(({ path }) => path)).toEqual(['./', './.'])
  })

  it('takes a key for content beside what is below it', async () => {
    for (const key of ['in/a', 'in/a/b', 'other']) seed(key)
    expect((await listAll(store)).paths).toEqual(['a', 'a/b'])
    expect((await listAll(store, 'a')).paths).toEqual(['a/b'])
    expect((await listAll(store, 'a/b')).paths).toEqual(['a/b'])
  })

  it.each([
    ['a bucket that is not there', failing(404, 'NoSuchBucket'), 'Unreadable', /create the bucket/],
    [
      'a page of a proxy',
      { kind: 'answer', answer: { status: 404, body: '<html></html>' } },
      'Unreadable',
      /404/,
    ],
    ['no permission', failing(403, 'AccessDenied'), 'Unreadable', /allow it in the policy/],
    ['a busy server', slowDown, 'Unreadable', /check its health/],
    ['a broken connection', { kind: 'refuse' }, 'Unreadable', /./],
    ['unknown keys', failing(403, 'InvalidAccessKeyId'), 'Unreadable', /check the keys/],
    ['a wrong clock', failing(403, 'RequestTimeTooSkewed'), 'Unreadable', /clock right/],
    ['expired keys', failing(400, 'ExpiredToken'), 'Unreadable', /renew/],
  ] as const)('%s is no missing content', async (_, fault: Fault, kind, reason) => {
    seed('in/file')
    stub.server.beforeEach(() => fault)
    expect(await failureOf('file')).toMatchObject({ kind, reason: expect.stringMatching(reason) })
    expect((await statFailure('file'))?.kind).toBe(kind)
    expect((await store.delete('file')())._tag).toBe('Left')
    for (const found of [await namesIn(store), await namesIn(store, 'folder')])
      expect(found).toMatchObject({ paths: [], skipped: [expect.any(String)] })
    for await (const found of store.folder('folder'))
      expect(found).toMatchObject({ kind: 'skipped', skipped: { mayBeContent: true } })
  })

  it('a server that cannot be reached says nothing about the content', async () => {
    await stub.server.close()
    expect(await failureOf('file')).toMatchObject({ kind: 'Unreadable' })
    expect(await statFailure('file')).toMatchObject({ kind: 'Unreadable' })
  })

  it('archived content is refused, with what to do', async () => {
    seedObject(stub.server.bucket('bucket'), 'in/file', 'cold', { storageClass: 'GLACIER' })
    expect(await failureOf('file')).toMatchObject({
      kind: 'Refused',
      reason: expect.stringMatching(/restore it/),
    })
  })

  it('a listing that breaks off tells that it has a gap', async () => {
    for (let i = 0; i < 1500; i++) seed(`in/${String(i).padStart(4, '0')}`, '')
    stub.server.beforeEach(({ query }) =>
      query.has('continuation-token') ? failing(403, 'AccessDenied') : undefined,
    )
    const { paths, skipped } = await namesIn(store)
    expect([paths.length, skipped]).toEqual([1000, ['.']])
  })

  const large = Buffer.alloc(3_000_000, 'large')
  const cutTwice = () => {
    let left = 2
    stub.server.beforeEach(({ kind }) =>
      kind === 'GetObject' && left-- > 0 ? { kind: 'cut', afterBytes: 700_000 } : undefined,
    )
  }

  it('a reading goes on where the connection broke', async () => {
    seedObject(stub.server.bucket('bucket'), 'in/file', large)
    cutTwice()
    const read = await readAll(store, 'file')
    expect(Buffer.compare(read as Buffer, large)).toBe(0)
    expect(stub.server.count('GetObject')).toBe(3)
  })

  it('it does not go on with other bytes', async () => {
    seedObject(stub.server.bucket('bucket'), 'in/file', large)
    cutTwice()
    let isFirst = true
    const read = await store.read('file', {}, () => {
      if (isFirst) seed('in/file', 'other')
      isFirst = false
    })()
    expect(read).toMatchObject({ left: { kind: 'Changed' } })
  })

  it('a body that breaks off again and again is unreadable', async () => {
    seedObject(stub.server.bucket('bucket'), 'in/file', large)
    stub.server.beforeEach(({ kind }) => (kind === 'GetObject' ? { kind: 'cut', afterBytes: 0 } : undefined))
    expect(await failureOf('file')).toMatchObject({ kind: 'Unreadable' })
    expect(stub.server.count('GetObject')).toBe(6)
  })

  it('a file without an ETag has a version by its size and date', async () => {
    seedObject(stub.server.bucket('bucket'), 'in/file', large, { etag: '' })
    const { right } = (await store.stat('file')()) as Right<ContentEntry>
    cutTwice()
    const { version } = right
    expect(await store.read('file', { version }, () => {})()).toMatchObject({
      right: { bytes: large.length },
    })
    seedObject(stub.server.bucket('bucket'), 'in/file', 'other', { etag: '' })
    expect(await store.read('file', { version }, () => {})()).toMatchObject({ left: { kind: 'Changed' } })
  })

  it('keeps no connection that it does not read from', async () => {
    const one = await openStub({ connections: 1 })
    const narrow = storeAt({ bucket: one.bucket, prefix: '' })
    seedObject(one.server.bucket('bucket'), 'file', large)
    for (let round = 0; round < 3; round++) {
      expect(await narrow.read('file', { version: '/1/1' }, () => {})()).toMatchObject({
        left: { kind: 'Changed' },
      })
      const onEntry = () => {
        throw new Error('not wanted')
      }
      await expect(narrow.read('file', { onEntry }, () => {})()).rejects.toThrow('not wanted')
    }
    one.server.beforeEach(({ kind }) => (kind === 'HeadObject' ? failing(404, 'NoSuchKey') : undefined))
    expect((await narrow.stat('file')())._tag).toBe('Right')
    expect((await readAll(narrow, 'file')).length).toBe(large.length)
    await one.close()
  })

  it('writes what is large in parts, and leaves none of them behind when the source breaks', async () => {
    const content = Buffer.alloc(40 * 1024 ** 2, 'abc')
    await put(store, 'file', content)
    expect(stub.server.count('UploadPart')).toBe(3)
    expect(Buffer.compare((await readAll(store, 'file')) as Buffer, content)).toBe(0)
    const broken = async function* () {
      yield content
      throw new Error('the source broke')
    }
    await expect(store.write('other', broken())()).rejects.toThrow('the source broke')
    expect(stub.server.bucket('bucket').uploads.size).toBe(0)
    expect((await listAll(store)).paths).toEqual(['file'])
  })
})
