import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultLayout, objectFolders } from '@fonds/ocfl/layout'
import { describe, expect, it } from 'vitest'
import { done, failureOf, useRoot, versionOf } from './root-folder.ts'

const ark = 'ark:/99999/fk4abc'

describe('versions that are written by threads', () => {
  it('of many objects at once: all are there', async () => {
    const { open, file } = useRoot()
    const store = await open()
    const ids = Array.from({ length: 100 }, (_, i) => `ark:/99999/${i}`)
    for (const version of [0, 1])
      await Promise.all(
        ids.map((id) => done(store.write(versionOf(id, version, [file('a', `${id} ${version}`)])))),
      )
    for (const id of ids) expect((await done(store.head(id)))?.version).toBe(2)
  })

  it('of objects that share folders, added and updated by two processes at once: all are there', async () => {
    const { open, file } = useRoot()
    const stores = [await open(), await open()] as const
    const ids = Array.from({ length: 30_000 }, (_, i) => `ark:/99999/${i}`)
    const shared = Object.values(Object.groupBy(ids, (id) => objectFolders(id, defaultLayout)[0]!))
      .filter((found) => found!.length > 4)
      .flatMap((found) => found!.slice(0, 5))
      .slice(0, 20)
    for (const version of [0, 1, 2])
      await Promise.all(
        shared.map((id, i) =>
          done(
            stores[(i + version) % 2 ? 0 : 1].write(versionOf(id, version, [file('a', `${id} ${version}`)])),
          ),
        ),
      )
    for (const id of shared) expect((await done(stores[0].head(id)))?.version).toBe(3)
  })
})

describe('a failure', () => {
  it('is a conflict where another version was written', async () => {
    const { open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', '1')])))
    expect(await failureOf(store.write(versionOf(ark, 0, [file('a', '2')])))).toEqual({
      kind: 'Conflict',
      object: ark,
      head: 1,
    })
  })

  it('is invalid where a version cannot be stored, or taken out', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    const invalid = { kind: 'Invalid', object: ark, reason: expect.any(String) }
    expect(await failureOf(store.write(versionOf(ark, 0, [file('../up', '1')])))).toEqual(invalid)
    await done(store.write(versionOf(ark, 0, [file('a', '1')])))
    await done(store.write(versionOf(ark, 1, [file('a', '2')])))
    const folder = join(root, ...objectFolders(ark, defaultLayout))
    rmSync(join(folder, 'v1', 'inventory.json'))
    expect(await failureOf(store.setAside(ark, 1))).toEqual(invalid)
    const inventory = join(folder, 'inventory.json')
    writeFileSync(inventory, readFileSync(inventory, 'utf8').replace('"sha256"', '"sha512"'))
    expect(await failureOf(store.head(ark))).toEqual(invalid)
  })

  it('is damage where a file is missing', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', '1')])))
    rmSync(join(root, ...objectFolders(ark, defaultLayout), 'v1', 'content', 'a'))
    expect(await failureOf(store.files(ark))).toMatchObject({ kind: 'Damaged', object: ark })
  })
})

it('a write that is aborted rejects with the reason of the signal', async () => {
  const { open, file } = useRoot()
  const store = await open()
  const reason = new Error('enough')
  await expect(store.write(versionOf(ark, 0, [file('a', '1')]), AbortSignal.abort(reason))()).rejects.toBe(
    reason,
  )
  expect(await done(store.head(ark))).toBeUndefined()
})
