import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { bunzip2, pieceBytes } from './bzip2/bunzip2.ts'
import type { TarCoding } from './container.ts'
import { fileChunks } from './file-chunks.ts'

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
