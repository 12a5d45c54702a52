import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { blockBytes } from './limits.ts'
import type { Run } from './manifest.ts'
import { originsFile } from './run-files.ts'

/** Reads the origins of a run's lines, a block at a time: those of a large run do not fit in memory. */
export interface RunOrigins {
  /** The origins of the lines that begin in a block, 32 bits each; empty if the file lacks them. Blocks. */
  of(block: number): Buffer
  close(): void
}

/** Returns undefined if the run has one publication, and so no file of origins. */
export const openRunOrigins = (folder: string, run: Run): RunOrigins | undefined => {
  if (run.publication) return undefined
  const { lines, bytes } = run
  const file = openSync(originsFile(folder, run.name), 'r')
  const size = fstatSync(file).size
  const [words, places] = [createWindow(file), createWindow(file)]

  const linesBefore = (block: number): number => {
    const at = (lines + block) * 4
    return block * blockBytes < bytes && at + 4 <= size ? places(at, 4).readUInt32LE(0) : lines
  }
  return {
    of: (block) => {
      const [from, to] = [linesBefore(block), Math.min(linesBefore(block + 1), lines)]
      return to * 4 <= size && from < to ? words(from * 4, (to - from) * 4) : Buffer.alloc(0)
    },
    close: () => closeSync(file),
  }
}

const aheadBytes = 64 * 1024

/** Reads ahead, since blocks are requested in order. The result is valid until the next call. */
const createWindow = (file: number) => {
  let bytes = Buffer.alloc(0)
  let start = 0
  return (offset: number, length: number): Buffer => {
    if (offset < start || offset + length > start + bytes.length) {
      const all = Buffer.allocUnsafe(Math.max(length, aheadBytes))
      bytes = all.subarray(0, readSync(file, all, 0, all.length, offset))
      start = offset
    }
    return bytes.subarray(offset - start, offset - start + length)
  }
}
