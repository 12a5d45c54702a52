import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultLayout, objectFolders } from '../src/root/layout.ts'
import { ark, failureOf, filesIn, hex, textOf, useRoot, versionOf } from './root-folder.ts'

describe('a version', () => {
  it('is stored with its names, and read again', async () => {
    const { open, file } = useRoot()
    const store = await open()
    const stored = await store.write(versionOf(ark, 0, [file('b/c.txt', 'see'), file('a.txt', 'ay')]))
    expect(stored).toMatchObject({ object: ark, version: 1, files: 2, added: 5 })
    expect(await store.files(ark)).toEqual([
      { path: 'a.txt', size: 2, sha256: hex('ay') },
      { path: 'b/c.txt', size: 3, sha256: hex('see') },
    ])
    expect(await textOf(store, 'b/c.txt')).toBe('see')
    expect(await textOf(store, 'none.txt')).toBeUndefined()
    expect(await store.head('ark:/99999/none')).toBeUndefined()
  })

  it('holds exactly its files when it is added, and the last one’s too when it updates', async () => {
    const { open, file } = useRoot()
    const store = await open()
    await store.write(versionOf(ark, 0, [file('a', '1'), file('b', '2'), file('c', '3')]))
    await store.write(versionOf(ark, 1, [file('a', '4')], { carry: 'all', drop: ['b', 'not there'] }))
    expect((await store.files(ark))?.map(({ path }) => path)).toEqual(['a', 'c'])
    expect(await textOf(store, 'a')).toBe('4')
    await store.write(versionOf(ark, 2, [file('z', '5')]))
    expect((await store.files(ark))?.map(({ path }) => path)).toEqual(['z'])
    // What was stored stays.
    expect(await textOf(store, 'b', 1)).toBe('2')
    expect(await store.files(ark, 9)).toBeUndefined()
  })

  it('stores the same bytes once', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await store.write(versionOf(ark, 0, [file('a', 'same'), file('b', 'same')]))
    const second = await store.write(versionOf(ark, 1, [file('c', 'same'), file('d', 'new')]))
    expect(second.added).toBe(3)
    expect(filesIn(root).filter((name) => name.includes('/content/'))).toHaveLength(2)
  })

  it('is not made where bytes that it carries over are missing: the file is named, and nothing is left behind', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await store.write(versionOf(ark, 0, [file('a', 'same'), file('b', 'other')]))
    const kept = join(root, filesIn(root).find((name) => name.endsWith('v1/content/a'))!)
    rmSync(kept)
    const before = filesIn(root)
    const missing = {
      kind: 'MissingFile',
      reason: expect.stringContaining(`is missing: ${kept} is not there; put it back from a copy`),
    }
    const carrying = versionOf(ark, 1, [file('c', 'new')], { carry: 'all' })
    expect(await failureOf(store.write(carrying))).toEqual(missing)
    // The same bytes once more would be taken for those that are there.
    expect(await failureOf(store.write(versionOf(ark, 1, [file('d', 'same')])))).toMatchObject({
      reason: expect.stringContaining('its file d is missing'),
    })
    expect(await failureOf(store.files(ark))).toEqual(missing)
    expect(await failureOf(store.find(ark, 'a'))).toEqual(missing)
    expect(filesIn(root)).toEqual(before)
    // What does not need them is stored.
    expect(await store.write(versionOf(ark, 1, [file('b', 'other')]))).toMatchObject({ version: 2 })
  })

  it('is the one that is there when it is written again, and another one is not', async () => {
    const { open, file } = useRoot()
    const store = await open()
    const asked = versionOf(ark, 0, [file('a', '1')])
    const first = await store.write(asked)
    expect(await store.write(asked)).toEqual({ ...first, added: 0 })
    expect(await failureOf(store.write(versionOf(ark, 0, [file('a', '2')])))).toEqual({
      kind: 'VersionConflict',
      head: 1,
    })
    expect(await failureOf(store.write(versionOf(ark, 2, [file('a', '2')])))).toMatchObject({
      kind: 'VersionConflict',
    })
  })

  it('does not touch what is damaged, and says what is wrong', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await store.write(versionOf(ark, 0, [file('a', '1')]))
    const inventory = join(root, ...objectFolders(ark, defaultLayout), 'inventory.json')
    writeFileSync(inventory, readFileSync(inventory, 'utf8').replace('job 1', 'job 2'))
    const failures = [await failureOf(store.head(ark)), await failureOf(store.write(versionOf(ark, 1, [])))]
    for (const failure of failures)
      expect(failure).toMatchObject({
        kind: 'DamagedObject',
        reason: expect.stringContaining('digest that is written beside'),
      })
  })

  it('is not added to an object of another program that counts by sha512', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await store.write(versionOf(ark, 0, [file('a', '1')]))
    const inventory = join(root, ...objectFolders(ark, defaultLayout), 'inventory.json')
    writeFileSync(inventory, readFileSync(inventory, 'utf8').replace('"sha256"', '"sha512"'))
    expect(await failureOf(store.write(versionOf(ark, 1, [])))).toMatchObject({
      kind: 'OtherDigests',
      reason: expect.stringContaining('sha512'),
    })
  })
})
