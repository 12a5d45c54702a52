import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { v4 as uuid } from 'uuid'

/**
 * Writes a file that does not exist yet, on disk as a whole or not at all. If another process is faster, its file
 * stays. Returns the file's text then. `mode`: its permissions, where the umask leaves more.
 */
export const writeOnce = async (file: string, text: string, mode = 0o666): Promise<string> => {
  const next = join(dirname(file), `.${basename(file)}-${uuid()}`)
  try {
    await writeFile(next, text, { flush: true, flag: 'wx', mode })
    try {
      await link(next, file)
    } catch (error) {
      // A file system without links.
      if (isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) await rename(next, file)
      else if (!isSystemError(error, 'EEXIST')) throw error
    }
    await syncFolder(dirname(file))
  } finally {
    await rm(next, { force: true })
  }
  return readFile(file, 'utf8')
}

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
