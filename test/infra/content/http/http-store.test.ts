import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpClient } from '@fonds/download'
import { createFetchClient } from '@fonds/download/client'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createFileSystemStore } from '#infra/content/file-system/store.ts'
import { createHttpStore } from '#infra/content/http/store.ts'
import type { ContentEntry, ContentStore } from '#src/ports/content-store.ts'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { contentStoreContract, readAll } from '../../../contracts/content-store.ts'
import { type ServeOptions, serveFolder } from './serve-folder.ts'

const now = { sleep: async () => {} }

/** Written on the disk, and read over HTTP. */
const hybrid = (disk: ContentStore, http: ContentStore): ContentStore => {
  async function* overHttp<One extends { readonly kind: string }>(listing: AsyncIterable<One>) {
    for await (const listed of listing)
      if ('entry' in listed) {
        const { path } = listed.entry as ContentEntry
        const found = await http.stat(path)()
        if (found._tag === 'Right') yield { ...listed, entry: found.right }
      } else yield listed
  }
  return {
    ...disk,
    stat: http.stat,
    read: http.read,
    write: (path, bytes) =>
      pipe(
        disk.write(path, bytes),
        TE.chain(() => http.stat(path)),
      ),
    list: (prefix) => overHttp(disk.list(prefix)),
    folder: (path) => overHttp(disk.folder(path)),
  }
}

const inThreads = createHttpClient({ stallMillis: 60_000 })
afterAll(() => inThreads.close())

for (const [what, options, shared] of [
  ['strong tags', {}],
  ['weak tags', { tags: 'weak' }],
  ['strong tags, in threads', {}, inThreads],
] as readonly (readonly [string, ServeOptions, HttpClient?])[])
  contentStoreContract(`HTTP, read with ${what}`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'fonds-http-'))
    const server = await serveFolder(root, options)
    const client = shared ?? createFetchClient()
    return {
      store: hybrid(
        createFileSystemStore(root),
        createHttpStore(server.address, { client, clock: now, tries: 2 }),
      ),
      dispose: async () => {
        if (!shared) await client.close()
        await server.close()
        rmSync(root, { recursive: true, force: true })
      },
    }
  })

const sha256 = (read: unknown): string =>
  Buffer.isBuffer(read) ? createHash('sha256').update(read).digest('hex') : JSON.stringify(read)

const served = async (options: ServeOptions = {}, stallMillis = 60_000) => {
  const root = mkdtempSync(join(tmpdir(), 'fonds-http-'))
  const server = await serveFolder(root, options)
  const client = createFetchClient()
  onTestFinished(async () => {
    await client.close()
    await server.close()
    rmSync(root, { recursive: true, force: true })
  })
  const content = randomBytes(3_000_000)
  writeFileSync(join(root, 'file'), content)
  const store = createHttpStore(`${server.address}/`, { client, clock: now, tries: 2, stallMillis })
  const read = async (range: { from?: number; to?: number }, version?: string) => {
    const chunks: Buffer[] = []
    const result = await store.read(
      'file',
      { ...range, ...(version !== undefined && { version }) },
      (chunk) => {
        chunks.push(Buffer.from(chunk))
      },
    )()
    return result._tag === 'Right' ? Buffer.concat(chunks) : result.left
  }
  return { ...server, root, content, store, read }
}

