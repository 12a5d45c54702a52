import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ObjectStore } from '#src/ports/object-store.ts'
import { done } from './root-folder.ts'

export const ark = 'ark:/99999/fk4abc'

export const textOf = async (store: ObjectStore, path: string, version?: number) => {
  const file = await done(store.read(ark, path, version))
  return file && text(file.open())
}

export const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !file.includes('fonds-staging'))
    .sort()
