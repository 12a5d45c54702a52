import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { VersionConflict } from '../src/errors.ts'
import { openStorageRoot, type StorageRoot, type StorageRootOptions } from '../src/root/objects.ts'
import type { NewVersion, SourceFile } from '../src/types.ts'

export const ark = 'ark:/99999/fk4abc'

export const hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A storage root of a test, with a folder for the bytes that are to be stored. */
export const useRoot = () => {
  const base = mkdtempSync(join(tmpdir(), 'ocfl-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = join(base, 'root')
  const sources = join(base, 'sources')
  mkdirSync(sources)
  return {
    base,
    root,
    open: async (settings: Partial<StorageRootOptions> = {}): Promise<StorageRoot> =>
      openStorageRoot({ root, process: randomUUID(), ...settings }),
    file: (path: string, text: string): SourceFile => {
      const from = join(sources, randomUUID())
      writeFileSync(from, text)
      return { path, size: Buffer.byteLength(text), sha256: hex(text), from }
    },
  }
}

/** What a version says when a test does not care. */
export const versionOf = (
  object: string,
  basedOn: number,
  files: readonly SourceFile[],
  more: Partial<NewVersion> = {},
): NewVersion => ({
  object,
  basedOn,
  files,
  carry: 'none',
  message: `job ${basedOn + 1}`,
  user: { name: 'Archive', address: 'mailto:archive@example.org' },
  created: '2026-11-22T10:00:00Z',
  ...more,
})

/** The error; undefined where there is none. */
export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Error) =>
      error instanceof VersionConflict
        ? { kind: error.name, head: error.head }
        : { kind: error.name, reason: error.message },
  )

export const textOf = async (store: StorageRoot, path: string, version?: number) => {
  const file = await store.find(ark, path, version)
  return file && readFileSync(file.place, 'utf8')
}

export const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !file.includes('extensions/staging'))
    .sort()
