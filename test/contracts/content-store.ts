import { createHash, randomBytes } from 'node:crypto'
import type { Right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ContentEntry, ContentStore } from '../../src/ports/content-store.ts'

export interface ContentStoreUnderTest {
  /** Empty. */
  readonly store: ContentStore
  dispose(): Promise<void>
}

export const bytesOf = async function* (...chunks: readonly (Uint8Array | string)[]) {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

/** The whole content; the failure's kind where there is one. */
export const readAll = async (store: ContentStore, path: string): Promise<Buffer | string> => {
  const chunks: Buffer[] = []
  const read = await store.read(path, {}, (chunk) => {
    chunks.push(Buffer.from(chunk))
  })()
  return read._tag === 'Right' ? Buffer.concat(chunks) : read.left.kind
}

export const listAll = async (store: ContentStore, prefix?: string) => {
  const entries: ContentEntry[] = []
  const skipped: { path: string; reason: string }[] = []
  for await (const listed of store.list(prefix))
    if (listed.kind === 'entry') entries.push(listed.entry)
    else skipped.push(listed.skipped)
  return { entries, skipped, paths: entries.map((entry) => entry.path) }
}

/** The kind and path of each thing that `folder` finds, in its order. */
const folderIn = async (store: ContentStore, path?: string): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const one of store.folder(path))
    if (one.kind === 'entry') found.push(`file ${one.entry.path}`)
    else found.push(one.kind === 'folder' ? `folder ${one.path}` : `skipped ${one.skipped.path}`)
  return found
}

/** The paths of `names`, and what it skipped. */
export const namesIn = async (store: ContentStore, folder?: string) => {
  const paths: string[] = []
  const skipped: string[] = []
  for await (const listed of store.names(folder))
    if (listed.kind === 'name') paths.push(listed.path)
    else skipped.push(listed.skipped.path)
  return { paths, skipped }
}

export const put = async (store: ContentStore, path: string, content: Uint8Array | string) => {
  const written = await store.write(path, bytesOf(content))()
  if (written._tag === 'Left') throw new Error(`${path}: ${JSON.stringify(written.left)}`)
  return written.right
}

const hostileNames = [
  'two\nlines',
  'a\ttab',
  'carriage\rreturn',
  'evil\u202Efdp.exe',
  '\uFEFFmark',
  'back\\slash',
  '-rf',
  '*',
  ' lead and trail ',
  'percent%0A%25',
  '"quotes\'',
  'e\u0301 decomposed',
  '\u00E9 composed',
  '🗄️',
  'x'.repeat(255),
]

const badPaths = [
  '',
  '/etc/passwd',
  '..',
  '../x',
  'a/../../x',
  'a/..',
  './a',
  'a//b',
  'a/',
  'nul\0',
  'lone\uD800',
]

/** Where storage rightly differs from folders. */
interface Differences {
  /** Listings have no checksums: these are told by `stat` and `read` alone. */
  readonly listsNoClaims?: boolean
  /** A reading that has begun gives all the old bytes though the content is replaced; it never mixes the two. */
  readonly readsOneVersion?: boolean
  /** Names that its server cannot have: their tests must fail there. */
  readonly lacksNames?: readonly string[]
}

