import { readdir, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { StorageRootError } from '@fonds/ocfl'
import { ensureStorageRoot, rootDeclaration } from '@fonds/ocfl/layout'
import { isSystemError } from '@fonds/toolbox'
import { left, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { diskReason } from '../../../src/async/disk-reasons.ts'
import { errorMessage } from '../../../src/async/errors.ts'
import { writeOnce } from '../../../src/async/write-once.ts'
import type { StorageRoot } from '../../../src/ports/storage-root.ts'
import type { Unavailable } from '../../../src/ports/unavailable.ts'
import { idFile, idIn, textOfId } from '../root-id.ts'

/** The storage root at a place, known by its id. Nothing is made before it is named. */
export const storageRootAt = (place: string): StorageRoot => {
  const folder = resolve(place)
  return {
    inspect: () =>
      attempt(folder, async () => {
        const entries = await entriesOf(folder)
        const isRoot = entries.some(({ name }) => name === rootDeclaration)
        return {
          folder,
          host: hostname(),
          root: isRoot ? idIn(join(folder, idFile), await idText(folder)) : undefined,
          isEmpty: !isRoot || !entries.some((entry) => entry.isDirectory() && entry.name !== 'extensions'),
        }
      }),
    name: (id) =>
      attempt(folder, async () => {
        ensureStorageRoot(folder)
        const file = join(folder, idFile)
        const known = idIn(file, await idText(folder))
        return known ?? idIn(file, await writeOnce(file, textOfId(id))) ?? id
      }),
  }
}

const attempt =
  <A>(folder: string, work: () => Promise<A>): TaskEither<Unavailable, A> =>
  async () => {
    try {
      return right(await work())
    } catch (error) {
      if (error instanceof StorageRootError) return left({ kind: 'Unavailable', reason: error.message })
      if (!isSystemError(error)) throw error
      const reason = `the storage root ${folder}: ${diskReason(error) ?? errorMessage(error)}`
      return left({ kind: 'Unavailable', reason })
    }
  }

const entriesOf = async (folder: string) => {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

/** Undefined where there is no file. */
const idText = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, idFile), 'utf8').catch((error) => {
    if (!isSystemError(error, 'ENOENT')) throw error
    return undefined
  })
