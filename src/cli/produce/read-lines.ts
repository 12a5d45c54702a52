import { type InvalidMessage, invalidMessage } from '../../domain/kernel/invalid-message.ts'

/** A line of the input, numbered from 1, without its end. */
export type Line =
  | { readonly kind: 'line'; readonly number: number; readonly bytes: Buffer }
  /** A part of a line that is too long for memory; `too-long` follows at the line's end. */
  | { readonly kind: 'part'; readonly number: number; readonly bytes: Buffer }
  | { readonly kind: 'too-long'; readonly number: number; readonly size: number }

const lineFeed = 10
const carriageReturn = 13

/**
 * Cuts bytes into lines (LF or CR LF), a chunk's at a time. Of a line no more than `longest` bytes are in memory.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
  longest: number,
): AsyncGenerator<readonly Line[]> {
  let number = 1
  let held: Buffer[] = []
  let size = 0

  const take = (bytes: Buffer): readonly Line[] => {
    if (bytes.length === 0) return []
    const before = size
    size += bytes.length
    held.push(bytes)
    // One byte more for a carriage return that is no part of the line.
    if (size <= longest + 1) return []
    const part = before <= longest + 1 ? Buffer.concat(held) : bytes
    held = []
    return [{ kind: 'part', number, bytes: part }]
  }

  const finish = (): Line => {
    const whole = held.length === 1 ? held[0]! : Buffer.concat(held)
    const line: Line =
      size > longest + 1
        ? { kind: 'too-long', number, size }
        : { kind: 'line', number, bytes: whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole }
    number++
    held = []
    size = 0
    return line
  }

  for await (const chunk of chunks) {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const lines: Line[] = []
    let from = 0
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
      lines.push(...take(bytes.subarray(from, at)), finish())
      from = at + 1
    }
    lines.push(...take(bytes.subarray(from)))
    yield lines
  }
  if (size > 0) yield [finish()]
}

/** Blank lines are passed over. */
export const isBlank = (bytes: Buffer): boolean => bytes.length < 100 && bytes.toString().trim() === ''

export const lineTooLarge = (bytes: number, limit: number): InvalidMessage =>
  invalidMessage('too-large', `the line is ${bytes} bytes; the limit is ${limit}: send less at a time`)
