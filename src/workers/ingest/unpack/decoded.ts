import { closeSync, openSync, readSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { bunzip2, pieceBytes } from './bzip2/bunzip2.ts'
import type { TarCoding } from './container.ts'

/** Decompresses the tar in a file lazily, in pieces of 64 KiB at most. Blocks its thread. */
export const decoded: Readonly<Record<TarCoding, (file: string) => AsyncIterable<Uint8Array>>> = {
  tar: async function* (file) {
    yield* fileChunks(file)
  },
  'tar.gz': (file) => pipeline(fileChunks(file), createGunzip({ chunkSize: pieceBytes }), () => {}),
  'tar.bz2': async function* (file) {
    using chunks = fileChunks(file)
    yield* bunzip2(() => chunks.next().value)
  },
}

const chunkBytes = 64 * 1024

/** The bytes of a file. Blocks its thread. */
function* fileChunks(path: string): Generator<Uint8Array, undefined> {
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
