import { createHash } from 'node:crypto'
import { constants, type PathLike } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/* What is written is on disk before the next step rests on it. */

export const isSystemError = (error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  'syscall' in error &&
  (codes.length === 0 || codes.includes(String(error.code)))

export const sync = async (path: PathLike): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const writeSynced = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** As a whole or not at all. */
export const replaceSynced = async (path: string, text: string): Promise<void> => {
  const next = `${path}.next`
  await writeSynced(next, text)
  await rename(next, path)
}

/** The same bytes under another name: linked where the file system can, else copied. */
export const linkOrCopy = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true })
  try {
    await link(from, to)
  } catch (error) {
    // Another volume, or one without links.
    if (!isSystemError(error, 'EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS', 'EOPNOTSUPP')) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
  await sync(to)
}

/** All folders from here down, so that the names in them are on disk. */
export const syncFolders = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(`${folder}/${entry.name}`)
  await sync(folder)
}

export const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

/** Names in a folder; none where there is no folder. */
export const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
