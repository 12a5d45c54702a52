import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Source } from '@fonds/warc/read'

/** Algorithms by which a WACZ may name its files. */
type Algorithm = 'sha256' | 'md5'

interface Digests {
  readonly crc: number
  readonly hash: string
}

export interface Digested extends Source {
  /** Reads what was not read, and returns the CRC-32, and the digest in lower-case hex, of all bytes. */
  end(): Digests
}

const gapBytes = 256 * 1024

/** Digests bytes while they are read in order. What a reader skips is read all the same; what it reads again counts once. */
export const digested = (source: Source, algorithm: Algorithm): Digested => {
  const hash = createHash(algorithm)
  let crc = 0
  let at = 0
  const add = (bytes: Uint8Array) => {
    hash.update(bytes)
    crc = crc32(bytes, crc)
    at += bytes.length
  }
  const readUpTo = (offset: number) => {
    if (at >= offset) return
    const gap = Buffer.allocUnsafe(gapBytes)
    while (at < offset) {
      const read = source.read(at, gap.subarray(0, Math.min(gap.length, offset - at)))
      if (read === 0) return
      add(gap.subarray(0, read))
    }
  }
  return {
    size: source.size,
    read: (offset, buffer) => {
      readUpTo(offset)
      const read = source.read(offset, buffer)
      if (offset + read > at) add(buffer.subarray(at - offset, read))
      return read
    },
    end: () => {
      readUpTo(source.size)
      return { crc, hash: hash.digest('hex') }
    },
  }
}
