import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import createFileSystemStore from '../../../infra/content/file-system/store.ts'
import type { ContentEntry, ContentStore } from '../../../src/ports/content-store.ts'
import {
  bytesOf,
  contentStoreContract,
  listAll,
  namesIn,
  put,
  readAll,
} from '../../contracts/content-store.ts'

for (const blocking of [false, true])
  contentStoreContract(`file system, ${blocking ? 'blocking' : 'yielding'}`, async () => {
    const root = await mkdtemp(join(tmpdir(), 'fonds-content-'))
    return {
      store: createFileSystemStore(root, { blocking }),
      dispose: () => rm(root, { recursive: true, force: true }),
    }
  })

describe('file-system content store', () => {
  let base: string
  let root: string
  let store: ContentStore
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'fonds-content-'))
    root = join(base, 'root')
    await mkdir(root)
    store = createFileSystemStore(root)
  })
  // rm(1) copes with paths that are longer than the system takes in one piece.
  afterEach(() => execFileSync('rm', ['-rf', base]))

  const failureOf = async (path: string) => {
    const read = await store.read(path, {}, () => {})()
    return read._tag === 'Left' ? read.left : undefined
  }

  describe('a blocked thread reads at once', () => {
    beforeEach(() => {
      store = createFileSystemStore(root, { blocking: true })
    })

    test.each([0, 1, 4096, 5000])(
      'the %i bytes of a small file, with the entry that stat has',
      async (size) => {
        const content = randomBytes(size)
        await put(store, 'some/file', content)
        const { right: entry } = (await store.stat('some/file')()) as Right<ContentEntry>
        const found = store.readAtOnce?.('some/file', 5000)
        expect(found?.entry).toEqual(entry)
        expect(Buffer.from(found?.bytes ?? 'none').equals(content)).toBe(true)
      },
    )

    test('what stands behind a link inside the root, and says so', async () => {
      await put(store, 'file', 'x')
      await symlink('file', join(root, 'link'))
      expect(store.readAtOnce?.('link', 10)).toMatchObject({ entry: { path: 'link', isLink: true } })
    })

    test('nothing else: that is for the reading step by step to tell', async () => {
      await put(store, 'large', randomBytes(5001))
      await writeFile(join(base, 'secret'), 'secret')
      await symlink(join(base, 'secret'), join(root, 'out'))
      await symlink('self', join(root, 'self'))
      await mkdir(join(root, 'folder'))
      execFileSync('mkfifo', [join(root, 'pipe')])
      for (const path of ['large', 'out', 'self', 'folder', 'pipe', 'none', '', '../secret', '/etc/passwd'])
        expect(store.readAtOnce?.(path, 5000)).toBeUndefined()
    })
  })

  test('a root that is not there, or is a file, is told at once', async () => {
    await writeFile(join(base, 'file'), '')
    expect(() => createFileSystemStore(join(base, 'none'))).toThrow(
      /none: there is no such folder; create it/,
    )
    expect(() => createFileSystemStore(join(base, 'file'))).toThrow(/file: is a file; give the folder/)
  })

  test('nothing is called missing once the root itself is gone or is another folder', async () => {
    await put(store, 'file', 'x')
    await rename(root, join(base, 'unmounted'))
    for (const result of [await store.stat('file')(), await store.delete('file')()])
      expect(result).toMatchObject({
        left: { kind: 'Unreadable', reason: expect.stringMatching(/root .*mounted/) },
      })
    expect(await readAll(store, 'file')).toBe('Unreadable')

    await mkdir(root)
    expect(await readAll(store, 'file')).toBe('Unreadable')
    expect(await namesIn(store)).toEqual({ paths: [], skipped: ['.'] })
    for await (const found of store.folder('some'))
      expect(found).toMatchObject({ kind: 'skipped', skipped: { path: '.', mayBeContent: true } })
    expect(await listAll(store)).toEqual({
      entries: [],
      paths: [],
      skipped: [
        {
          path: '.',
          reason: expect.stringContaining("another folder is now at the store's root"),
          mayBeContent: true,
        },
      ],
    })
  })

  test('symbolic links are reported, not followed: out of the root, inside it, to folders, in circles', async () => {
    await writeFile(join(base, 'secret'), 'secret')
    await put(store, 'folder/file', 'x')
    await symlink(join(base, 'secret'), join(root, 'out'))
    await symlink('folder/file', join(root, 'in'))
    await symlink('..', join(root, 'folder', 'up'))
    await symlink('self', join(root, 'self'))
    const { paths, skipped } = await listAll(store)
    expect(paths).toEqual(['folder/file'])
    expect(skipped).toEqual(
      ['in', 'out', 'self', 'folder/up'].map((path) => ({ path, reason: 'is a symbolic link' })),
    )
    expect(await namesIn(store)).toEqual({ paths: ['folder/file'], skipped: [] })
    await symlink('folder', join(root, 'way'))
    for await (const found of store.folder('way'))
      expect(found).toMatchObject({
        skipped: { path: 'way', reason: expect.stringMatching(/symbolic link/) },
      })
  })

  test('a path whose real path leaves the root is refused, for reading and for writing', async () => {
    await mkdir(join(base, 'outside'))
    await writeFile(join(base, 'outside', 'secret'), 'secret')
    await symlink(join(base, 'outside'), join(root, 'door'))
    await symlink(join(base, 'outside', 'secret'), join(root, 'link'))
    for (const path of ['door/secret', 'link'])
      expect(await failureOf(path)).toMatchObject({
        kind: 'Refused',
        reason: expect.stringContaining('leads out'),
      })
    expect(await store.stat('door/secret')()).toMatchObject({ left: { kind: 'Refused' } })
    expect(await store.delete('door/secret')()).toMatchObject({ left: { kind: 'Refused' } })
    expect(await store.write('door/new/file', bytesOf('x'))()).toMatchObject({ left: { kind: 'Refused' } })
    expect(await store.write('link', bytesOf('x'))()).toMatchObject({ left: { kind: 'Refused' } })
    expect(await readdir(join(base, 'outside'))).toEqual(['secret'])
    expect(await readFile(join(base, 'outside', 'secret'), 'utf8')).toBe('secret')
  })

  test('a sibling folder whose name begins like the root is outside it', async () => {
    await mkdir(`${root}-other`)
    await writeFile(join(`${root}-other`, 'file'), 'x')
    await symlink(join(`${root}-other`, 'file'), join(root, 'link'))
    expect(await failureOf('link')).toMatchObject({ kind: 'Refused' })
  })

  test('a link to content inside the root can be read by its name', async () => {
    await put(store, 'file', 'x')
    await symlink('file', join(root, 'link'))
    expect(String(await readAll(store, 'link'))).toBe('x')
    const links: unknown[] = []
    for (const path of ['file', 'link'])
      await store.read(path, { onEntry: ({ isLink }) => void links.push(isLink) }, () => {})()
    expect(links).toEqual([false, true])
  })

  test('pipes and sockets are reported, and reading one does not wait for its writer', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')])
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve))
    try {
      const { paths, skipped } = await listAll(store)
      expect(paths).toEqual([])
      expect(skipped.map(({ path }) => path)).toEqual(['pipe', 'socket'])
      expect(skipped[0]?.reason).toMatch(/named pipe/)
      expect(await failureOf('pipe')).toMatchObject({
        kind: 'Refused',
        reason: expect.stringMatching(/named pipe/),
      })
      expect(await failureOf('socket')).toMatchObject({ kind: 'Refused' })
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  test('a name that is not UTF-8 is reported with its bytes, a file as well as a folder', async () => {
    await put(store, 'fine', 'x')
    await writeFile(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9, 0x0a])]), 'x')
    await mkdir(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]))
    const { paths, skipped } = await listAll(store)
    expect(paths).toEqual(['fine'])
    expect(skipped.map(({ path }) => path)).toEqual(['caf\\xe9\\x0a', '\\xff'])
    expect(skipped[0]).toMatchObject({ reason: expect.stringMatching(/not valid UTF-8/), mayBeContent: true })
  })

  test('in a report nothing unprintable is left', async () => {
    await symlink('x', join(root, 'new\nline\u202E\\'))
    expect((await listAll(store)).skipped[0]?.path).toBe('new\\u{a}line\\u{202e}\\u{5c}')
  })

  test('a folder that cannot be read is reported and the listing goes on', async () => {
    await put(store, 'a', 'x')
    await put(store, 'z/file', 'x')
    // Deeper than a path can be long: unreadable even for the superuser.
    const half = Array.from({ length: 10 }, () => 'd'.repeat(200)).join('/')
    await mkdir(join(root, half), { recursive: true })
    await mkdir(join(base, half, half.slice(0, 401)), { recursive: true })
    await rename(join(base, 'd'.repeat(200)), join(root, half, 'rest'))
    const { paths, skipped } = await listAll(store)
    expect(paths).toEqual(['a', 'z/file'])
    expect(skipped).toEqual([
      {
        path: expect.stringContaining(half),
        reason: expect.stringMatching(/longer than/),
        mayBeContent: true,
      },
    ])
  })

  test.skipIf(process.getuid?.() === 0)('without permission: Unreadable, and what to do', async () => {
    await put(store, 'closed/file', 'x')
    await put(store, 'file', 'x')
    await chmod(join(root, 'file'), 0)
    await chmod(join(root, 'closed'), 0)
    try {
      expect(await failureOf('file')).toMatchObject({
        kind: 'Unreadable',
        reason: expect.stringMatching(/permission/),
      })
      expect(await listAll(store)).toMatchObject({
        paths: ['file'],
        skipped: [{ path: 'closed', mayBeContent: true }],
      })
    } finally {
      await chmod(join(root, 'closed'), 0o700)
    }
  })

  test('a folder, a name too long and a circle of links are refused, each with its reason', async () => {
    await mkdir(join(root, 'folder'))
    await symlink('loop', join(root, 'loop'))
    const expected = { folder: /folder/, ['x'.repeat(300)]: /longer/, loop: /circle/ }
    for (const [path, reason] of Object.entries(expected))
      expect(await failureOf(path)).toMatchObject({
        kind: 'Refused',
        path,
        reason: expect.stringMatching(reason),
      })
    expect(await store.write('folder', bytesOf('x'))()).toMatchObject({ left: { kind: 'Refused' } })
    expect(await store.delete('folder')()).toMatchObject({ left: { kind: 'Refused' } })
  })

  /** Until the file system would give a change another time than the file's last one. */
  const clockTick = async (file: string) => {
    const { ctimeNs } = await stat(file, { bigint: true })
    const probe = join(base, 'probe')
    do await writeFile(probe, '')
    while ((await stat(probe, { bigint: true })).ctimeNs === ctimeNs)
  }

  const changes = {
    grows: (file: string) => appendFile(file, 'more'),
    shrinks: (file: string) => truncate(file, 10),
    'is deleted': (file: string) => unlink(file),
    'is renamed over': async (file: string) => {
      await writeFile(`${file}.new`, 'other')
      await rename(`${file}.new`, file)
    },
    'gets other bytes of the same size and its old time': async (file: string) => {
      await writeFile(file, randomBytes(700_000))
      await utimes(file, 1, 1)
    },
  }
  for (const [what, change] of Object.entries(changes))
    test(`a file that ${what} while it is read: Changed`, async () => {
      await put(store, 'file', randomBytes(700_000))
      await utimes(join(root, 'file'), 1, 1)
      let changed = false
      const read = await store.read('file', {}, async () => {
        if (!changed) await clockTick(join(root, 'file'))
        if (!changed) await change(join(root, 'file'))
        changed = true
      })()
      expect(read).toEqual({ _tag: 'Left', left: { kind: 'Changed', path: 'file' } })
    })

  // Files of sysfs claim a page and hold a line: the one place where a short read without error can be had.
  const sys = '/sys/kernel/mm/transparent_hugepage'
  test.skipIf(!existsSync(join(sys, 'enabled')))(
    'a short read without an error: Unreadable, with both counts',
    async () => {
      const short = await createFileSystemStore(sys).read('enabled', {}, () => {})()
      expect(short).toMatchObject({
        left: { kind: 'Unreadable', reason: expect.stringMatching(/^got \d+ of 4096 bytes$/) },
      })
    },
  )

  test('what a broken-off write left behind is reported, not listed as content', async () => {
    await writeFile(join(root, '.fonds-write-1'), 'half')
    expect(await listAll(store)).toMatchObject({ paths: [], skipped: [{ path: '.fonds-write-1' }] })
  })

  test('readers see the old bytes or the new ones', async () => {
    const old = 'o'.repeat(500_000)
    await put(store, 'file', old)
    const source = async function* () {
      yield Buffer.from('new')
      expect(String(await readAll(store, 'file'))).toBe(old)
    }
    expect((await store.write('file', source())())._tag).toBe('Right')
    expect(String(await readAll(store, 'file'))).toBe('new')
  })

  test('whether a symbolic link leads there, at the name itself or above', async () => {
    await put(store, 'a/file', 'x')
    await symlink('a', join(root, 'b'))
    await symlink('file', join(root, 'a/link'))
    const isLink = async (path: string) => ((await store.stat(path)()) as Right<ContentEntry>).right.isLink
    expect([await isLink('a/file'), await isLink('b/file'), await isLink('a/link')]).toEqual([
      false,
      true,
      true,
    ])
  })

  test('a prefix that names a file lists it alone; one that leads nowhere is reported', async () => {
    await put(store, 'a/file', 'x')
    expect((await listAll(store, 'a/file')).paths).toEqual(['a/file'])
    expect(await listAll(store, 'none')).toMatchObject({
      skipped: [{ path: 'none', reason: 'is not there' }],
    })
    expect(await listAll(store, '../')).toMatchObject({
      skipped: [{ reason: expect.stringMatching(/".." segment/) }],
    })
  })
})
