import { createReadStream, existsSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncAll } from '@fonds/toolbox/disk'

/** Sets of rows that are kept: witnesses cosign a head within the hour, and what is shown by it needs the rows before. */
const mostKept = 2

/** Rows of streams in a folder, a file for each size of the tree. Whole or not at all. */
export const createStreamRows = (folder: string) => ({
  keep: async (size: bigint, text: AsyncIterable<string>): Promise<void> => {
    await makeFolder(folder)
    const [file, next] = [join(folder, `${size}`), join(folder, `${size}.new`)]
    const handle = await open(next, 'w', 0o600)
    try {
      for await (const some of text) await handle.write(some)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, file)
    await syncAll([folder])
    const names = (await readdir(folder)).filter((name) => name !== `${size}`)
    const earlier = names.filter((name) => /^\d+$/.test(name) && BigInt(name) < size)
    const kept = earlier.sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)).slice(0, mostKept - 1)
    for (const name of names) if (!kept.includes(name)) await rm(join(folder, name), { force: true })
  },
  read: async (size: bigint): Promise<AsyncIterable<string> | undefined> => {
    const file = join(folder, `${size}`)
    return existsSync(file) ? createReadStream(file, { encoding: 'utf8' }) : undefined
  },
})
