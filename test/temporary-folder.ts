import { accessSync, constants, statfsSync } from 'node:fs'
import { release } from 'node:os'

const memory = '/dev/shm'
const GiB = 1024 ** 3

/** Tests open thousands of small databases: where Linux has room for them in memory, no disk is waited for. A `TMPDIR` that is set stays. */
export const temporaryFolderInMemory = (enoughBytes = 2 * GiB): { readonly TMPDIR?: string } =>
  process.env.TMPDIR === undefined && hasRoom(enoughBytes) ? { TMPDIR: memory } : {}

/**
 * The same for tests with servers and large files. A S3 server over a folder needs extended attributes, which memory has since
 * Linux 6.6.
 */
export const largeTemporaryFolderInMemory = (): { readonly TMPDIR?: string } =>
  hasAttributes(release()) ? temporaryFolderInMemory(4 * GiB) : {}

/** By the release of the kernel, such as 6.18.44-generic. */
export const hasAttributes = (kernel: string): boolean => {
  const [major = 0, minor = 0] = kernel.split('.').map(Number)
  return major > 6 || (major === 6 && minor >= 6)
}

const hasRoom = (enoughBytes: number): boolean => {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enoughBytes
  } catch {
    return false
  }
}
