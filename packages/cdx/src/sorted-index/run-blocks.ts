import { crc32 } from 'node:zlib'
import { isSystemError, recentCache } from '@fonds/toolbox'
import type { BlockFiles } from './block-files.ts'
import { blockBytes, maxLineBytes } from './limits.ts'
import type { Run } from './manifest.ts'
import { linesFile, originsFile } from './run-files.ts'
import { blockSum, sumBytes, sumsFile } from './sums.ts'

/** Reads the lines of runs, by blocks of 8 KB. */
export interface RunBlocks {
  /** The lines that begin in a block, each with its LF; empty if a long line runs through all of it. */
  lines(run: Run, block: number): Promise<Buffer> | Buffer
  /** The first line that begins in a block, without its LF; empty if none does. */
  first(run: Run, block: number): Promise<Buffer> | Buffer
  /** Origins of the first `count` lines that begin in a block; undefined if they are damaged. */
  origins(run: Run, block: number, count: number): Promise<Uint32Array | undefined>
}

/** Bytes that are read beyond a block, so that most last lines come with it. */
const beyond = 1024

/** Overhead of an entry of the cache. */
const entryBytes = 200

export const blockCount = ({ bytes }: Run): number => Math.ceil(bytes / blockBytes)

/** Entries that are read with that of a block: a line runs through at most as many. */
const entriesAhead = Math.ceil(maxLineBytes / blockBytes) + 2

/**
 * Caches blocks, up to a number of bytes, and first lines, which searches use, up to as many. First lines are
 * a hundredth of the index, so that a search of a large one reads one block of a run.
 *
 * Reads are compared with their sums: a damaged block has no lines, and `onDamage` is called with its run. A
 * run that was written before there were sums is read unchecked, until it has them.
 */
export const createRunBlocks = (
  folder: string,
  files: BlockFiles,
  maxCacheBytes: number,
  onDamage: (run: Run) => void = () => {},
): RunBlocks => {
  const weigh = ({ length }: Buffer) => length + entryBytes
  const cache = recentCache<Buffer>(maxCacheBytes, weigh)
  const firsts = recentCache<Buffer>(maxCacheBytes, weigh)

  /** Finds the lines by their line feeds. */
  const readUnchecked = async (run: Run, block: number): Promise<Buffer> => {
    const path = linesFile(folder, run.name)
    // The byte before shows whether a line begins at the block's first.
    const before = block === 0 ? 0 : 1
    const offset = block * blockBytes - before
    let bytes = await files.read(path, offset, before + blockBytes + beyond)
    const begin = before === 0 ? 0 : bytes.indexOf(10) + 1
    if (before === 1 && (begin === 0 || begin > blockBytes)) return Buffer.alloc(0)
    let end = bytes.indexOf(10, before + blockBytes - 1)
    while (end < 0 && offset + bytes.length < run.bytes) {
      const more = await files.read(path, offset + bytes.length, 8 * blockBytes)
      if (more.length === 0) break
      const at = bytes.length
      bytes = Buffer.concat([bytes, more])
      end = bytes.indexOf(10, at)
    }
    if (end < 0 && offset + bytes.length < run.bytes)
      throw new Error(`${path} is shorter than its manifest says: put a backup in its place`)
    return ownCopy(bytes.subarray(begin, end < 0 ? bytes.length : end + 1))
  }

  /** Undefined if the run has no sums. */
  const entriesAt = async (run: Run, block: number): Promise<Buffer | undefined> => {
    try {
      return await files.read(sumsFile(folder, run.name), block * sumBytes, entriesAhead * sumBytes)
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return undefined
      throw error
    }
  }

  const damaged = (run: Run): Buffer => {
    onDamage(run)
    return Buffer.alloc(0)
  }

  const read = async (run: Run, block: number): Promise<Buffer> => {
    if (run.bad?.includes(block)) return Buffer.alloc(0)
    const entries = await entriesAt(run, block)
    if (!entries) return readUnchecked(run, block)
    if (entries.length < sumBytes) return damaged(run)
    const sum = blockSum(entries, block, run.bytes)
    if (!sum) return Buffer.alloc(0)
    const { start, end } = sum
    if (end <= start || end > run.bytes || end - start > blockBytes + maxLineBytes + 1) return damaged(run)
    const bytes = await files.read(linesFile(folder, run.name), start, end - start)
    return bytes.length === end - start && crc32(bytes) === sum.lines ? ownCopy(bytes) : damaged(run)
  }

  const load = async (run: Run, block: number, key: string): Promise<Buffer> => {
    const lines = await read(run, block)
    // Not cached, since a damaged block may be restored.
    if (lines.length === 0) return lines
    cache.set(key, lines)
    if (!firsts.get(key)) firsts.set(key, ownCopy(firstOf(lines)))
    return lines
  }

  const lines = (run: Run, block: number) => {
    const key = keyOf(run, block)
    return cache.get(key) ?? load(run, block, key)
  }

  return {
    lines,
    first: (run, block) => {
      const key = keyOf(run, block)
      return firsts.get(key) ?? load(run, block, key).then(firstOf)
    },
    origins: async (run, block, count) => {
      const path = originsFile(folder, run.name)
      const before = await files.read(path, (run.lines + block) * 4, 4)
      if (before.length < 4) return void onDamage(run)
      // All origins of the block, as its sum covers them.
      const all = countLines(await lines(run, block))
      const words = await files.read(path, before.readUInt32LE(0) * 4, all * 4)
      const entries = await entriesAt(run, block)
      const sum = entries && blockSum(entries, block, run.bytes)
      if (words.length < all * 4 || (sum && crc32(words) !== sum.origins)) return void onDamage(run)
      return Uint32Array.from({ length: count }, (_, i) => words.readUInt32LE(i * 4))
    },
  }
}

const countLines = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}

/** Copies bytes out: a view, or a copy in Node's pool, would keep all the memory around it. */
const ownCopy = (bytes: Buffer): Buffer => {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

const keyOf = ({ name, bad }: Run, block: number): string => `${name} ${block} ${bad?.length ?? 0}`

const firstOf = (lines: Buffer): Buffer => lines.subarray(0, Math.max(0, lines.indexOf(10)))
