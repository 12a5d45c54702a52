import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { blockBytes } from './limits.ts'
import type { Run } from './manifest.ts'
import { linesFile } from './run-files.ts'
import { openRunOrigins, type RunOrigins } from './run-origins.ts'
import { keyOf } from './run-output.ts'
import { blockSum, createSums, sumBytes, sumsFile } from './sums.ts'

export interface Verified {
  /** The run is as it was written. If not, and no block is known to be bad, the damaged lines are unknown. */
  readonly isSound: boolean
  /** Blocks that are damaged. */
  readonly bad: readonly number[]
  /** Number of lines that are in no other block. */
  readonly lines: number
  /** Keys of the last good line before the damage and the first one behind; empty: there is none. */
  readonly from: string
  readonly to: string
  /** Origins of the lines, in the run's table; undefined if those are damaged, too. */
  readonly origins?: readonly number[]
}

const chunkBytes = 1024 ** 2

/**
 * Compares all of a run with its digest and, if that differs, each block with its sum. A run without sums
 * gets them. If such a run is damaged, only blocks with lines that are invalid or out of order are known to
 * be bad. Blocks.
 */
export const verifyRun = (folder: string, run: Run): Verified => {
  const file = openSync(linesFile(folder, run.name), 'r')
  const origins = openRunOrigins(folder, run)
  try {
    const known = knownSums(folder, run)
    const seen = readWhole(file)
    const isSound = seen.sha256 === run.sha256
    // A sum that differs from sound lines is itself damaged.
    const sums = known && !isSound ? known : withOrigins(seen.sums, known, origins)
    if (!known || (isSound && !sums.equals(known)))
      writeFileSync(sumsFile(folder, run.name), sums, { flush: true })
    const bad = new Set(!known && !isSound ? seen.odd : [])
    if (known && !isSound) for (const block of badLines(file, known, run)) bad.add(block)
    if (origins) for (const block of badOrigins(origins, sums, run)) bad.add(block)
    return {
      isSound: isSound && bad.size === 0,
      bad: [...bad].sort((a, b) => a - b),
      ...whatIsLost(file, sums, bad, origins, run),
    }
  } finally {
    closeSync(file)
    origins?.close()
  }
}

/** Returns true if origins of a run are not those that were written; false if the run has no sums. Blocks. */
export const hasBadOrigins = (folder: string, run: Run): boolean => {
  const sums = knownSums(folder, run)
  const origins = sums && openRunOrigins(folder, run)
  if (!origins) return false
  try {
    return !badOrigins(origins, sums, run).next().done
  } finally {
    origins.close()
  }
}

/** Undefined if there are none, or not for all blocks. */
const knownSums = (folder: string, { name, bytes }: Run): Buffer | undefined => {
  const path = sumsFile(folder, name)
  const known = existsSync(path) ? readFileSync(path) : undefined
  return known?.length === Math.ceil(bytes / blockBytes) * sumBytes ? known : undefined
}

const readWhole = (file: number) => {
  const hash = createHash('sha256')
  const sums = createSums()
  const odd = new Set<number>()
  let rest: Buffer = Buffer.alloc(0)
  let last: Buffer = Buffer.alloc(0)
  let at = 0
  for (let bytes = readAt(file, 0, chunkBytes); bytes.length > 0; bytes = readAt(file, at, chunkBytes)) {
    hash.update(bytes)
    const begin = at - rest.length
    at += bytes.length
    const all = Buffer.concat([rest, bytes])
    let start = 0
    for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, start)) {
      const line = all.subarray(start, end)
      sums.begin(begin + start)
      sums.add(all.subarray(start, end + 1))
      if (line.compare(last) <= 0 || !line.includes(32) || line.some((byte) => byte < 32))
        odd.add(Math.floor((begin + start) / blockBytes))
      last = line
      start = end + 1
    }
    rest = Buffer.from(all.subarray(start))
    last = Buffer.from(last)
  }
  return { sha256: hash.digest('hex'), sums: sums.end(at), odd }
}

/** Adds the sums of origins: those that were written, or computed ones if the run had none. */
const withOrigins = (sums: Buffer, known: Buffer | undefined, origins: RunOrigins | undefined): Buffer => {
  if (!origins) return sums
  const mended = Buffer.from(sums)
  for (let at = 0, block = 0; at < mended.length; at += sumBytes, block++) {
    const isKnown = known?.subarray(at, at + 8).equals(mended.subarray(at, at + 8))
    const sum = isKnown ? known!.readUInt32LE(at + 8) : crc32(origins.of(block))
    mended.writeUInt32LE(sum, at + 8)
  }
  return mended
}

function* badLines(file: number, sums: Buffer, { bytes }: Run): Generator<number> {
  for (let block = 0; block * sumBytes < sums.length; block++) {
    const sum = blockSum(sums, block, bytes, 0)
    if (!sum) continue
    const found = readAt(file, sum.start, Math.max(0, sum.end - sum.start))
    if (found.length === 0 || crc32(found) !== sum.lines) yield block
  }
}

function* badOrigins(origins: RunOrigins, sums: Buffer, run: Run): Generator<number> {
  for (let block = 0; block * sumBytes < sums.length; block++) {
    const sum = blockSum(sums, block, run.bytes, 0)
    if (sum && crc32(origins.of(block)) !== sum.origins) yield block
  }
}

const whatIsLost = (
  file: number,
  sums: Buffer,
  bad: ReadonlySet<number>,
  origins: RunOrigins | undefined,
  run: Run,
): Omit<Verified, 'bad' | 'isSound'> => {
  if (bad.size === 0) return { lines: 0, from: '', to: '' }
  const [first, last] = [Math.min(...bad), Math.max(...bad)]
  const whose = new Set<number>()
  let isKnown = true
  let good = 0
  let from = ''
  let to: string | undefined
  for (let block = 0; block * sumBytes < sums.length; block++) {
    const sum = blockSum(sums, block, run.bytes, 0)
    if (!sum) continue
    if (bad.has(block)) {
      const words = origins?.of(block)
      if (words && crc32(words) !== sum.origins) isKnown = false
      for (let at = 0; words && at + 4 <= words.length; at += 4) whose.add(words.readUInt32LE(at))
      continue
    }
    const lines = readAt(file, sum.start, sum.end - sum.start)
    for (let at = lines.indexOf(10); at >= 0; at = lines.indexOf(10, at + 1)) good++
    if (block < first) from = keyOf(lines, lines.lastIndexOf(10, -2) + 1)
    if (block > last) to ??= keyOf(lines, 0)
  }
  return { lines: Math.max(0, run.lines - good), from, to: to ?? '', ...(isKnown && { origins: [...whose] }) }
}

/** Reads bytes from an offset on; fewer at the end. */
export const readAt = (file: number, offset: number, length: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}
