import { isSystemError } from '@fonds/toolbox'
import * as E from 'fp-ts/lib/Either.js'
import type { IndexChange } from '../../../ports/capture-index.ts'
import { type FolderSettings, incomingFolder } from '../index-folders.ts'
import { type BadChanges, decodeChanges, encodeChanges } from './change-lines.ts'
import { wholeFiles } from './whole-files.ts'

/** The interface between indexer and aggregator (W23): files of changes in the order of the log. */
export interface ChangeFiles {
  /** Durable when it resolves. The same changes, added again, replace their file. */
  add(changes: readonly IndexChange[]): Promise<void>
  /** Names of the files that wait, in the order of the log. */
  list(): Promise<readonly string[]>
  read(name: string): Promise<E.Either<BadChanges, readonly IndexChange[]>>
  /** The last change that waits, if it can be read. */
  newest(): Promise<IndexChange | undefined>
  /** Deletes a file that was applied to the index (W33). */
  remove(name: string): Promise<void>
  /** Renames a file that cannot be read, to keep it. Returns its path. */
  putAside(name: string): Promise<string>
}

/** `<position of the first change, 20 digits>-<that of the last>.changes`; older files have the first alone. */
const changeFile = /^\d{20}(?:-\d{20})?\.changes$/

export const changeFilesOf = (settings: FolderSettings): ChangeFiles =>
  createChangeFiles(incomingFolder(settings))

export const createChangeFiles = (folder: string): ChangeFiles => {
  const files = wholeFiles(folder, changeFile)
  const read = async (name: string) => decodeChanges(await files.read(name))
  return {
    add: async (changes) => {
      const [first, last] = [changes[0], changes.at(-1)]
      // Both ends, so that a name identifies the content: its reader deletes nothing else.
      if (first && last) await files.put(`${digits(first)}-${digits(last)}.changes`, encodeChanges(changes))
    },
    list: files.list,
    read,
    newest: async () => {
      const name = (await files.list()).at(-1)
      try {
        const changes = name === undefined ? undefined : await read(name)
        return changes && E.isRight(changes) ? changes.right.at(-1) : undefined
      } catch (error) {
        // It was applied meanwhile.
        if (isSystemError(error, 'ENOENT')) return undefined
        throw error
      }
    },
    remove: files.remove,
    putAside: files.putAside,
  }
}

const digits = ({ position }: IndexChange): string => String(position).padStart(20, '0')
