import { readdir, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { StorageRootError } from '@fonds/ocfl'
import { ensureStorageRoot, rootDeclaration } from '@fonds/ocfl/layout'
import { isSystemError } from '@fonds/toolbox'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { diskReason } from '../../../src/async/disk-reasons.ts'
import { errorMessage } from '../../../src/async/errors.ts'
import { writeOnce } from '../../../src/async/write-once.ts'
import type { StorageRoot } from '../../../src/ports/storage-root.ts'
import type { Unavailable } from '../../../src/ports/unavailable.ts'

/**
 * At the top of the root, where OCFL lets other files be: §4.1 has validators ignore those that they do not know. Below
 * `extensions` there may be folders alone.
 */
export const idFile = 'fonds_root.json'

const Identity = t.type({ id: t.string, description: t.string })

const description =
  'Fonds knows this storage root by its id: the log of the archive has it, too. Keep the file with the root.'

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
          root: isRoot ? idIn(folder, await idText(folder)) : undefined,
          isEmpty: !isRoot || !entries.some((entry) => entry.isDirectory() && entry.name !== 'extensions'),
        }
      }),
    name: (id) =>
      attempt(folder, async () => {
        ensureStorageRoot(folder)
        const known = idIn(folder, await idText(folder))
        if (known !== undefined) return known
        const text = `${JSON.stringify({ id, description }, undefined, 2)}\n`
        return idIn(folder, await writeOnce(join(folder, idFile), text)) ?? id
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

/** Undefined where there is no text. */
const idIn = (folder: string, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const file = join(folder, idFile)
  try {
    const read = Identity.decode(JSON.parse(text))
    if (isLeft(read)) throw new StorageRootError(`${file} names no id; put the file of a backup in its place`)
    return read.right.id
  } catch (error) {
    if (error instanceof StorageRootError) throw error
    throw new StorageRootError(
      `${file} cannot be read (${errorMessage(error)}); replace it by that of a backup`,
    )
  }
}
