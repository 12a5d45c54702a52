import type { ContentStore } from '../../../src/ports/content-store.ts'
import { blockingCalls } from './calls.ts'
import { entryOf, versionOf, whyNotContent } from './entry.ts'
import { readFlags } from './read.ts'
import { isLink, locateAtOnce, type Root } from './root.ts'

type ReadAtOnce = NonNullable<ContentStore['readAtOnce']>

/** The calls of `readFile` in the same order, for a file that fits into one buffer: a promise for each would cost as much as the file. */
export const createReadAtOnce = (root: Root): ReadAtOnce => {
  const { open, stat, close } = blockingCalls
  let buffer = Buffer.alloc(0)

  return (path, maxBytes) => {
    if (buffer.length < maxBytes) buffer = Buffer.allocUnsafeSlow(maxBytes)
    let file: number | undefined
    try {
      const real = locateAtOnce(root, path)
      file = open(real, readFlags)
      const before = stat(file)
      if (whyNotContent(before) !== undefined || before.size > BigInt(maxBytes)) return undefined
      const size = Number(before.size)
      if (fill(file, buffer, size) !== size) return undefined
      const entry = { ...entryOf(path, before), isLink: isLink(root, path, real) }
      return versionOf(stat(file)) === entry.version ? { entry, bytes: buffer.subarray(0, size) } : undefined
    } catch {
      // `read` meets the same again, and says what it means.
      return undefined
    } finally {
      if (file !== undefined) close(file)
    }
  }
}

/** How many bytes there are, `size` at most. */
const fill = (file: number, buffer: Buffer, size: number): number => {
  let bytes = 0
  while (bytes < size) {
    const got = blockingCalls.readNow(file, buffer.subarray(bytes), size - bytes, bytes)
    if (got === 0) break
    bytes += got
  }
  return bytes
}
