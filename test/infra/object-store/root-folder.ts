import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { onTestFinished } from 'vitest'
import { type OcflOptions, openOcflStore } from '#infra/object-store/ocfl/object-store.ts'
import type { NewVersion, ObjectStore, ObjectStoreFailure, SourceFile } from '#src/ports/object-store.ts'

export const hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A storage root of a test, with a folder for the bytes that are to be stored. */
export const useRoot = () => {
  const base = mkdtempSync(join(tmpdir(), 'fonds-ocfl-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = join(base, 'root')
  const sources = join(base, 'sources')
  mkdirSync(sources)
  return {
    base,
    root,
    open: async (options: Partial<OcflOptions> = {}): Promise<ObjectStore> => {
      const store = await openOcflStore(root, options)
      onTestFinished(() => store.close())
      return store
    },
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

export const done = async <A>(task: TaskEither<ObjectStoreFailure, A>): Promise<A> => {
  const result = await task()
  if (isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

export const failureOf = async (task: TaskEither<ObjectStoreFailure, unknown>) => {
  const result = await task()
  return isLeft(result) ? result.left : undefined
}
