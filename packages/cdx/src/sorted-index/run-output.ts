import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { blockBytes, maxLineBytes } from './limits.ts'
import { linesFile, originsFile } from './run-files.ts'
import { createSums, sumsFile } from './sums.ts'

/** The facts of a run that was written, with the keys of its first and last line. */
export interface RunBody {
  readonly lines: number
  readonly bytes: number
  readonly sha256: string
  readonly first: string
  readonly last: string
}

/** A run that is written, in order. */
export interface RunOutput {
  /** Puts a line behind those kept: from `start` to `end`, the offset of its LF. */
  put(bytes: Buffer, start: number, end: number): void
  /** Keeps the line that was put last, with its origin. */
  commit(origin: number): void
  /** Copies the line that was put last into another output. */
  moveTo(other: RunOutput): void
  /** Returns once all of it is on disk. */
  finish(): RunBody
  close(): void
}

const bufferBytes = 1024 ** 2
const room = bufferBytes + maxLineBytes + 1

export const createRunOutput = (folder: string, name: string, hasOrigins: boolean): RunOutput => {
  const file = openSync(linesFile(folder, name), 'wx')
  const origins = hasOrigins ? createOriginsOutput(originsFile(folder, name)) : undefined
  const hash = createHash('sha256')
  const sums = createSums()
  /** End of the kept bytes in the buffer that the sums include. */
  let summed = 0
  let block = -1
  const buffer = Buffer.allocUnsafeSlow(room)
  let committed = 0
  let length = 0
  let written = 0
  let lines = 0
  let first = ''
  let last = ''

  const sum = () => {
    if (committed > summed) sums.add(buffer.subarray(summed, committed))
    summed = committed
  }
  const flush = () => {
    if (committed === 0) return
    sum()
    summed = 0
    last = keyOf(buffer, buffer.lastIndexOf(10, committed - 2) + 1)
    const part = buffer.subarray(0, committed)
    hash.update(part)
    writeAll(file, part)
    written += committed
    committed = 0
  }

  return {
    put: (bytes, start, end) => {
      if (committed >= bufferBytes) flush()
      bytes.copy(buffer, committed, start, end + 1)
      length = end + 1 - start
    },
    commit: (origin) => {
      if (lines === 0) first = keyOf(buffer, 0)
      const offset = written + committed
      if (Math.floor(offset / blockBytes) !== block) {
        sum()
        sums.begin(offset)
        block = Math.floor(offset / blockBytes)
      }
      origins?.add(offset, origin)
      if (origins) sums.origin(origin)
      committed += length
      lines++
    },
    moveTo: (other) => other.put(buffer, committed, committed + length - 1),
    finish: () => {
      flush()
      origins?.finish()
      writeFileSync(sumsFile(folder, name), sums.end(written), { flush: true })
      fsyncSync(file)
      return { lines, bytes: written, sha256: hash.digest('hex'), first, last }
    },
    close: () => {
      closeSync(file)
      origins?.close()
    },
  }
}

/** The key of a line: up to the first space, a character per byte. */
export const keyOf = (bytes: Buffer, start: number): string => {
  const lineEnd = bytes.indexOf(10, start)
  const space = bytes.indexOf(32, start)
  return bytes.toString('latin1', start, space >= 0 && space < lineEnd ? space : lineEnd)
}

const createOriginsOutput = (path: string) => {
  const file = openSync(path, 'wx')
  const words = Buffer.allocUnsafeSlow(64 * 1024)
  const linesBefore: number[] = []
  let at = 0
  let lines = 0

  const push = (word: number) => {
    words.writeUInt32LE(word, at)
    at += 4
    if (at < words.length) return
    writeAll(file, words)
    at = 0
  }

  return {
    add: (offset: number, origin: number) => {
      while (linesBefore.length * blockBytes <= offset) linesBefore.push(lines)
      lines++
      push(origin)
    },
    finish: () => {
      for (const count of linesBefore) push(count)
      writeAll(file, words.subarray(0, at))
      fsyncSync(file)
    },
    close: () => closeSync(file),
  }
}

export const writeAll = (file: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at)
}
