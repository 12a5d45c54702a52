import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultLayout, objectFolders } from '@fonds/ocfl/layout'
import { describe, expect, it, vi } from 'vitest'
import { ark, textOf } from './reading.ts'
import { done, useRoot, versionOf } from './root-folder.ts'

describe('what a process that ended left behind', () => {
  /** An object with one version, and a second one that got as far as `step`. */
  const interrupted = async (step: 'made' | 'out' | 'in the object' | 'half promoted' | 'overtaken') => {
    const { root, open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', '1')])))
    const folders = objectFolders(ark, defaultLayout)
    const object = join(root, ...folders)
    const first = {
      inventory: readFileSync(join(object, 'inventory.json')),
      sidecar: readFileSync(join(object, 'inventory.json.sha256')),
    }
    await done(store.write(versionOf(ark, 1, [file('a', '2')])))
    await store.close()
    const staging = join(root, 'extensions/fonds-staging')
    const write = join(staging, 'process', 'write')
    mkdirSync(join(write, 'away'), { recursive: true })
    writeFileSync(join(write, 'journal.json'), JSON.stringify({ folders, version: 'v2', following: 'v3' }))
    if (step === 'overtaken') {
      mkdirSync(join(write, 'next'))
      writeFileSync(join(write, 'next', 'inventory.json'), 'of another v2')
    } else writeFileSync(join(object, 'inventory.json'), first.inventory)
    if (step !== 'half promoted' && step !== 'overtaken')
      writeFileSync(join(object, 'inventory.json.sha256'), first.sidecar)
    if (step === 'made' || step === 'out') renameSync(join(object, 'v2'), join(write, 'next'))
    if (step !== 'made') {
      mkdirSync(join(write, 'away', ...folders.slice(0, -1)), { recursive: true })
      renameSync(object, join(write, 'away', ...folders))
      rmSync(join(root, folders[0]!), { recursive: true })
    }
    const writes = () =>
      readdirSync(staging).flatMap((process) =>
        readdirSync(join(staging, process)).filter((name) => name !== 'process'),
      )
    return { root, open, file, writes }
  }

  const hourly = 3600_000
  const atOnce = { awayMillis: 0, leftMillis: 0, sweepMillis: hourly }

  it.each([
    ['made', 1],
    ['out', 2],
    ['in the object', 2],
    ['half promoted', 2],
    ['overtaken', 2],
  ] as const)(
    'a version that was %s: the object has version %i after the next start',
    async (step, version) => {
      const { open, writes } = await interrupted(step)
      const store = await open({ staging: atOnce })
      expect((await done(store.head(ark)))?.version).toBe(version)
      expect(await textOf(store, 'a')).toBe(String(version))
      expect(writes()).toEqual([])
    },
  )

  it.each(['out', 'half promoted', 'cut'] as const)(
    'versions that were being taken out, as far as "%s": they are out after the next start',
    async (step) => {
      const { root, open, file } = useRoot()
      const store = await open()
      await done(store.write(versionOf(ark, 0, [file('a', '1')])))
      await done(store.write(versionOf(ark, 1, [file('a', '2')])))
      await store.close()
      const folders = objectFolders(ark, defaultLayout)
      const write = join(root, 'extensions/fonds-staging/killed/write')
      const object = join(write, 'away', ...folders)
      mkdirSync(join(write, 'away', ...folders.slice(0, -1)), { recursive: true })
      renameSync(join(root, ...folders), object)
      rmSync(join(root, folders[0]!), { recursive: true })
      writeFileSync(join(write, 'journal.json'), JSON.stringify({ folders, last: 'v1', cut: ['v2'] }))
      if (step !== 'out')
        writeFileSync(join(object, 'inventory.json'), readFileSync(join(object, 'v1/inventory.json')))
      if (step === 'cut') rmSync(join(object, 'v2'), { recursive: true })

      const again = await open({ staging: atOnce })
      expect((await done(again.head(ark)))?.version).toBe(1)
      expect(await textOf(again, 'a')).toBe('1')
      expect(existsSync(join(root, ...folders, 'v2'))).toBe(false)
      expect(existsSync(write)).toBe(false)
    },
  )

  it('is put back by a process that was there before, once it needs the object', async () => {
    const { root, open, file } = useRoot()
    const survivor = await open({ staging: { awayMillis: 50, leftMillis: 1e9, sweepMillis: hourly } })
    await done(survivor.write(versionOf(ark, 0, [file('a', '1')])))
    const folders = objectFolders(ark, defaultLayout)
    const write = join(root, 'extensions/fonds-staging/killed/write')
    mkdirSync(join(write, 'away', ...folders.slice(0, -1)), { recursive: true })
    writeFileSync(join(write, 'journal.json'), JSON.stringify({ folders, version: 'v1', following: 'v2' }))
    renameSync(join(root, ...folders), join(write, 'away', ...folders))
    rmSync(join(root, folders[0]!), { recursive: true })
    expect((await done(survivor.head(ark)))?.version).toBe(1)
    expect((await done(survivor.write(versionOf(ark, 1, [file('a', '2')]))))?.version).toBe(2)
    expect(existsSync(write)).toBe(false)
  })

  it('is nothing, where it was closed', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', '1')])))
    await done(store.write(versionOf(ark, 1, [file('a', '2')])))
    const staging = join(root, 'extensions/fonds-staging')
    expect(readdirSync(staging)).toHaveLength(1)
    const other = await open()
    await done(other.write(versionOf(ark, 2, [file('a', '3')])))
    await store.close()
    expect(readdirSync(staging)).toHaveLength(1)
    await other.close()
    expect(existsSync(staging)).toBe(false)
    const again = await open()
    expect((await done(again.write(versionOf(ark, 3, [file('a', '4')]))))?.version).toBe(4)
  })

  it('is nothing, where stores are opened and closed at once', async () => {
    const { root, open, file } = useRoot()
    const rounds = async (id: string) => {
      for (let version = 0; version < 8; version++) {
        const store = await open()
        await done(store.write(versionOf(id, version, [file('a', String(version))])))
        await store.close()
      }
    }
    await Promise.all([ark, `${ark}1`, `${ark}2`].map(rounds))
    expect(existsSync(join(root, 'extensions/fonds-staging'))).toBe(false)
  })

  it('goes after a day: a half of a new object', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', '1')])))
    const folder = join(root, 'extensions/fonds-staging/killed')
    mkdirSync(join(folder, 'new-1/abc/def'), { recursive: true })
    writeFileSync(join(folder, 'process'), 'at work')
    await open()
    expect(existsSync(folder)).toBe(true)
    await open({ staging: { awayMillis: 5000, leftMillis: 0, sweepMillis: hourly } })
    expect(existsSync(folder)).toBe(false)
  })

  it('goes while another process runs, too', async () => {
    const { root, open } = useRoot()
    await open({ staging: { awayMillis: 5000, leftMillis: 0, sweepMillis: 20 } })
    const folder = join(root, 'extensions/fonds-staging/killed')
    mkdirSync(join(folder, 'new-1/abc/def'), { recursive: true })
    writeFileSync(join(folder, 'process'), 'at work')
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false))
  })
})

describe('a root whose volume is not mounted any more', () => {
  it('is not written beneath the mount point, and goes on once it is back', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', '1')])))
    renameSync(root, `${root}.away`)
    mkdirSync(root)
    const failed = await store.write(versionOf('ark:/99999/2', 0, [file('a', '2')]))()
    expect(failed).toMatchObject({
      left: { kind: 'Unavailable', reason: expect.stringMatching(/root .* is missing/) },
    })
    expect(readdirSync(root)).toEqual([])
    rmSync(root, { recursive: true })
    renameSync(`${root}.away`, root)
    await done(store.write(versionOf('ark:/99999/2', 0, [file('a', '2')])))
  })
})
