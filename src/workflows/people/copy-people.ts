import { existsSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage } from '../../async/errors.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { CopyTools } from '../copy-files.ts'

/** Copies the file of names and addresses in one snapshot, without what was deleted. No file: nobody is kept. */
export const copyPeople = async (from: string, to: string, { onBytes }: CopyTools): Promise<void> => {
  if (!existsSync(from)) return
  // SQLite would create it without regard to the umask; it copies into an empty file as well.
  await (await open(to, 'wx')).close()
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
  try {
    source.prepare('VACUUM INTO ?').run(to)
  } catch (error) {
    throw new UnavailableError(`${from} cannot be copied: ${errorMessage(error)}; --no-people leaves it out`)
  } finally {
    source.close()
  }
  const file = await open(to, 'r')
  try {
    await file.sync()
    onBytes((await file.stat()).size)
  } finally {
    await file.close()
  }
}

/** The same for the values that events have references of: encrypted, as they are. */
export const copyValues = async (from: string, to: string, tools: CopyTools): Promise<void> => {
  const file = join(from, 'values.db')
  if (!existsSync(file)) return
  await mkdir(to)
  await copyPeople(file, join(to, 'values.db'), tools)
}
