import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultLayout, hashed, objectFolders } from '#infra/object-store/ocfl/layout.ts'
import type { ObjectStore } from '#src/ports/object-store.ts'
import { done, failureOf, hex, useRoot, versionOf } from './root-folder.ts'

const ark = 'ark:/99999/fk4abc'

const textOf = async (store: ObjectStore, path: string, version?: number) => {
  const file = await done(store.read(ark, path, version))
  return file && text(file.open())
}

const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !file.includes('fonds-staging'))
    .sort()

describe('an OCFL storage root', () => {
  it('says what it is, and how objects stand in it', async () => {
    const { root, open } = useRoot()
    await open()
    expect(readFileSync(join(root, '0=ocfl_1.1'), 'utf8')).toBe('ocfl_1.1\n')
    expect(JSON.parse(readFileSync(join(root, 'ocfl_layout.json'), 'utf8')).extension).toBe(
      '0003-hash-and-id-n-tuple-storage-layout',
    )
  })

  // The examples of the extensions 0003 and 0004.
  it.each([
    ['object-01', '3c0/ff4/240/object-01'],
    ['..hor/rib:le-$id', '487/326/d8c/%2e%2ehor%2frib%3ale-%24id'],
  ])('gives %s its folder by id and digest', (id, folder) => {
    expect(objectFolders(id, defaultLayout).join('/')).toBe(folder)
  })

  it('gives it by digest alone, where the root says so', async () => {
    const { root, open, file } = useRoot()
    const layout = {
      extensionName: hashed,
      digestAlgorithm: 'sha256',
      tupleSize: 3,
      numberOfTuples: 3,
    } as const
    const store = await open({ layout })
    await done(store.write(versionOf('object-01', 0, [file('a', 'a')])))
    store.close()
    expect(existsSync(join(root, '3c0/ff4/240'))).toBe(true)
    expect(readdirSync(join(root, '3c0/ff4/240'))[0]).toMatch(/^3c0ff4240[0-9a-f]{55}$/)
    // Opened again it keeps its own layout, whatever is asked.
    const again = await open({ layout: defaultLayout })
    expect((await done(again.head('object-01')))?.version).toBe(1)
  })

  it('cuts a long id, and keeps its digest', () => {
    const [, , , folder = ''] = objectFolders('x'.repeat(101), defaultLayout)
    expect(folder).toMatch(/^x{100}-[0-9a-f]{64}$/)
    expect(objectFolders('x'.repeat(100), defaultLayout)[3]).toBe('x'.repeat(100))
  })

  it.each([
    ['other things', (root: string) => writeFileSync(join(root, 'letter.txt'), '')],
    ['a root of OCFL 1.0', (root: string) => writeFileSync(join(root, '0=ocfl_1.0'), 'ocfl_1.0\n')],
    [
      'a layout that we do not know',
      (root: string) => {
        writeFileSync(join(root, '0=ocfl_1.1'), 'ocfl_1.1\n')
        writeFileSync(join(root, 'ocfl_layout.json'), '{"extension":"0002-flat-direct-storage-layout"}')
      },
    ],
  ])('is not made of a folder with %s', async (_, fill) => {
    const { root, open } = useRoot()
    mkdirSync(root)
    fill(root)
    const before = readdirSync(root)
    await expect(open()).rejects.toThrow(/root/)
    expect(readdirSync(root)).toEqual(before)
  })
})

