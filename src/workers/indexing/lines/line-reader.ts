import { closeSync, openSync, readSync } from 'node:fs'

const blockBytes = 256 * 1024
const lineFeed = 10

export interface LineReader {
  /** Without its end; undefined behind the last one. */
  next(): Buffer | undefined
  close(): void
}

/** The lines of a file that ends in a line feed, one after the other. */
export const openLineReader = (path: string): LineReader => {
  const file = openSync(path, 'r')
  let bytes: Buffer = Buffer.alloc(0)
  let at = 0

  /** False at the end of the file. */
  const readOn = (): boolean => {
    const block = Buffer.allocUnsafe(blockBytes)
    const read = readSync(file, block, 0, blockBytes, null)
    // A new buffer each time: lines that were given are parts of the old one.
    bytes = Buffer.concat([bytes.subarray(at), block.subarray(0, read)])
    at = 0
    return read > 0
  }

  return {
    next: () => {
      let end = bytes.indexOf(lineFeed, at)
      while (end < 0) {
        const searched = bytes.length - at
        if (!readOn()) return undefined
        end = bytes.indexOf(lineFeed, searched)
      }
      const line = bytes.subarray(at, end)
      at = end + 1
      return line
    },
    close: () => closeSync(file),
  }
}
