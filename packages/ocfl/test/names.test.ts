import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { ark, failureOf, filesIn, hex, textOf, useRoot, versionOf } from './root-folder.ts'

describe('names of a version', () => {
  it.each([
    ['../up', /leads elsewhere/],
    ['/absolute', /leads elsewhere/],
    ['a//b', /leads elsewhere/],
    ['a/./b', /leads elsewhere/],
    ['', /leads elsewhere/],
    ['\ud800', /not Unicode/],
  ])('are refused like %j', async (path, why) => {
    const { root, open, file } = useRoot()
    const store = await open()
    const before = filesIn(root)
    const failure = await failureOf(store.write(versionOf(ark, 0, [file(path, '1')])))
    expect(failure).toMatchObject({ kind: 'InvalidVersion', reason: expect.stringMatching(why) })
    expect(filesIn(root)).toEqual(before)
  })

  it('are refused: one name twice, with a file that is a folder, and with bytes that are not there or not as many', async () => {
    const { open, file } = useRoot()
    const store = await open()
    const reasonOf = async (files: Parameters<typeof versionOf>[2]) => {
      const failure = await failureOf(store.write(versionOf(ark, 0, files)))
      return failure?.kind === 'InvalidVersion' ? failure.reason : failure
    }
    expect(await reasonOf([file('a', '1'), file('a', '2')])).toBe('two files are named a')
    expect(await reasonOf([file('a', '1'), file('a/b', '2')])).toBe('a would be a file and the folder of a/b')
    expect(await reasonOf([{ ...file('a', '1'), from: '/nowhere' }])).toBe('the file of a is not there')
    expect(await reasonOf([{ ...file('a', '1'), size: 2 }])).toBe('the file of a has 1 bytes instead of 2')
    expect(await store.head(ark)).toBeUndefined()
  })

  it('that a file system may not tell apart, or not take, are kept under names that it takes', async () => {
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
    await store.write(
      versionOf(
        ark,
        0,
        names.map((name) => file(name, `of ${name}`)),
      ),
    )
    for (const name of names) expect(await textOf(store, name)).toBe(`of ${name}`)
    const stored = filesIn(root).flatMap((name) => name.split('/content/')[1] ?? [])
    expect(stored).toHaveLength(names.length)
    const folded = stored.map((name) => name.normalize('NFC').toLowerCase())
    expect(new Set(folded).size).toBe(names.length)
    for (const name of folded) expect(folded.some((other) => other.startsWith(`${name}/`))).toBe(false)
  })

  it('and versions: a model of any writes', async () => {
    const name = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'ä')
    const write = fc.record({
      carry: fc.constantFrom('none', 'all'),
      drop: fc.uniqueArray(name, { maxLength: 2 }),
      files: fc.dictionary(name, fc.constantFrom('1', '2', '3')),
    })
    const { open, file } = useRoot()
    const store = await open()
    let objects = 0
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 5 }), async (writes) => {
        const object = `ark:/99999/${++objects}`
        const versions: Map<string, string>[] = [new Map()]
        for (const [i, { carry, drop, files }] of writes.entries()) {
          const state = new Map(carry === 'all' ? versions[i] : [])
          for (const gone of drop) state.delete(gone)
          for (const [path, content] of Object.entries(files)) state.set(path, content)
          versions.push(state)
          const sources = Object.entries(files).map(([path, content]) => file(path, content))
          await store.write(versionOf(object, i, sources, { carry: carry as 'none' | 'all', drop }))
        }
        for (const [version, state] of versions.entries()) {
          if (version === 0) continue
          const found = await store.files(object, version)
          expect(new Map(found?.map(({ path, sha256 }) => [path, sha256]))).toEqual(
            new Map([...state].sort().map(([path, content]) => [path, hex(content)])),
          )
        }
      }),
      { numRuns: runs(30) },
    )
  })
})
