import { constants } from 'node:fs'
import { copyFile, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'

export interface CopyTools {
  readonly signal: AbortSignal
  /** Called with the number of bytes copied. */
  onBytes(bytes: number): void
}

/** Returns whether to copy this entry of a folder. */
type Wanted = (name: string) => boolean

/**
 * Copies the files beneath a folder; existing ones stay, for the files copied here never change. A file that is deleted
 * meanwhile is left out. A missing folder is empty.
 */
export const copyFolder = async (
  from: string,
  to: string,
  tools: CopyTools,
  wanted: Wanted = () => true,
): Promise<void> => {
  for (const entry of await entriesOf(from)) {
    tools.signal.throwIfAborted()
    if (!wanted(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target, tools)
    else if (entry.isFile()) await copyOne(source, target, tools)
  }
}

/** Copies a file. It is on disk when the promise resolves. */
export const copyOne = async (
  from: string,
  to: string,
  { onBytes }: Pick<CopyTools, 'onBytes'>,
  replace = false,
): Promise<void> => {
  await makeFolder(dirname(to))
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE | (replace ? 0 : constants.COPYFILE_EXCL))
  } catch (error) {
    if (isSystemError(error, 'EEXIST') || isSystemError(error, 'ENOENT')) return
    throw error
  }
  const file = await open(to, 'r')
  try {
    await file.sync()
    onBytes((await file.stat()).size)
  } finally {
    await file.close()
  }
}

export const entriesOf = async (folder: string) => {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return []
    throw error
  }
}
