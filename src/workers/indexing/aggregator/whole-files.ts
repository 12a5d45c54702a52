import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'
import { DAY } from '../../../domain/kernel/time.ts'

/** Files in a folder that appear whole, by rename, and stay until they are removed. */
export interface WholeFiles {
  /** Durable when it resolves. Replaces a file of that name. */
  put(name: string, text: string): Promise<void>
  /** Sorted names; if files appear in that order, none is listed before an older one. */
  list(): Promise<readonly string[]>
  read(name: string): Promise<string>
  remove(name: string): Promise<void>
  /** Renames it, so that `list` leaves it out. Returns its path. */
  putAside(name: string): Promise<string>
}

/** Files whose names match the pattern. The folder is created at the first `put`. */
export const wholeFiles = (folder: string, pattern: RegExp): WholeFiles => {
  const names = async (): Promise<readonly string[]> => {
    try {
      const entries = await readdir(folder, { withFileTypes: true })
      await removeLeft(entries.filter(({ name }) => draft.test(name)).map(({ name }) => join(folder, name)))
      return entries.filter((entry) => entry.isFile() && pattern.test(entry.name)).map(({ name }) => name)
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOENT') return []
      throw error
    }
  }

  return {
    put: async (name, text) => {
      await makeFolder(folder)
      const next = join(folder, `${name}.${process.pid}.tmp`)
      try {
        await writeSynced(next, text)
        await rename(next, join(folder, name))
      } catch (error) {
        await rm(next, { force: true }).catch(() => {})
        throw error
      }
      await syncFolder(folder)
    },
    list: async () => {
      // A listing may show a file and miss an older one that appeared during it. The second listing cannot miss that.
      const last = (await names()).reduce((latest, name) => (name > latest ? name : latest), '')
      return last ? (await names()).filter((name) => name <= last).sort() : []
    },
    read: (name) => readFile(join(folder, name), 'utf8'),
    remove: (name) => rm(join(folder, name), { force: true }),
    putAside: async (name) => {
      const aside = join(folder, `${name}.damaged`)
      await rename(join(folder, name), aside)
      return aside
    },
  }
}

/** Drafts that `put` renames when they are written. */
const draft = /\.\d+\.tmp$/

/** A killed process leaves its draft behind: no draft is written for a day. */
const removeLeft = async (drafts: readonly string[]): Promise<void> => {
  for (const path of drafts) {
    const modified = (await stat(path).catch(() => undefined))?.mtimeMs
    if (modified !== undefined && Date.now() - modified > DAY) await rm(path, { force: true })
  }
}

const writeSynced = async (path: string, text: string): Promise<void> => {
  await using handle = await open(path, 'w', 0o644)
  await handle.writeFile(text)
  await handle.sync()
}

/** Without it, a power cut may undo a rename. */
const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, 'r')
  await handle.sync()
}
