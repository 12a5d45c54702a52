import { closeSync, openSync, readSync } from 'node:fs'

const chunkBytes = 64 * 1024

/** The bytes of a file. Blocks its thread. */
export function* fileChunks(path: string): Generator<Uint8Array, undefined> {
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(chunkBytes)
      const read = readSync(file, chunk)
      if (read === 0) return undefined
      yield chunk.subarray(0, read)
    }
  } finally {
    closeSync(file)
  }
}
