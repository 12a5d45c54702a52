import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

const blockBytes = 1024 * 1024
const lineFeed = Buffer.from('\n')

export interface LinesWritten {
  readonly lines: number
  /** SHA-256 of the file, in hex. */
  readonly digest: string
}

/** Writes sorted lines into a new file, one of those that are the same. */
export const createLineWriter = (path: string) => {
  const file = openSync(path, 'wx', 0o644)
  const hash = createHash('sha256')
  const block = Buffer.allocUnsafe(blockBytes)
  let filled = 0
  let lines = 0
  let last: Buffer | undefined
  let isOpen = true

  const write = (bytes: Uint8Array): void => {
    hash.update(bytes)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
  }
  const flush = (): void => {
    write(block.subarray(0, filled))
    filled = 0
  }
  const push = (bytes: Buffer): void => {
    if (filled + bytes.length > block.length) flush()
    if (bytes.length > block.length) write(bytes)
    else filled += bytes.copy(block, filled)
  }
  const close = (): void => {
    if (isOpen) closeSync(file)
    isOpen = false
  }

  return {
    /** Not less than the one before. */
    add: (line: Buffer): void => {
      if (last?.equals(line)) return
      push(line)
      push(lineFeed)
      last = line
      lines++
    },
    /** On disk for good. */
    end: (): LinesWritten => {
      flush()
      fsyncSync(file)
      close()
      return { lines, digest: hash.digest('hex') }
    },
    close,
  }
}
