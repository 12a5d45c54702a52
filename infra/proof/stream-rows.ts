import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncAll } from '@fonds/toolbox/disk'

/** Sets of rows that are kept: witnesses cosign a head within the hour, and what is shown by it needs the rows before. */
const mostKept = 2

/** Rows of streams in a folder, a file for each size of the tree. Whole or not at all. Two may keep rows at once. */
export const createStreamRows = (folder: string) => ({
  keep: async (size: bigint, text: AsyncIterable<string>): Promise<void> => {
    await makeFolder(folder)
    const file = join(folder, `${size}`)
    const next = `${file}.${randomUUID()}.new`
    try {
      const handle = await open(next, 'w', 0o600)
      try {
        for await (const some of text) await handle.write(some)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(next, file)
    } catch (error) {
      await rm(next, { force: true })
      throw error
    }
    await syncAll([folder])
    await removeEarlier(folder)
  },
  read: async (size: bigint): Promise<AsyncIterable<string> | undefined> => {
    const file = join(folder, `${size}`)
    return existsSync(file) ? createReadStream(file, { encoding: 'utf8' }) : undefined
  },
})

/** By the time of writing: a tree that took the place of another begins with small sizes. */
const removeEarlier = async (folder: string): Promise<void> => {
  const now = Date.now()
  const files: { readonly path: string; readonly size: number; readonly at: number }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const at = (await stat(path).catch(() => undefined))?.mtimeMs
    if (at === undefined) continue
    if (/^\d+$/.test(name)) files.push({ path, size: Number(name), at })
    // A process left it that died: one that writes has written a moment ago.
    else if (now - at > abandonedMillis) await rm(path, { force: true })
  }
  files.sort((a, b) => b.at - a.at || b.size - a.size)
  for (const { path } of files.slice(mostKept)) await rm(path, { force: true })
}

const abandonedMillis = 3_600_000
