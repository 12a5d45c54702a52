import { describe, expect, it } from 'vitest'
import { defaultLayout, hashed, type LayoutConfig } from '../../src/root/layout.ts'
import { ark, failureOf, versionOf } from '../root-folder.ts'
import { prefix, useBucket } from './bucket-root.ts'
import { expectValid } from './valid-root.ts'

describe('a root in a bucket', () => {
  it('is made where there are no keys, and keeps its layout', async () => {
    const { open, texts } = useBucket()
    const layout: LayoutConfig = { ...defaultLayout, extensionName: hashed, tupleSize: 2 }
    await open(undefined, { layout })
    expect([...texts().keys()]).toEqual([
      'archive/root/0=ocfl_1.1',
      'archive/root/extensions/0004-hashed-n-tuple-storage-layout/config.json',
      'archive/root/ocfl_layout.json',
    ])
    const again = await open()
    await again.write({ ...versionOf(ark, 0, []), message: 'in folders of two digits' })
    expect(
      [...texts().keys()].find((key) => /^archive\/root\/..\/..\/..\/[0-9a-f]{64}\/inv/.test(key)),
    ).toBeDefined()
  })

  it('is finished where a process was killed while it made it', async () => {
    const { open, texts, remove } = useBucket()
    await open()
    remove('archive/root/0=ocfl_1.1')
    await open()
    expectValid(texts(), `${prefix}/`)
  })

  it.each([
    ['a.txt', /nothing says that archive\/root\/ is an OCFL storage root/],
    ['0=ocfl_1.0', /only roots of OCFL 1.1 are written/],
  ])('is not made beside %s', async (name, reason) => {
    const { open, damage, texts } = useBucket()
    damage(`archive/root/${name}`, 'something')
    await expect(open()).rejects.toThrow(reason)
    expect(texts().size).toBe(1)
  })

  it('stands beside others in its bucket', async () => {
    const { open, texts, file } = useBucket()
    const one = await open()
    const other = await open(undefined, { prefix: 'archive/root2' })
    await one.write(versionOf(ark, 0, [file('a', '1')]))
    expect(await other.head(ark)).toBeUndefined()
    await other.write(versionOf(ark, 0, [file('a', '2')]))
    expect(await one.setAside(ark, 0)).toMatch(/^archive\/root\.set-aside\//)
    expect(await other.head(ark)).toMatchObject({ version: 1 })
    for (const root of [prefix, 'archive/root2']) expectValid(texts(), `${root}/`)
  })

  it('is not written on a server that ignores conditions, and is read there', async () => {
    const { open, file, texts } = useBucket({ ignoresConditions: true })
    const root = await open()
    const before = texts()
    expect(await failureOf(root.write(versionOf(ark, 0, [file('a', '1')])))).toMatchObject({
      kind: 'StorageRootError',
      reason: expect.stringMatching(/although ifNoneMatch forbids it.*use a server that keeps/),
    })
    expect(texts()).toEqual(before)
    expect(await root.head(ark)).toBeUndefined()
  })

  it('that is missing later is not written', async () => {
    const { open, file, texts, remove } = useBucket()
    const root = await open()
    remove(`${prefix}/0=ocfl_1.1`)
    const before = texts()
    expect(await failureOf(root.write(versionOf(ark, 0, [file('a', '1')])))).toMatchObject({
      kind: 'StorageRootError',
    })
    expect(texts()).toEqual(before)
  })
})

describe('objects in a bucket', () => {
  it('keep what they have: bytes are stored once, and carried over', async () => {
    const use = useBucket()
    const root = await use.open()
    await root.write(versionOf(ark, 0, [use.file('a', 'one'), use.file('b', 'b')]))
    const second = versionOf(ark, 1, [use.file('c', 'b'), use.file('d', 'new')], {
      carry: 'all',
      drop: ['a'],
    })
    const stored = await root.write(second)
    expect(stored).toMatchObject({ version: 2, files: 3, added: 3 })
    expect(await root.write(second)).toEqual({ ...stored, added: 0 })
    expect((await root.files(ark))?.map(({ path }) => path)).toEqual(['b', 'c', 'd'])
    expect((await root.files(ark, 1))?.map(({ path }) => path)).toEqual(['a', 'b'])
    expect(await use.read(root, 'c')).toBe('b')
    expect(await root.find(ark, 'a')).toBeUndefined()
    expect(await root.inspect(ark)).toMatchObject({ versions: [{ version: 1 }, { version: 2 }], strays: [] })
    expectValid(use.texts(), `${prefix}/`)
  })

  it('have a new version only if its bytes are as its facts say (I27, I28)', async () => {
    const use = useBucket()
    const root = await use.open()
    const large = use.file('large', 'l'.repeat(9000))
    for (const wrong of [
      { ...use.file('a', 'one'), sha256: 'f'.repeat(64) },
      { ...use.file('a', 'one'), size: 4 },
      { ...large, sha256: 'f'.repeat(64) },
      { ...large, size: 8999 },
      { ...use.file('a', 'one'), from: '/is/not/there' },
    ])
      expect(await failureOf(root.write(versionOf(ark, 0, [use.file('b', 'b'), wrong])))).toMatchObject({
        kind: 'InvalidVersion',
      })
    expect(await root.head(ark)).toBeUndefined()
    expect(use.openUploads()).toBe(0)
    expectValid(use.texts(), `${prefix}/`)
  })

  it('are named by their digest where a key would be too long', async () => {
    const use = useBucket()
    const root = await use.open()
    const long = `${'d'.repeat(200)}/`.repeat(4)
    await root.write(versionOf(ark, 0, [use.file(`${long}${'e'.repeat(150)}`, 'long')]))
    for (const key of use.texts().keys()) expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024)
    expect(await use.read(root, `${long}${'e'.repeat(150)}`)).toBe('long')
  })

  it('are listed in order, page by page, however many files they have', async () => {
    const use = useBucket()
    const root = await use.open()
    const ids = Array.from({ length: 12 }, (_, i) => `ark:/99999/${i}`)
    for (const id of ids)
      await root.write(
        versionOf(
          id,
          0,
          Array.from({ length: 20 }, (_, i) => use.file(`${i}`, `${id} ${i}`)),
        ),
      )
    const found: string[] = []
    for (let after = ''; ; ) {
      const page = await root.list(after, 5)
      found.push(...page.map(({ object }) => object!))
      if (page.length < 5) break
      after = page.at(-1)!.place
    }
    expect(found.toSorted()).toEqual(ids.toSorted())
    expect(await root.list('zzz', 5)).toEqual([])
  })

  it('are told as damaged, and are not repaired, where their inventory was changed', async () => {
    const use = useBucket()
    const root = await use.open()
    await root.write(versionOf(ark, 0, [use.file('a', 'one')]))
    const key = [...use.texts().keys()].find((name) => name.endsWith('abc/inventory.json'))!
    use.damage(key, use.texts().get(key)!.replace('job 1', 'job 7'))
    const before = use.texts()
    for (const work of [root.head(ark), root.write(versionOf(ark, 1, []))])
      expect(await failureOf(work)).toMatchObject({ kind: 'DamagedObject' })
    await root.recover()
    expect(use.texts()).toEqual(before)
  })

  it('lack a file that is missing, and are not built upon', async () => {
    const use = useBucket()
    const root = await use.open()
    await root.write(versionOf(ark, 0, [use.file('a', 'one')]))
    use.remove([...use.texts().keys()].find((name) => name.endsWith('/a'))!)
    for (const work of [
      root.files(ark),
      root.find(ark, 'a'),
      root.write(versionOf(ark, 1, [use.file('b', 'b')], { carry: 'all' })),
    ])
      expect(await failureOf(work)).toMatchObject({ kind: 'MissingFile' })
  })

  it('are set aside with a copy, which is found again', async () => {
    const use = useBucket({ marks: true })
    const root = await use.open()
    await root.write(versionOf(ark, 0, [use.file('a', 'one')]))
    await root.write(versionOf(ark, 1, [use.file('a', 'two')]))
    expect(await root.setAside(ark, 2)).toBeUndefined()
    const copy = await root.setAside(ark, 1)
    expect(await root.aside(ark)).toEqual([{ object: ark, folder: copy }])
    expect(use.texts().get(`${copy}v2/inventory.json`)).toContain('job 2')
    expect(await use.read(root, 'a')).toBe('one')
    await root.setAside(ark, 0)
    expect(await root.aside()).toHaveLength(2)
    expect(await root.head(ark)).toBeUndefined()
    await root.write(versionOf(ark, 0, [use.file('a', 'again')]))
    expect(await use.read(root, 'a')).toBe('again')
    expectValid(use.texts(), `${prefix}/`)
  })
})

