import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { DamagedRun } from './good-blocks.ts'

/** A run that is read for a merge, a line at a time. The previous line stays in the buffer for comparison. */
export interface RunInput {
  readonly index: number
  bytes: Buffer
  /** Offsets in `bytes` of the current line, and of its LF. */
  start: number
  end: number
  /** Origin of the current line, in the run's table of origins. */
  origin: number
  readonly source: ByteSource
  readonly origins: ByteSource | undefined
  filled: number
  readonly written: Written | undefined
}

/** Name and digest of the run as it was written. */
interface Written {
  readonly name: string
  readonly sha256: string
  readonly hash: Hash
}

interface ByteSource {
  readonly file: number
  readonly words: Buffer
  at: number
  length: number
}

const bufferBytes = 128 * 1024
const wordBytes = 16 * 1024

/** Paths of a run's files; a run with one publication has no file of origins. */
export interface RunSource {
  readonly lines: string
  readonly origins?: string
  /** The whole run is compared with this digest once it was read. */
  readonly written?: { readonly name: string; readonly sha256: string }
}

export const openRunInput = (index: number, { lines, origins, written }: RunSource): RunInput => ({
  index,
  bytes: Buffer.allocUnsafeSlow(bufferBytes),
  start: 0,
  end: -1,
  origin: 0,
  source: openSource(lines, 0),
  origins: origins === undefined ? undefined : openSource(origins, wordBytes),
  filled: 0,
  written: written && { ...written, hash: createHash('sha256') },
})

const openSource = (path: string, size: number): ByteSource => ({
  file: openSync(path, 'r'),
  words: Buffer.allocUnsafeSlow(size),
  at: 0,
  length: 0,
})

export const closeRunInput = (input: RunInput): void => {
  closeSync(input.source.file)
  if (input.origins) closeSync(input.origins.file)
}

/**
 * Moves to the next line. Returns the offset of the previous line; -1 behind the last line. Throws
 * `DamagedRun` there if the bytes are not those that were written.
 */
export const advance = (input: RunInput): number => {
  const before = input.start
  const next = input.end + 1
  const end = input.bytes.indexOf(10, next)
  if (end >= 0 && end < input.filled) {
    input.start = next
    input.end = end
    if (input.origins) input.origin = nextWord(input.origins)
    return before
  }
  return refill(input) ? advance(input) : -1
}

/**
 * Moves the previous line to the front, and reads on. Enlarges the buffer if a line is longer. Returns false
 * at the end.
 */
const refill = (input: RunInput): boolean => {
  const kept = input.filled - input.start
  const target = kept * 2 > input.bytes.length ? Buffer.allocUnsafeSlow(input.bytes.length * 2) : input.bytes
  input.bytes.copy(target, 0, input.start, input.filled)
  input.end -= input.start
  input.start = 0
  input.bytes = target
  const read = readSync(input.source.file, target, kept, target.length - kept, null)
  input.filled = kept + read
  if (read > 0) {
    input.written?.hash.update(target.subarray(kept, kept + read))
    return true
  }
  if (input.written && input.written.hash.digest('hex') !== input.written.sha256)
    throw new DamagedRun(input.written.name)
  return false
}

const nextWord = (source: ByteSource): number => {
  if (source.at === source.length) {
    source.length = readSync(source.file, source.words, 0, source.words.length, null)
    source.at = 0
    if (source.length < 4) throw new Error('the origins of a run end before its lines')
  }
  const word = source.words.readUInt32LE(source.at)
  source.at += 4
  return word
}
