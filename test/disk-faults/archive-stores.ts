import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDeclaration } from '@fonds/ocfl/layout'
import { openStorageRoot } from '@fonds/ocfl/root'
import { createFileSystemStore } from '#infra/content/file-system/store.ts'
import { storageRootAt } from '#infra/object-store/ocfl/storage-root.ts'
import { createSnapshotStore } from '#infra/snapshots/file-system.ts'
import { writeOnce } from '#src/async/write-once.ts'
import type { SourceFile } from '#src/ports/object-store.ts'
import { hex, versionOf } from '../infra/object-store/root-folder.ts'
import type { Store } from './each-call.ts'

/* Where the archive's bytes are kept for good. What threads do is done here in the test's own: `openStorageRoot` is all of theirs. */

const object = 'ark:/99999/fk4abc'

/** A storage root; an object that is out of its place is put back at once. */
const objectStore = (folder: string) => {
  const [root, sources] = [join(folder, 'root'), join(folder, 'sources')]
  mkdirSync(sources)
  let processes = 0
  const file = (path: string, text: string): SourceFile => {
    const from = join(sources, `${path}-${hex(text).slice(0, 8)}`)
    writeFileSync(from, text)
    return { path, size: Buffer.byteLength(text), sha256: hex(text), from }
  }
  const open = () =>
    openStorageRoot({
      root,
      process: `process-${processes++}`,
      staging: { folder: 'fonds-staging', awayMillis: 0, leftMillis: 3_600_000 },
    })
  const first = versionOf(object, 0, [file('a.txt', 'one'), file('b.txt', 'two')])
  const second = versionOf(object, 1, [file('c.txt', 'three')], { carry: 'all' })
  return {
    write: async (version: typeof first) => {
      const objects = open()
      await objects.recover()
      await objects.write({ ...version, files: [...(version.files as SourceFile[])] })
    },
    setAside: async (keep: number) => {
      const objects = open()
      await objects.recover()
      await objects.setAside(object, keep)
    },
    first,
    second,
    /** Every object that a listing shows, with its versions and the bytes of its files. */
    seen: async () => {
      // To look must not make one.
      if (!existsSync(join(root, rootDeclaration))) return { held: undefined, listed: [], texts: [] }
      const objects = open()
      await objects.recover()
      const held = await objects.inspect(object)
      const listed = await objects.list('', 10)
      const files = (await objects.files(object)) ?? []
      const texts = await Promise.all(
        files.map(async ({ path, sha256 }) => {
          const text = readFileSync((await objects.find(object, path))!.place, 'utf8')
          return { path, text, isWhole: hex(text) === sha256 }
        }),
      )
      return { held, listed, texts }
    },
  }
}

const textsOf = async function* (...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text)
}

export const archiveStores: Readonly<Record<string, Store>> = {
  'the first version of an object': (folder) => {
    const { write, first, seen } = objectStore(folder)
    return { act: () => write(first), seen }
  },
  'another version of an object': async (folder) => {
    const { write, first, second, seen } = objectStore(folder)
    await write(first)
    return { act: () => write(second), seen }
  },
  'a version that is set aside': async (folder) => {
    const { write, first, second, setAside, seen } = objectStore(folder)
    await write(first)
    await write(second)
    return { act: () => setAside(1), seen }
  },
  'the name of a storage root': (folder) => {
    const root = storageRootAt(join(folder, 'root'))
    return {
      act: root.name('a'),
      seen: async () => ((await root.inspect()()) as { right: { root: unknown } }).right.root,
    }
  },
  'a file of a content store': (folder) => {
    mkdirSync(join(folder, 'root'))
    const store = createFileSystemStore(join(folder, 'root'))
    return {
      act: store.write('a/b/c.txt', textsOf('some', 'more')),
      seen: async () => {
        const names = []
        for await (const one of store.names()) names.push(one)
        return names
      },
    }
  },
  'a snapshot in place of an older one': async (folder) => {
    const store = createSnapshotStore(join(folder, 'snapshots'))
    await store.save('state', [Buffer.from('old')])
    return {
      act: () => store.save('state', [Buffer.from('new'), Buffer.from('er')]),
      seen: async () => String(await store.load('state')),
    }
  },
  'a file that is written once': (folder) => ({
    act: () => writeOnce(join(folder, 'once'), 'text'),
    seen: async () => textIn(join(folder, 'once')),
  }),
}

export const textIn = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
