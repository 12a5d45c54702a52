import type { Hasher } from './hasher.ts'

/**
 * Digests each part of the bytes, and the digests of the parts, binary and joined. Bytes beyond the last part are a
 * further part: bytes of another length have another digest.
 */
export const hashParts = (sizes: Iterable<number>, whole: Hasher, next: () => Hasher): Hasher => {
  const lengths = sizes[Symbol.iterator]()
  let part = next()
  /** Bytes that the part still wants; undefined behind the last part. */
  let left = nextLength(lengths)
  let isBeyond = false
  const endPart = (): void => {
    whole.update(Buffer.from(part.digest(), 'hex'))
    part = next()
    left = nextLength(lengths)
  }
  return {
    update: (chunk) => {
      for (let at = 0; at < chunk.length; ) {
        const piece = chunk.subarray(at, left === undefined ? undefined : at + left)
        part.update(piece)
        at += piece.length
        if (left === undefined) isBeyond = true
        else left -= piece.length
        if (left === 0) endPart()
      }
    },
    digest: () => {
      while (left !== undefined) endPart()
      if (isBeyond) endPart()
      return whole.digest()
    },
  }
}

const nextLength = (lengths: Iterator<number>): number | undefined => {
  const next = lengths.next()
  return next.done ? undefined : next.value
}
