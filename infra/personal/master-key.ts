import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'
import { errorMessage } from '../../src/async/errors.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { writeOnce } from '../../src/async/write-once.ts'
import { keyBytes } from './secrets.ts'

/* The master key: one line of base64url in a file for its user alone. */

const fileIn = (folder: string): string => join(folder, 'master.key')

/** Undefined if there is none. Rejects with `UnavailableError` for a file that is no key, or cannot be read. */
export const loadMasterKey = async (folder: string): Promise<Buffer | undefined> => {
  const file = fileIn(folder)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw new UnavailableError(`the key of personal values cannot be read: ${errorMessage(error)}`)
  }
  return keyIn(text, file)
}

/** Makes it where it is missing. */
export const makeMasterKey = async (folder: string): Promise<Buffer> => {
  await makeFolder(folder, 0o700)
  const file = fileIn(folder)
  return keyIn(await writeOnce(file, `${randomBytes(keyBytes).toString('base64url')}\n`, 0o600), file)
}

const keyIn = (text: string, file: string): Buffer => {
  const key = /^[\w-]{43}\n?$/.test(text) ? Buffer.from(text, 'base64url') : undefined
  if (key?.length === keyBytes) return key
  throw new UnavailableError(`${file} holds no key of personal values: put back the one that was there`)
}
