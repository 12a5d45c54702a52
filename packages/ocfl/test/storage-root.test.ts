import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultLayout, hashed, objectFolders } from '../src/root/layout.ts'
import { useRoot, versionOf } from './root-folder.ts'

describe('an OCFL storage root', () => {
  it('says what it is, and how objects stand in it', async () => {
    const { root, open } = useRoot()
    await open()
    expect(readFileSync(join(root, '0=ocfl_1.1'), 'utf8')).toBe('ocfl_1.1\n')
    expect(JSON.parse(readFileSync(join(root, 'ocfl_layout.json'), 'utf8')).extension).toBe(
      '0003-hash-and-id-n-tuple-storage-layout',
    )
  })

  it('is made to its end where a process was killed that made it within a mounted volume', async () => {
    const { root, open, file } = useRoot()
    mkdirSync(join(root, 'extensions'), { recursive: true })
    writeFileSync(join(root, 'ocfl_layout.json.next'), '{"exten')
    const store = await open()
    await store.write(versionOf('object-01', 0, [file('a', 'a')]))
    expect(readdirSync(root).sort()).toEqual(['0=ocfl_1.1', '3c0', 'extensions', 'ocfl_layout.json'])
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
    await store.write(versionOf('object-01', 0, [file('a', 'a')]))
    expect(existsSync(join(root, '3c0/ff4/240'))).toBe(true)
    expect(readdirSync(join(root, '3c0/ff4/240'))[0]).toMatch(/^3c0ff4240[0-9a-f]{55}$/)
    // Opened again it keeps its own layout, whatever is asked.
    const again = await open({ layout: defaultLayout })
    expect((await again.head('object-01'))?.version).toBe(1)
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
