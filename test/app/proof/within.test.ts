import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBag } from '@fonds/bag/check'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { within } from '#src/app/proof/export/within.ts'
import { type Bag, bagOf, writeBag } from '../../../packages/bag/test/bagit/bags.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-within-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes files as an export does: all or none. */
const writing =
  (files: Readonly<Record<string, string>>) =>
  async (to: string): Promise<ReturnType<typeof right<string, { folder: string }>>> => {
    writeBag(to, files)
    rmSync(join(to, 'data'), { recursive: true })
    return right({ folder: to })
  }
const bagIn = (bag: Bag) => {
  const at = join(folder, 'bag')
  writeBag(at, bag)
  return at
}
const letters = { 'data/letters/01.txt': 'dear', 'data/letters/02.txt': 'sir' }
const problems = async (bag: string) => (await checkBag(bag)).problems

describe('Q55, Q86: an export within the package that it is about', () => {
  it('is tag files of a bag, which stays valid; a later one takes its place', async () => {
    const bag = bagIn({ ...bagOf(letters), 'tagmanifest-sha512.txt': '' })
    const before = readFileSync(join(bag, 'tagmanifest-sha256.txt'), 'utf8')
    expect(await within(bag, writing({ checkpoint: 'one', 'tile/0/000': 'x' }))).toEqual(
      right({ folder: join(bag, 'fonds-proof') }),
    )
    expect(await problems(bag)).toEqual([])
    const listed = readFileSync(join(bag, 'tagmanifest-sha256.txt'), 'utf8')
    expect(listed.startsWith(before)).toBe(true)
    expect(listed.slice(before.length)).toMatch(
      /^[0-9a-f]{64} {2}fonds-proof\/checkpoint\n[0-9a-f]{64} {2}fonds-proof\/tile\/0\/000\n$/,
    )
    expect(readFileSync(join(bag, 'tagmanifest-sha512.txt'), 'utf8')).toMatch(
      /^[0-9a-f]{128} {2}fonds-proof\/c/,
    )
    await within(bag, writing({ checkpoint: 'two' }))
    expect(await problems(bag)).toEqual([])
    expect(readFileSync(join(bag, 'tagmanifest-sha256.txt'), 'utf8')).toMatch(/fonds-proof\/checkpoint\n$/)
    expect(readdirSync(join(bag, 'fonds-proof'))).toEqual(['checkpoint'])
    expect(readdirSync(bag).filter((name) => name.startsWith('fonds-proof'))).toEqual(['fonds-proof'])
    writeFileSync(join(bag, 'fonds-proof/checkpoint'), 'three')
    expect(await problems(bag)).not.toEqual([])
  })

  it('leaves a bag as it was where nothing was written', async () => {
    const bag = bagIn(bagOf(letters))
    await within(bag, writing({ checkpoint: 'one' }))
    const listed = readFileSync(join(bag, 'tagmanifest-sha256.txt'), 'utf8')
    expect(await within(bag, async () => left('no'))).toEqual(left('no'))
    const fails = within(bag, async (to) => {
      mkdirSync(to)
      throw new Error('away')
    })
    await expect(fails).rejects.toThrow('away')
    expect(readFileSync(join(bag, 'tagmanifest-sha256.txt'), 'utf8')).toBe(listed)
    expect(readFileSync(join(bag, 'fonds-proof/checkpoint'), 'utf8')).toBe('one')
    expect(await problems(bag)).toEqual([])
  })

  it('of a bag without a tag manifest is in none; a digest that is not known is refused before anything is written', async () => {
    const { 'tagmanifest-sha256.txt': _, ...bag } = bagOf(letters)
    const at = bagIn(bag)
    await within(at, writing({ checkpoint: 'one' }))
    expect(readdirSync(at).filter((name) => name.startsWith('tagmanifest'))).toEqual([])
    writeFileSync(join(at, 'tagmanifest-tiger.txt'), '')
    const refused = await within(at, writing({ checkpoint: 'two' }))
    expect(isLeft(refused) && refused.left).toBe(
      'tagmanifest-tiger.txt has digests that cannot be computed here',
    )
    expect(readFileSync(join(at, 'fonds-proof/checkpoint'), 'utf8')).toBe('one')
  })

  it('is below logs/ of an OCFL object; any other folder is refused', async () => {
    writeFileSync(join(folder, '0=ocfl_object_1.1'), 'ocfl_object_1.1\n')
    expect(await within(folder, writing({ checkpoint: 'one' }))).toEqual(
      right({ folder: join(folder, 'logs/fonds-proof') }),
    )
    expect(readFileSync(join(folder, 'logs/fonds-proof/checkpoint'), 'utf8')).toBe('one')
    for (const other of [join(folder, 'logs'), join(folder, 'none')]) {
      const refused = await within(other, writing({ checkpoint: 'two' }))
      expect(isLeft(refused) && refused.left).toContain('is neither an OCFL object')
    }
    expect(existsSync(join(folder, 'logs/logs'))).toBe(false)
  })

  it('writes through no link that came with a package, and replaces no folder but its own', async () => {
    const precious = join(folder, 'precious')
    writeFileSync(precious, 'mine')
    const bag = bagIn(bagOf(letters))
    symlinkSync(precious, join(bag, 'tagmanifest-sha256.txt.part'))
    expect(await within(bag, writing({ checkpoint: 'one' }))).toMatchObject({ _tag: 'Right' })
    expect(await problems(bag)).toEqual([])
    expect(readFileSync(precious, 'utf8')).toBe('mine')

    const object = join(folder, 'object')
    mkdirSync(object)
    writeFileSync(join(object, '0=ocfl_object_1.1'), 'ocfl_object_1.1\n')
    mkdirSync(join(folder, 'elsewhere/fonds-proof'), { recursive: true })
    symlinkSync(join(folder, 'elsewhere'), join(object, 'logs'))
    expect(await within(object, writing({ checkpoint: 'one' }))).toEqual(
      left(expect.stringContaining('nothing is written through it')),
    )
    rmSync(join(object, 'logs'))
    mkdirSync(join(object, 'logs/fonds-proof'), { recursive: true })
    writeFileSync(join(object, 'logs/fonds-proof/notes.txt'), 'mine')
    expect(await within(object, writing({ checkpoint: 'one' }))).toEqual(
      left(expect.stringContaining('is no export that was written before')),
    )
    expect(readdirSync(join(object, 'logs/fonds-proof'))).toEqual(['notes.txt'])
  })
})
