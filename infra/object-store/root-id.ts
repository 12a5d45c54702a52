import { StorageRootError } from '@fonds/ocfl'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { errorMessage } from '../../src/async/errors.ts'

/**
 * At the top of the root, where OCFL lets other files be: §4.1 has validators ignore those that they do not know. Below
 * `extensions` there may be folders alone.
 */
export const idFile = 'fonds_root.json'

const Identity = t.type({ id: t.string, description: t.string })

const description =
  'Fonds knows this storage root by its id: the log of the archive has it, too. Keep the file with the root.'

export const textOfId = (id: string): string => `${JSON.stringify({ id, description }, undefined, 2)}\n`

/** The id in the text of the file; undefined where there is no text. Throws `StorageRootError`. */
export const idIn = (file: string, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
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
