import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { storageRootAt } from '#infra/object-store/ocfl/storage-root.ts'
import { idFile } from '#infra/object-store/root-id.ts'
import type { Unavailable } from '#src/ports/unavailable.ts'
import { done, useRoot, versionOf } from './root-folder.ts'

const gives = async <A>(task: TaskEither<Unavailable, A>): Promise<A> => {
  const result = await task()
  if (isLeft(result)) throw new Error(result.left.reason)
  return result.right
}

describe('the id of a storage root', () => {
  it('stands at the top of the root, which is made where there is none; looking makes nothing', async () => {
    const { base, root } = useRoot()
    const place = storageRootAt(root)
    const nothing = { folder: root, host: hostname(), root: undefined, isEmpty: true }
    expect(await gives(place.inspect())).toEqual(nothing)
    expect(readdirSync(base)).toEqual(['sources'])
    expect(await gives(place.name('one'))).toBe('one')
    expect(await gives(place.inspect())).toEqual({ ...nothing, root: 'one' })
    expect(readdirSync(root).sort()).toEqual(['0=ocfl_1.1', 'extensions', idFile, 'ocfl_layout.json'])
  })

  it('is given to a root that has objects, and never another one', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf('ark:/99999/1', 0, [file('a', 'a')])))
    const place = storageRootAt(root)
    expect(await gives(place.inspect())).toMatchObject({ root: undefined, isEmpty: false })
    const names = Array.from({ length: 8 }, (_, i) => gives(storageRootAt(root).name(`id ${i}`)))
    expect(new Set(await Promise.all(names)).size).toBe(1)
    expect(await gives(place.name('another'))).toBe(await names[0])
    expect(await done(store.head('ark:/99999/1'))).toMatchObject({ version: 1 })
  })

  it('is not there where the volume is not mounted: the folder is empty', async () => {
    const { root } = useRoot()
    await gives(storageRootAt(root).name('one'))
    rmSync(root, { recursive: true })
    mkdirSync(root)
    expect(await gives(storageRootAt(root).inspect())).toMatchObject({ root: undefined, isEmpty: true })
  })

  it('a damaged file, and a folder of something else, are told and left as they are', async () => {
    const { base, root } = useRoot()
    await gives(storageRootAt(root).name('one'))
    writeFileSync(join(root, idFile), '{"id":')
    await expect(gives(storageRootAt(root).inspect())).rejects.toThrow(/fonds_root.json cannot be read/)
    writeFileSync(join(root, idFile), '{}')
    await expect(gives(storageRootAt(root).name('two'))).rejects.toThrow(/names no id/)
    await expect(gives(storageRootAt(base).name('one'))).rejects.toThrow(/nothing says that it is an OCFL/)
  })
})