/** What every content store must do. */
export const contentStoreContract = (
  name: string,
  open: () => Promise<ContentStoreUnderTest>,
  { listsNoClaims = false, readsOneVersion = false, lacksNames = [] }: Differences = {},
): void => {
  const asListed = (entry: ContentEntry): ContentEntry => (listsNoClaims ? { ...entry, claims: [] } : entry)

  /** A reading from `from` on, during which the content was replaced. */
  const expectOneVersion = async (
    reading: Promise<unknown>,
    got: readonly Buffer[],
    old: Buffer,
    from = 0,
  ) => {
    const read = (await reading) as { readonly _tag: string }
    if (read._tag === 'Left' || !readsOneVersion)
      return expect(read).toEqual({ _tag: 'Left', left: { kind: 'Changed', path: 'file' } })
    expect(read).toMatchObject({ right: { bytes: old.length - from } })
    expect(Buffer.concat(got).equals(old.subarray(from))).toBe(true)
  }

  describe(`content store contract: ${name}`, () => {
    let under: ContentStoreUnderTest
    let store: ContentStore
    beforeEach(async () => {
      under = await open()
      store = under.store
    })
    afterEach(() => under.dispose())

    test.each([0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 1024 * 1024 + 3])(
      'reads back the %i bytes that were written',
      async (size) => {
        const content = randomBytes(size)
        const entry = await put(store, 'some/where/file', content)
        expect(entry).toMatchObject({ path: 'some/where/file', size })
        const { right } = (await store.stat('some/where/file')()) as Right<ContentEntry>
        expect({ ...right, isLink: undefined }).toEqual({ ...entry, isLink: undefined })
        expect((await readAll(store, 'some/where/file')).toString('base64')).toBe(content.toString('base64'))
        expect(await store.read('some/where/file', { version: entry.version }, () => {})()).toEqual({
          _tag: 'Right',
          right: { bytes: size, version: entry.version },
        })
      },
    )

    test('a chunk stays as it is until the consumer has done with it', async () => {
      const content = randomBytes(2 * 1024 * 1024 + 7)
      await put(store, 'file', content)
      const hash = createHash('sha256')
      await store.read('file', {}, async (chunk) => {
        for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
        hash.update(chunk)
      })()
      expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'))
    })

    const tree = [
      'B',
      'a-b/x',
      'a.txt',
      'a/10',
      'a/2',
      'a/b/c',
      'a/z/deep',
      'a0/x',
      'b',
      'é',
      '\uFF5E',
      '\u{1F600}',
    ]

    test('a folder holds its own files in byte order, then its subfolders; the whole list is all of these', async () => {
      for (const path of tree.toReversed()) await put(store, path, path)
      expect(await folderIn(store)).toEqual([
        ...['B', 'a.txt', 'b', 'é', '\uFF5E', '\u{1F600}'].map((path) => `file ${path}`),
        ...['folder a', 'folder a-b', 'folder a0'],
      ])
      const inA = ['file a/10', 'file a/2', 'folder a/b', 'folder a/z']
      expect([await folderIn(store, 'a'), await folderIn(store, 'a/')]).toEqual([inA, inA])
      expect(await folderIn(store, 'a/b')).toEqual(['file a/b/c'])
      const { paths, skipped } = await listAll(store)
      expect([paths.toSorted(), skipped]).toEqual([tree.toSorted(), []])
    })

    test('a folder says of its files what stat says', async () => {
      const entry = await put(store, 'a/file', 'content')
      for await (const found of store.folder('a'))
        expect(found).toEqual({ kind: 'entry', entry: asListed(entry) })
    })

    test('an empty store has an empty root; a folder that is not there is skipped, under its own path', async () => {
      expect(await folderIn(store)).toEqual([])
      await put(store, 'some/file', 'x')
      for (const path of [
        'none',
        'som',
        'some/file',
        ...badPaths.filter((bad) => /^[a-z./]+[a-z.]$/.test(bad)),
      ])
        expect(await folderIn(store, path)).toEqual([`skipped ${path}`])
    })

    test('names the same in byte order of the whole path, and below a folder only that', async () => {
      for (const path of tree.toReversed()) await put(store, path, path)
      expect(await namesIn(store)).toEqual({ paths: tree, skipped: [] })
      expect(await namesIn(store, 'a/')).toEqual({ paths: ['a/10', 'a/2', 'a/b/c', 'a/z/deep'], skipped: [] })
    })

    test('lists what stat says, and below a prefix only that', async () => {
      const entry = await put(store, 'a/b/file', 'content')
      await put(store, 'a/bb', 'other')
      expect((await listAll(store, 'a/b')).entries).toEqual([asListed(entry)])
      expect((await listAll(store, 'a')).paths.toSorted()).toEqual(['a/b/file', 'a/bb'])
      expect((await listAll(store, 'none')).paths).toEqual([])
    })

    for (const hostile of hostileNames) {
      const keeps = lacksNames.includes(hostile) ? test.fails : test
      keeps(`keeps the name ${JSON.stringify(hostile)}`, async () => {
        await put(store, `folder/${hostile}`, 'content')
        expect((await listAll(store)).paths).toEqual([`folder/${hostile}`])
        expect((await namesIn(store)).paths).toEqual([`folder/${hostile}`])
        expect(String(await readAll(store, `folder/${hostile}`))).toBe('content')
        expect((await store.delete(`folder/${hostile}`)())._tag).toBe('Right')
        expect((await listAll(store)).paths).toEqual([])
      })
    }

    test.each(badPaths)('refuses the path %j, for whatever purpose', async (path) => {
      const results = await Promise.all([
        store.stat(path)(),
        store.read(path, {}, () => {})(),
        store.write(path, bytesOf('x'))(),
        store.delete(path)(),
      ])
      for (const result of results) expect(result).toMatchObject({ left: { kind: 'Refused', path } })
      expect((await listAll(store)).paths).toEqual([])
    })

    test('says NotFound for what is not there', async () => {
      await put(store, 'file', 'x')
      for (const path of ['none', 'none/below', 'file/below']) {
        expect(await store.stat(path)()).toMatchObject({ left: { kind: 'NotFound', path } })
        expect(await readAll(store, path)).toBe('NotFound')
        expect(await store.delete(path)()).toMatchObject({ left: { kind: 'NotFound', path } })
      }
    })

    test('a write replaces, and gives another version', async () => {
      const first = await put(store, 'file', 'old')
      const second = await put(store, 'file', 'new')
      expect(second.version).not.toBe(first.version)
      expect(String(await readAll(store, 'file'))).toBe('new')
    })

    test('reads no byte of another version than the one asked for', async () => {
      const first = await put(store, 'file', 'old')
      await put(store, 'file', 'new!')
      let chunks = 0
      const read = await store.read('file', { version: first.version }, () => {
        chunks++
      })()
      expect(read).toEqual({ _tag: 'Left', left: { kind: 'Changed', path: 'file' } })
      expect(chunks).toBe(0)
    })

    test('says Changed when the content is replaced while it is read, or reads on what was there', async () => {
      const old = randomBytes(600_000)
      await put(store, 'file', old)
      const got: Buffer[] = []
      const reading = store.read('file', {}, async (chunk) => {
        if (got.push(Buffer.from(chunk)) === 1) await put(store, 'file', 'other')
      })()
      await expectOneVersion(reading, got, old)
    })

    test('a reading tells the entry first, as stat has it, and its bytes wait for that', async () => {
      await put(store, 'some/file', 'bytes')
      const heard: unknown[] = []
      const onEntry = async (entry: ContentEntry) => {
        await new Promise((resolve) => setImmediate(resolve))
        heard.push(entry)
      }
      await store.read('some/file', { onEntry }, (chunk) => void heard.push(Buffer.from(chunk).toString()))()
      const said = await store.stat('some/file')()
      expect(heard).toEqual([(said as Right<ContentEntry>).right, 'bytes'])
    })

    test('a range is read as subarray has it, with the entry and version of the whole', async () => {
      const content = randomBytes(600_000)
      const entry = await put(store, 'file', content)
      const ranges: readonly { from?: number; to?: number }[] = [
        { from: 0, to: 1 },
        { from: 599_999 },
        { to: 10 },
        { from: 100, to: 300_000 },
        { from: 262_144, to: 524_288 },
        { from: 599_000, to: 700_000 },
        { from: 600_000 },
        { from: 700_000, to: 800_000 },
        { from: 5, to: 5 },
        { from: 9, to: 3 },
      ]
      for (const range of ranges) {
        const wanted = content.subarray(range.from, range.to)
        const got: Buffer[] = []
        const wholes: ContentEntry[] = []
        const read = await store.read(
          'file',
          { ...range, version: entry.version, onEntry: (found) => void wholes.push(found) },
          (chunk) => void got.push(Buffer.from(chunk)),
        )()
        expect(read, JSON.stringify(range)).toEqual({
          _tag: 'Right',
          right: { bytes: wanted.length, version: entry.version },
        })
        expect(Buffer.concat(got).equals(wanted), JSON.stringify(range)).toBe(true)
        expect(wholes).toMatchObject([{ size: 600_000, version: entry.version }])
      }
    })

    test('reads no range of another version, and of one alone when it is replaced midway', async () => {
      const first = await put(store, 'file', randomBytes(600_000))
      const old = randomBytes(700_000)
      await put(store, 'file', old)
      const chunks: number[] = []
      const options = { version: first.version, from: 10, to: 20 }
      const read = await store.read('file', options, (chunk) => void chunks.push(chunk.length))()
      expect(read).toEqual({ _tag: 'Left', left: { kind: 'Changed', path: 'file' } })
      expect(chunks).toEqual([])

      const got: Buffer[] = []
      const midway = store.read('file', { from: 100, to: 700_000 }, async (chunk) => {
        if (got.push(Buffer.from(chunk)) === 1) await put(store, 'file', 'other')
      })()
      await expectOneVersion(midway, got, old, 100)
    })

    test.each([-1, 1.5, Number.NaN])('an offset of %d is a bug of the caller', async (offset) => {
      await put(store, 'file', 'x')
      await expect(store.read('file', { from: offset }, () => {})()).rejects.toThrow(RangeError)
      await expect(store.read('file', { to: offset }, () => {})()).rejects.toThrow(RangeError)
    })

    test('stops when the signal says so', async () => {
      await put(store, 'file', randomBytes(2_000_000))
      const controller = new AbortController()
      let chunks = 0
      const read = await store.read('file', { signal: controller.signal }, () => {
        chunks++
        controller.abort()
      })()
      expect(read).toMatchObject({ left: { kind: 'Unreadable', path: 'file' } })
      expect(chunks).toBe(1)
    })

    test("passes on the consumer's exception", async () => {
      await put(store, 'file', randomBytes(600_000))
      const reading = store.read('file', {}, () => {
        throw new Error('a bug')
      })()
      await expect(reading).rejects.toThrow('a bug')
    })

    test('keeps the old bytes and leaves nothing behind when a write breaks off', async () => {
      await put(store, 'file', 'old')
      const broken = async function* () {
        yield Buffer.from('new')
        throw new Error('the source broke')
      }
      await expect(store.write('file', broken())()).rejects.toThrow('the source broke')
      expect(String(await readAll(store, 'file'))).toBe('old')
      expect(await listAll(store)).toMatchObject({ paths: ['file'], skipped: [] })
    })
  })
}
