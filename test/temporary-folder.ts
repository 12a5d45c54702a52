import { accessSync, constants, statfsSync } from 'node:fs'

const memory = '/dev/shm'
const enoughBytes = 2 * 1024 ** 3

/** Tests open thousands of small databases: where Linux has room for them in memory, no disk is waited for. A `TMPDIR` that is set stays. */
export const temporaryFolderInMemory = (): { readonly TMPDIR?: string } =>
  process.env.TMPDIR === undefined && hasRoom() ? { TMPDIR: memory } : {}

const hasRoom = (): boolean => {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enoughBytes
  } catch {
    return false
  }
}
