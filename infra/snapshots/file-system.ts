import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@fonds/toolbox/disk'
import { UnavailableError } from '../../src/async/unavailable.ts'
import type { SnapshotStore } from '../../src/ports/snapshot-store.ts'

const digestLength = 32

/** A file a snapshot: its SHA-256, then its bytes. Written beside the old one, and renamed over it when it is whole. */
export const createSnapshotStore = (folder: string): SnapshotStore => {
  const fileOf = (name: string) => join(folder, `${encodeURIComponent(name)}.snapshot`)
  return {
    load: async (name) => {
      const file = await readFile(fileOf(name)).catch(() => undefined)
      if (!file) return undefined
      const bytes = file.subarray(digestLength)
      return digestOf([bytes]).equals(file.subarray(0, digestLength)) ? bytes : undefined
    },

    save: async (name, parts) => {
      const path = fileOf(name)
      const fresh = `${path}.${process.pid}.new`
      try {
        await makeFolder(folder)
        await write(fresh, [...parts])
        await rename(fresh, path)
      } catch (error) {
        await rm(fresh, { force: true }).catch(() => {})
        throw new UnavailableError(`the snapshot ${path} cannot be written: ${(error as Error).message}`, {
          cause: error,
        })
      }
    },

    drop: (name) => rm(fileOf(name), { force: true }),
  }
}

const write = async (path: string, parts: readonly Uint8Array[]): Promise<void> => {
  const file = await open(path, 'w')
  try {
    for (const part of [digestOf(parts), ...parts]) await file.writeFile(part)
    await file.sync()
  } finally {
    await file.close()
  }
}

const digestOf = (parts: readonly Uint8Array[]): Buffer => {
  // Loaded here, as it is a tenth of a start: most commands read no snapshot.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
