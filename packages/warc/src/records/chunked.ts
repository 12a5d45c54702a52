/**
 * Decodes the chunked transfer coding (RFC 9112 §7.1), in constant memory. `push` passes on the content of
 * the chunks, up to the first bytes that are not chunked.
 */
export interface ChunkedDecoder {
  push(bytes: Buffer): void
  /** Returns true if all bytes so far were chunked; they may have been cut off. */
  isChunked(): boolean
}

const LF = 10
/** Bytes of the line with the size of a chunk and its extensions. */
const maxLine = 16 * 1024

export const createChunkedDecoder = (take: (bytes: Buffer) => void): ChunkedDecoder => {
  /** Bytes left of the chunk, and of the line end behind it. */
  let left = 0
  let lineEnd = 0
  let line = ''
  let isLast = false
  let isBroken = false
  let hasSize = false

  /** Returns the offset behind the bytes used. */
  const readSize = (bytes: Buffer, from: number): number => {
    const newline = bytes.indexOf(LF, from)
    line += bytes.toString('latin1', from, newline < 0 ? bytes.length : newline)
    if (line.length > maxLine) isBroken = true
    if (newline < 0 || isBroken) return bytes.length
    const size = /^[ \t]*([0-9a-f]{1,13})[ \t]*(?:;.*)?\r?$/i.exec(line)?.[1]
    line = ''
    if (size === undefined) isBroken = true
    hasSize = true
    left = Number.parseInt(size ?? '0', 16)
    lineEnd = left
    isLast = left === 0
    return newline + 1
  }

  /** Reads the line end behind a chunk: CR LF or LF. */
  const readLineEnd = (bytes: Buffer, from: number): number => {
    lineEnd = 0
    return bytes[from] === LF ? from + 1 : from
  }

  return {
    push: (bytes) => {
      let at = 0
      while (at < bytes.length && !isLast && !isBroken) {
        if (left > 0) {
          const taken = Math.min(left, bytes.length - at)
          take(bytes.subarray(at, at + taken))
          left -= taken
          at += taken
        } else if (lineEnd > 0 && bytes[at] === 13) at++
        else if (lineEnd > 0) {
          const next = readLineEnd(bytes, at)
          if (next === at) isBroken = true
          at = next
        } else at = readSize(bytes, at)
      }
    },
    isChunked: () => hasSize && !isBroken,
  }
}
