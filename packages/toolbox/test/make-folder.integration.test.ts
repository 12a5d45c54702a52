import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder, makeFolderSync } from '../src/make-folder.ts'

/* Small file systems of their own, which only root may make. */

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-make-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const disk = (options: string) => {
  const at = temporary()
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at])
  onTestFinished(() => void execFileSync('umount', ['-l', at]))
  return { at, remount: (more: string) => execFileSync('mount', ['-o', `remount,${more}`, at]) }
}

/** What both say. */
const codesOf = async (folder: string): Promise<readonly unknown[]> => {
  const code = (error: unknown) => (error as NodeJS.ErrnoException).code
  return [
    await makeFolder(folder).catch(code),
    await Promise.resolve(folder).then(makeFolderSync).catch(code),
  ]
}

describe.skipIf(process.getuid?.() !== 0)('a folder that cannot be made says why', () => {
  it('where the disk is mounted read-only, however deep it is to be', async () => {
    const { at, remount } = disk('size=1m')
    mkdirSync(join(at, 'there'))
    remount('ro')
    for (const name of ['a', 'there/a/b/c'])
      expect(await codesOf(join(at, name)), name).toEqual(['EROFS', 'EROFS'])
    expect(await makeFolder(join(at, 'there'))).toBeUndefined()
  })

  it('where the disk is full', async () => {
    const { at } = disk('size=1m,nr_inodes=2')
    mkdirSync(join(at, 'there'))
    expect(await codesOf(join(at, 'there', 'a', 'b'))).toEqual(['ENOSPC', 'ENOSPC'])
  })
})

it('is made with those above it, and may be there; a file in its place is told', async () => {
  const at = temporary()
  expect(await makeFolder(join(at, 'a', 'b'))).toBe(join(at, 'a'))
  expect(makeFolderSync(join(at, 'a', 'b'))).toBeUndefined()
  expect(existsSync(join(at, 'a', 'b'))).toBe(true)
  writeFileSync(join(at, 'file'), '')
  expect(() => makeFolderSync(join(at, 'file', 'c'))).toThrow('ENOTDIR')
})
