import { maxLineBytes } from './limits.ts'

/**
 * Sorts the lines of a buffer, each once. Calls `take` with the offset of each line and that of its LF.
 * Throws `RangeError` for bytes that are not lines, before the first call.
 */
export const sortLines = (bytes: Buffer, take: (start: number, end: number) => void): void => {
  const starts = lineStarts(bytes)
  sort(bytes, starts)
  let previous = -1
  for (const start of starts) {
    if (previous >= 0 && sameLine(bytes, previous, start)) continue
    take(start, bytes.indexOf(10, start))
    previous = start
  }
}

const lineStarts = (bytes: Buffer): Uint32Array => {
  if (bytes.length > 0 && bytes[bytes.length - 1] !== 10)
    throw new RangeError('a batch of lines ends within a line: each wants its LF')
  if (bytes.includes(0)) throw new RangeError('a line holds a NUL byte: encode it')
  const starts: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at)
    if (end === at) throw new RangeError('a line is empty: it wants a key')
    if (end - at > maxLineBytes)
      throw new RangeError(`a line has ${end - at} bytes; at most ${maxLineBytes} fit into the index`)
    starts.push(at)
    at = end + 1
  }
  return Uint32Array.from(starts)
}

const sameLine = (bytes: Buffer, a: number, b: number): boolean => {
  for (let i = 0; ; i++) {
    const byte = bytes[a + i]
    if (byte !== bytes[b + i]) return false
    if (byte === 10) return true
  }
}

/** The end of a line sorts before every byte. */
const byteAt = (bytes: Buffer, at: number): number => {
  const byte = bytes[at]!
  return byte === 10 ? -1 : byte
}

/**
 * Multikey quicksort: three-way by the byte at one depth, so that a prefix which many lines share is compared
 * once. Pending parts are on an explicit stack, since the deepest chain is as long as a line.
 */
const sort = (bytes: Buffer, starts: Uint32Array): void => {
  const parts = [0, starts.length, 0]
  while (parts.length > 0) {
    const depth = parts.pop()!
    const high = parts.pop()!
    const low = parts.pop()!
    if (high - low < 16) {
      insertionSort(bytes, starts, low, high, depth)
      continue
    }
    const pivot = median(
      byteAt(bytes, starts[low]! + depth),
      byteAt(bytes, starts[(low + high) >> 1]! + depth),
      byteAt(bytes, starts[high - 1]! + depth),
    )
    let less = low
    let more = high
    for (let i = low; i < more; ) {
      const start = starts[i]!
      const byte = byteAt(bytes, start + depth)
      if (byte < pivot) {
        starts[i++] = starts[less]!
        starts[less++] = start
      } else if (byte > pivot) {
        starts[i] = starts[--more]!
        starts[more] = start
      } else i++
    }
    parts.push(low, less, depth, more, high, depth)
    if (pivot >= 0) parts.push(less, more, depth + 1)
  }
}

const median = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))

const insertionSort = (
  bytes: Buffer,
  starts: Uint32Array,
  low: number,
  high: number,
  depth: number,
): void => {
  for (let i = low + 1; i < high; i++) {
    const start = starts[i]!
    let at = i
    for (; at > low && isBefore(bytes, start + depth, starts[at - 1]! + depth); at--)
      starts[at] = starts[at - 1]!
    starts[at] = start
  }
}

const isBefore = (bytes: Buffer, a: number, b: number): boolean => {
  for (let i = 0; ; i++) {
    const left = bytes[a + i]!
    const right = bytes[b + i]!
    if (left !== right) return right !== 10 && (left === 10 || left < right)
    if (left === 10) return false
  }
}