describe('a store over HTTP', () => {
  it('asks for the range alone, and looks at the version before and after', async () => {
    const { requests, read, content } = await served()
    expect(sha256(await read({ from: 100, to: 2_000_000 }))).toBe(sha256(content.subarray(100, 2_000_000)))
    expect(requests).toEqual(['GET bytes=100-1999999', 'GET bytes=0-0'])
  })

  it('goes on at the byte reached after the connection broke, and gives no byte twice', async () => {
    const breaks = { times: 2, bytes: 1_200_000 }
    const { read, content, requests } = await served({ breaks })
    expect(sha256(await read({ from: 10 }))).toBe(sha256(content.subarray(10)))
    const froms = requests.map((one) => Number(/bytes=(\d+)-/.exec(one)?.[1]))
    expect(froms).toEqual([10, expect.any(Number), expect.any(Number), 0])
    expect(froms.slice(0, 3)).toEqual(froms.slice(0, 3).toSorted((a, b) => a - b))
  })

  it('reads the whole from a server without ranges, and tells where a part is wanted of it', async () => {
    const { read, content } = await served({ hasRanges: false })
    expect(sha256(await read({}))).toBe(sha256(content))
    expect(sha256(await read({ to: 1_000_000 }))).toBe(sha256(content.subarray(0, 1_000_000)))
    expect(await read({ from: 10, to: 20 })).toMatchObject({
      kind: 'Refused',
      reason: expect.stringMatching(/does not know ranges of bytes/),
    })
  })

  it('a resource that has no tag is held by date and size, and one with neither by its size', async () => {
    for (const options of [{ tags: 'none' }, { tags: 'none', hasDates: false }] as const) {
      const { root, read, store } = await served(options)
      const { right } = (await store.stat('file')()) as { right: { version: string; modifiedAt: string } }
      expect(await read({}, right.version)).toHaveLength(3_000_000)
      writeFileSync(join(root, 'file'), 'other')
      expect(await read({}, right.version)).toEqual({ kind: 'Changed', path: 'file' })
    }
  })

  it.each<[number, object]>([
    [404, { kind: 'NotFound' }],
    [410, { kind: 'NotFound' }],
    [401, { kind: 'Refused', reason: expect.stringMatching(/401/) }],
    [403, { kind: 'Refused', reason: expect.stringMatching(/403/) }],
    [503, { kind: 'Unreadable', reason: expect.stringMatching(/503.*tried 2 times/) }],
  ])('an answer %i is what it means, after finite tries', async (status, failure) => {
    const { store, requests } = await served({
      before: (_, answer) => {
        answer.writeHead(status).end()
        return true
      },
    })
    expect(await store.stat('file')()).toMatchObject({ left: failure })
    expect(requests).toHaveLength(2)
  })

  it('does not unpack, and refuses bytes that were packed on the way', async () => {
    const coded = async (headers: Record<string, string>, path: string) => {
      const { store } = await served({
        before: (_, answer) => {
          answer
            .writeHead(200, { ...headers, 'content-length': 4, etag: '"1"' })
            .end('\x1f\x8b\x08\x00', 'latin1')
          return true
        },
      })
      return readAll(store, path)
    }
    expect(await coded({ 'content-encoding': 'gzip' }, 'a.warc.gz')).toEqual(Buffer.from([0x1f, 0x8b, 8, 0]))
    expect(await coded({ 'content-encoding': 'gzip' }, 'a.warc')).toBe('Refused')
  })

  it('is unreadable where the server falls silent, goes, or says no length', async () => {
    const silent = await served({ before: () => true }, 300)
    expect(await silent.read({})).toMatchObject({
      kind: 'Unreadable',
      reason: expect.stringMatching(/sent nothing/),
    })
    const closed = await served()
    await closed.close()
    expect(await closed.read({})).toMatchObject({ kind: 'Unreadable' })
    const endless = await served({
      before: (_, answer) => {
        answer.writeHead(200, { 'transfer-encoding': 'chunked' }).end('x')
        return true
      },
    })
    expect(await endless.read({})).toMatchObject({ kind: 'Refused', reason: expect.stringMatching(/length/) })
  })

  it('has no listing, says so, and changes nothing', async () => {
    const { store } = await served()
    for (const listing of [store.list(), store.folder(), store.names()]) {
      const listed: unknown[] = []
      for await (const one of listing) listed.push(one)
      expect(listed).toMatchObject([{ kind: 'skipped', skipped: { mayBeContent: true } }])
    }
    expect(await store.delete('file')()).toMatchObject({ left: { kind: 'Refused' } })
    const bytes = async function* () {}
    expect(await store.write('file', bytes())()).toMatchObject({ left: { kind: 'Refused' } })
  })

  it('asks allowed hosts alone', async () => {
    const { address } = await served()
    const allowed = { hosts: ['example.org'], content: 'files', setting: 'FONDS_X' }
    const store = createHttpStore(address, { allowed, clock: now, tries: 2 })
    expect(await store.stat('file')()).toMatchObject({
      left: { kind: 'Refused', reason: expect.stringMatching(/FONDS_X/) },
    })
  })
})