describe('writes of other processes', () => {
  const killedWrite = async () => {
    const use = useBucket()
    let puts = 0
    const killed = await use.open(
      async (name, key) => {
        if (name === 'put' && key.includes('/content/')) puts += 1
        if (puts > 1) throw new Error('killed')
      },
      { process: 'killed' },
    )
    await killed.write(versionOf(ark, 0, [use.file('a', '1'), use.file('b', '2')])).catch(() => {})
    const left = () => [...use.texts().keys()].filter((key) => key.includes('/content/')).length
    return { ...use, left }
  }

  it('stay while the process may be at work, and go once it has not been for long', async () => {
    const { open, left, wait, texts } = await killedWrite()
    expect(left()).toBe(1)
    const root = await open()
    await root.recover()
    wait(19 * 60_000)
    await root.recover()
    expect(left()).toBe(1)
    wait(60_000)
    await root.recover()
    expect(left()).toBe(0)
    expectValid(texts(), `${prefix}/`)
  })

  it('go at once where its lock is free', async () => {
    const { open, left, end } = await killedWrite()
    end('killed')
    await (await open()).recover()
    expect(left()).toBe(0)
  })

  it('do not hold up another one of the same object', async () => {
    const use = await killedWrite()
    const root = await use.open()
    await root.write(versionOf(ark, 0, [use.file('a', 'of another')]))
    expect(await use.read(root, 'a')).toBe('of another')
    use.end('killed')
    await root.recover()
    expect(await use.read(root, 'a')).toBe('of another')
    expectValid(use.texts(), `${prefix}/`)
  })
})

it('a process that could not say for minutes that it is at work makes nothing visible', async () => {
  const use = useBucket()
  const root = await use.open(undefined, {
    journals: { doubtMillis: -1, markMillis: Number.POSITIVE_INFINITY },
  })
  expect(await failureOf(root.write(versionOf(ark, 0, [use.file('a', '1')])))).toMatchObject({
    kind: 'StorageRootError',
    reason: expect.stringMatching(/others may have removed/),
  })
  expect(await root.head(ark)).toBeUndefined()
  expectValid(use.texts(), `${prefix}/`)
})
