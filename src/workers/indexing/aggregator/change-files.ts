import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type * as E from 'fp-ts/lib/Either.js'
import { isSystemError } from '../../../async/system-error.ts'
import type { IndexChange } from '../../../ports/capture-index.ts'
import { type BadChanges, decodeChanges, encodeChanges } from './change-lines.ts'

/**
 * The interface between indexer and aggregator (W23): files of changes, `<position of the first change, 20 digits>.changes`.
 * A file appears by rename, whole.
 */
export interface ChangeFiles {
  /** On disk for good when it resolves. The same changes again take the place of those that are there. */
  add(changes: readonly IndexChange[]): Promise<void>
  /** Names of those that wait, in the order of the log. */
  list(): Promise<readonly string[]>
  read(name: string): Promise<E.Either<BadChanges, readonly IndexChange[]>>
  /** It was taken over into the index (W33). */
  remove(name: string): Promise<void>
  /** It cannot be read: it is kept under another name. */
  putAside(name: string): Promise<string>
}

const changeFile = /^\d{20}\.changes$/

export const createChangeFiles = (folder: string): ChangeFiles => {
  const names = async (): Promise<readonly string[]> => {
    try {
      const entries = await readdir(folder, { withFileTypes: true })
      return entries.filter((entry) => entry.isFile() && changeFile.test(entry.name)).map(({ name }) => name)
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOENT') return []
      throw error
    }
  }

  return {
    add: async (changes) => {
      const [first] = changes
      if (!first) return
      await mkdir(folder, { recursive: true })
      const path = join(folder, `${String(first.position).padStart(20, '0')}.changes`)
      const draft = `${path}.${process.pid}.tmp`
      await writeSynced(draft, encodeChanges(changes))
      await rename(draft, path)
      await syncFolder(folder)
    },
    list: async () => {
      // A listing may show a file, and miss an older one that appeared while it was made. The second one cannot miss that.
      const last = (await names()).reduce((latest, name) => (name > latest ? name : latest), '')
      return last ? (await names()).filter((name) => name <= last).sort() : []
    },
    read: async (name) => decodeChanges(await readFile(join(folder, name), 'utf8')),
    remove: (name) => rm(join(folder, name), { force: true }),
    putAside: async (name) => {
      const aside = join(folder, `${name}.damaged`)
      await rename(join(folder, name), aside)
      return aside
    },
  }
}

const writeSynced = async (path: string, text: string): Promise<void> => {
  await using handle = await open(path, 'w', 0o644)
  await handle.writeFile(text)
  await handle.sync()
}

/** Without it a power cut may undo a rename. */
const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, 'r')
  await handle.sync()
}
