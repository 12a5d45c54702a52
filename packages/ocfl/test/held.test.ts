import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { defaultLayout, objectFolders } from '../src/root/layout.ts'
import type { StorageRoot } from '../src/root/objects.ts'
import { ark, failureOf, filesIn, hex, textOf, useRoot, versionOf } from './root-folder.ts'

const folderOf = (root: string, object = ark) => join(root, ...objectFolders(object, defaultLayout))

const listed = async (store: StorageRoot, limit: number, from = '') => {
  const found: (string | undefined)[] = []
  for (let after = from; ; ) {
    const page = await store.list(after, limit)
    found.push(...page.map(({ object }) => object))
    const last = page.at(-1)
    if (!last || page.length < limit) return found
    after = last.place
  }
}

describe('what a root holds', () => {
  it('is each object once, whatever the size of the pages', async () => {
    const { open, file } = useRoot()
    const store = await open()
    const objects = Array.from({ length: 12 }, (_, n) => `ark:/99999/fk4${n}`)
    for (const object of objects) await store.write(versionOf(object, 0, [file('a', object)]))
    for (const limit of [1, 5, 12, 100]) expect((await listed(store, limit)).sort()).toEqual(objects.sort())
  })

  it('can be listed from any text on, and what comes before it is left out', async () => {
    const { open, file } = useRoot()
    const store = await open()
    for (let n = 0; n < 6; n++) await store.write(versionOf(`ark:/99999/fk4${n}`, 0, [file('a', 'a')]))
    const all = await store.list('', 100)
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f/]{0,12}$/)), async (text) => {
        const after = await store.list(text, 100)
        expect(after).toEqual(all.slice(all.length - after.length))
      }),
      { numRuns: runs(30) },
    )
    expect(await store.list(all[2]!.place, 100)).toEqual(all.slice(3))
  })

  it('has objects in it that cannot be read, and they say so', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await store.write(versionOf(ark, 0, [file('a', 'a')]))
    writeFileSync(join(folderOf(root), 'inventory.json'), '{}')
    expect(await store.list('', 10)).toMatchObject([{ object: undefined }])
  })

  it('is told of an object: its versions with the digests that were said of them, and what belongs to none', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    const first = await store.write(versionOf(ark, 0, [file('a', '1')]))
    const second = await store.write(versionOf(ark, 1, [file('a', '2')]))
    expect(await store.inspect(ark)).toEqual({
      object: ark,
      versions: [
        { version: 1, inventoryDigest: first.inventoryDigest },
        { version: 2, inventoryDigest: second.inventoryDigest },
      ],
      strays: [],
    })
    writeFileSync(join(folderOf(root), 'v1', 'content', 'stray.txt'), 'left here')
    mkdirSync(join(folderOf(root), 'logs'))
    writeFileSync(join(folderOf(root), 'logs', 'kept.txt'), 'OCFL leaves this folder to whoever writes it')
    rmSync(join(folderOf(root), 'v1', 'inventory.json'))
    expect(await store.inspect(ark)).toMatchObject({
      versions: [{ version: 1, inventoryDigest: undefined }, { version: 2 }],
      strays: ['v1/content/stray.txt'],
    })
    expect(await store.inspect('ark:/99999/none')).toBeUndefined()
  })
})

describe('versions that are set aside', () => {
  it('are taken out behind one that stays, and kept beside the root with all of the object', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    const first = await store.write(versionOf(ark, 0, [file('a', '1')]))
    await store.write(versionOf(ark, 1, [file('a', '2')]))
    await store.write(versionOf(ark, 2, [file('a', '3')]))
    const before = filesIn(folderOf(root))

    const copy = await store.setAside(ark, 1)
    expect(await store.head(ark)).toMatchObject({ version: 1, inventoryDigest: first.inventoryDigest })
    expect(await textOf(store, 'a')).toBe('1')
    expect(readdirSync(folderOf(root)).filter((name) => /^v\d/.test(name))).toEqual(['v1'])
    expect(filesIn(copy!)).toEqual(before)
    expect(hex(readFileSync(join(copy!, 'v3', 'content', 'a'), 'utf8'))).toBe(hex('3'))

    expect(await store.setAside(ark, 1)).toBeUndefined()
    expect(await store.write(versionOf(ark, 1, [file('a', '4')]))).toMatchObject({ version: 2 })
  })

  it('are gone on with where a process was killed: the copy is the same one, and it is known which there are', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await store.write(versionOf(ark, 0, [file('a', '1')]))
    await store.write(versionOf(ark, 1, [file('a', '2')]))
    const object = `${root}.object`
    cpSync(folderOf(root), object, { recursive: true })
    expect(await store.aside(ark)).toEqual([])
    const copy = await store.setAside(ark, 1)
    expect(await store.aside(ark)).toEqual([{ object: ark, folder: copy }])

    // As it was when the copy was whole, and as one that was not.
    rmSync(folderOf(root), { recursive: true })
    cpSync(object, folderOf(root), { recursive: true })
    mkdirSync(`${copy}.next`)
    expect(await store.setAside(ark, 1)).toBe(copy)
    rmSync(folderOf(root), { recursive: true })
    cpSync(object, folderOf(root), { recursive: true })
    rmSync(copy!, { recursive: true })
    expect(await store.setAside(ark, 1)).toBe(copy)
    expect(readdirSync(`${root}.set-aside`)).toHaveLength(1)
    await store.write(versionOf('ark:/99999/other', 0, [file('a', '1')]))
    const other = await store.setAside('ark:/99999/other', 0)
    expect(await store.aside()).toHaveLength(2)
    expect(await store.aside('ark:/99999/other')).toEqual([{ object: 'ark:/99999/other', folder: other }])
  })

  it('may be the whole object: no folder of it stays', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await store.write(versionOf(ark, 0, [file('a', '1')]))
    const copy = await store.setAside(ark, 0)
    expect(existsSync(join(copy!, 'inventory.json'))).toBe(true)
    expect(await store.head(ark)).toBeUndefined()
    expect(filesIn(root).every((name) => !name.includes('content'))).toBe(true)
    expect(readdirSync(root).filter((name) => /^[0-9a-f]{3}$/.test(name))).toEqual([])
  })

  it('are not where the version that is to stay has no inventory of its own: nothing changes', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await store.write(versionOf(ark, 0, [file('a', '1')]))
    await store.write(versionOf(ark, 1, [file('a', '2')]))
    rmSync(join(folderOf(root), 'v1', 'inventory.json'))
    expect(await failureOf(store.setAside(ark, 1))).toMatchObject({ kind: 'InvalidVersion' })
    expect(await store.head(ark)).toMatchObject({ version: 2 })
  })
})
