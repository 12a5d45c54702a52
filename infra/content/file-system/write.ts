import { randomUUID } from 'node:crypto'
import { type FileHandle, lstat, mkdir, open, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { refused } from '../failed.ts'
import { checkPath } from '../path.ts'
import { entryOf, whyNotContent } from './entry.ts'
import { locate, locatePlace, type Root, temporaryPrefix } from './root.ts'

/** Whole and durable, or not at all. Missing folders are made. */
export const writeFile = async (root: Root, path: string, bytes: AsyncIterable<Uint8Array>) => {
  checkPath(path)
  await ensureFolder(root, dirname(path))
  const place = await locatePlace(root, path)
  await checkReplaceable(place, path)
  const temporary = join(dirname(place), temporaryPrefix + randomUUID())
  const file = await open(temporary, 'wx')
  try {
    try {
      for await (const chunk of bytes) await writeAll(file, chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, place)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(place))
  return entryOf(path, await lstat(place, { bigint: true }))
}

export const deleteFile = async (root: Root, path: string): Promise<void> => {
  const place = await locatePlace(root, path)
  const reason = whyNotContent(await lstat(place, { bigint: true }))
  if (reason) throw refused(path, reason)
  await unlink(place)
  await syncFolder(dirname(place))
}

const writeAll = async (file: FileHandle, chunk: Uint8Array): Promise<void> => {
  let done = 0
  while (done < chunk.length) done += (await file.write(chunk, done)).bytesWritten
}

/** Makes the folder one level at a time, so that no level can lead out of the root. */
const ensureFolder = async (root: Root, folder: string): Promise<void> => {
  if (folder === '.') return
  try {
    await locate(root, folder)
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error
    await ensureFolder(root, dirname(folder))
    const place = await locatePlace(root, folder)
    await mkdir(place).catch(ignore('EEXIST'))
    await syncFolder(dirname(place))
  }
}

/** Only a regular file may be replaced. */
const checkReplaceable = async (place: string, path: string): Promise<void> => {
  const stats = await lstat(place, { bigint: true }).catch(ignore('ENOENT'))
  const reason = stats && whyNotContent(stats)
  if (reason) throw refused(path, `${reason}; it is not replaced`)
}

const syncFolder = async (place: string): Promise<void> => {
  const folder = await open(place, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const ignore =
  (code: string) =>
  (error: unknown): undefined => {
    if (isSystemError(error) && error.code === code) return undefined
    throw error
  }