describe('a version', () => {
  it('is stored with its names, and read again', async () => {
    const { open, file } = useRoot()
    const store = await open()
    const stored = await done(store.write(versionOf(ark, 0, [file('b/c.txt', 'see'), file('a.txt', 'ay')])))
    expect(stored).toMatchObject({ object: ark, version: 1, files: 2, added: 5 })
    expect(await done(store.files(ark))).toEqual([
      { path: 'a.txt', size: 2, sha256: hex('ay') },
      { path: 'b/c.txt', size: 3, sha256: hex('see') },
    ])
    expect(await textOf(store, 'b/c.txt')).toBe('see')
    expect(await textOf(store, 'none.txt')).toBeUndefined()
    expect(await done(store.head('ark:/99999/none'))).toBeUndefined()
  })

  it('holds exactly its files when it is added, and the last one’s too when it updates', async () => {
    const { open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', '1'), file('b', '2'), file('c', '3')])))
    await done(store.write(versionOf(ark, 1, [file('a', '4')], { carry: 'all', drop: ['b', 'not there'] })))
    expect((await done(store.files(ark)))?.map(({ path }) => path)).toEqual(['a', 'c'])
    expect(await textOf(store, 'a')).toBe('4')
    await done(store.write(versionOf(ark, 2, [file('z', '5')])))
    expect((await done(store.files(ark)))?.map(({ path }) => path)).toEqual(['z'])
    // What was stored stays.
    expect(await textOf(store, 'b', 1)).toBe('2')
    expect(await done(store.files(ark, 9))).toBeUndefined()
  })

  it('stores the same bytes once', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', 'same'), file('b', 'same')])))
    const second = await done(store.write(versionOf(ark, 1, [file('c', 'same'), file('d', 'new')])))
    expect(second.added).toBe(3)
    expect(filesIn(root).filter((name) => name.includes('/content/'))).toHaveLength(2)
  })

  it('is the one that is there when it is written again, and another one is not', async () => {
    const { open, file } = useRoot()
    const store = await open()
    const asked = versionOf(ark, 0, [file('a', '1')])
    const first = await done(store.write(asked))
    expect(await done(store.write(asked))).toEqual({ ...first, added: 0 })
    expect(await failureOf(store.write(versionOf(ark, 0, [file('a', '2')])))).toEqual({
      kind: 'Conflict',
      object: ark,
      head: 1,
    })
    expect(await failureOf(store.write(versionOf(ark, 2, [file('a', '2')])))).toMatchObject({
      kind: 'Conflict',
    })
  })

  it.each([
    ['../up', /leads elsewhere/],
    ['/absolute', /leads elsewhere/],
    ['a//b', /leads elsewhere/],
    ['a/./b', /leads elsewhere/],
    ['', /leads elsewhere/],
    ['\ud800', /not Unicode/],
  ])('is refused with a name like %j', async (path, why) => {
    const { root, open, file } = useRoot()
    const store = await open()
    const before = filesIn(root)
    const failure = await failureOf(store.write(versionOf(ark, 0, [file(path, '1')])))
    expect(failure).toMatchObject({ kind: 'Invalid', reason: expect.stringMatching(why) })
    expect(filesIn(root)).toEqual(before)
  })

  it('is refused with one name twice, with a file that is a folder, and with bytes that are not there or not as many', async () => {
    const { open, file } = useRoot()
    const store = await open()
    const reasonOf = async (files: Parameters<typeof versionOf>[2]) => {
      const failure = await failureOf(store.write(versionOf(ark, 0, files)))
      return failure?.kind === 'Invalid' ? failure.reason : failure
    }
    expect(await reasonOf([file('a', '1'), file('a', '2')])).toBe('two files are named a')
    expect(await reasonOf([file('a', '1'), file('a/b', '2')])).toBe('a would be a file and the folder of a/b')
    expect(await reasonOf([{ ...file('a', '1'), from: '/nowhere' }])).toBe('the file of a is not there')
    expect(await reasonOf([{ ...file('a', '1'), size: 2 }])).toBe('the file of a has 1 bytes instead of 2')
    expect(await done(store.head(ark))).toBeUndefined()
  })

  it('keeps names that a file system may not tell apart, or not take, under names that it takes', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    const names = [
      'Read.me',
      'read.me',
      'é',
      'e\u0301',
      'dir',
      'DIR/x',
      'a:b',
      'end.',
      'x'.repeat(300),
      'a\\b',
      '.hidden',
    ]
    await done(
      store.write(
        versionOf(
          ark,
          0,
          names.map((name) => file(name, `of ${name}`)),
        ),
      ),
    )
    for (const name of names) expect(await textOf(store, name)).toBe(`of ${name}`)
    const stored = filesIn(root).flatMap((name) => name.split('/content/')[1] ?? [])
    expect(stored).toHaveLength(names.length)
    const folded = stored.map((name) => name.normalize('NFC').toLowerCase())
    expect(new Set(folded).size).toBe(names.length)
    for (const name of folded) expect(folded.some((other) => other.startsWith(`${name}/`))).toBe(false)
  })

  it('does not touch what is damaged, and says what is wrong', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', '1')])))
    const inventory = join(root, ...objectFolders(ark, defaultLayout), 'inventory.json')
    writeFileSync(inventory, readFileSync(inventory, 'utf8').replace('job 1', 'job 2'))
    const failures = [await failureOf(store.head(ark)), await failureOf(store.write(versionOf(ark, 1, [])))]
    for (const failure of failures)
      expect(failure).toMatchObject({
        kind: 'Damaged',
        reason: expect.stringContaining('digest that is written beside'),
      })
  })

  it('is not added to an object of another program that counts by sha512', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    await done(store.write(versionOf(ark, 0, [file('a', '1')])))
    const inventory = join(root, ...objectFolders(ark, defaultLayout), 'inventory.json')
    writeFileSync(inventory, readFileSync(inventory, 'utf8').replace('"sha256"', '"sha512"'))
    expect(await failureOf(store.write(versionOf(ark, 1, [])))).toMatchObject({
      kind: 'Invalid',
      reason: expect.stringContaining('sha512'),
    })
  })

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

  it('names and versions: a model of any writes', async () => {
    const name = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'ä')
    const write = fc.record({
      carry: fc.constantFrom('none', 'all'),
      drop: fc.uniqueArray(name, { maxLength: 2 }),
      files: fc.dictionary(name, fc.constantFrom('1', '2', '3')),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 5 }), async (writes) => {
        const { open, file } = useRoot()
        const store = await open()
        const versions: Map<string, string>[] = [new Map()]
        for (const [i, { carry, drop, files }] of writes.entries()) {
          const state = new Map(carry === 'all' ? versions[i] : [])
          for (const gone of drop) state.delete(gone)
          for (const [path, content] of Object.entries(files)) state.set(path, content)
          versions.push(state)
          const sources = Object.entries(files).map(([path, content]) => file(path, content))
          await done(store.write(versionOf(ark, i, sources, { carry: carry as 'none' | 'all', drop })))
        }
        for (const [version, state] of versions.entries()) {
          if (version === 0) continue
          const found = await done(store.files(ark, version))
          expect(new Map(found?.map(({ path, sha256 }) => [path, sha256]))).toEqual(
            new Map([...state].sort().map(([path, content]) => [path, hex(content)])),
          )
        }
        store.close()
      }),
      { numRuns: 30 },
    )
  })
})

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
    store.close()
    const staging = join(root, 'extensions/fonds-staging')
    rmSync(staging, { recursive: true })
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

  const atOnce = { awayMillis: 0, leftMillis: 0 }

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

  it('is put back by a process that was there before, once it needs the object', async () => {
    const { root, open, file } = useRoot()
    const survivor = await open({ staging: { awayMillis: 50, leftMillis: 1e9 } })
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
})
