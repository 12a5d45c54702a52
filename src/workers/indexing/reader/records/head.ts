import type { ByteWindow } from '../bytes/byte-window.ts'

const LF = 10
const CR = 13

/**
 * Bytes of the head at the start of the window, up to and with its empty line: lines end with CR LF or with LF alone. Looks at no
 * more than `limit` bytes; -1 where there is no empty line among them, or they do not fit into the window.
 */
export const headLength = (window: ByteWindow, limit: number): number => {
  let length = 0
  let lineStart = 0
  for (;;) {
    const { bytes, start } = window
    const stop = Math.min(window.available, limit)
    for (; length < stop; length++) {
      if (bytes[start + length] !== LF) continue
      const lineLength = length - lineStart
      if (lineLength === 0 || (lineLength === 1 && bytes[start + lineStart] === CR)) return length + 1
      lineStart = length + 1
    }
    if (length >= limit || !window.more()) return -1
  }
}

/** Over line ends, at most so many bytes. Gives how many lines were empty. */
export const skipEmptyLines = (window: ByteWindow, most: number): number => {
  let lines = 0
  for (let i = 0; i < most && window.has(1); i++) {
    const byte = window.bytes[window.start]
    if (byte !== LF && byte !== CR) break
    if (byte === LF) lines++
    window.advance(1)
  }
  return lines
}

/** The values of wanted fields, in the order of their names. */
export type Fields = readonly (string | undefined)[]

/**
 * Reads the fields of those names, in lower case, from the lines of a head: the first of each name, folded lines joined by a
 * blank. Lines that are no fields are passed over.
 */
export const fieldReader = (
  names: readonly string[],
): ((bytes: Buffer, from: number, to: number) => Fields) => {
  // Most names are not wanted: their length tells so without a copy.
  const isLength: boolean[] = []
  for (const name of names) isLength[name.length] = true
  return (bytes, from, to) => {
    const text = bytes.toString('latin1', from, to)
    const values = new Array<string | undefined>(names.length).fill(undefined)
    for (let start = 0; start < text.length; ) {
      const colon = text.indexOf(':', start)
      if (colon < 0) break
      let end = lineEnd(text, start)
      if (isLength[colon - start] && colon < end) {
        const index = names.indexOf(text.slice(start, colon).toLowerCase())
        if (index >= 0 && values[index] === undefined) {
          const first = end
          while (isFolded(text, end + 1)) end = lineEnd(text, end + 1)
          const value = text.slice(colon + 1, end).trim()
          values[index] = end === first ? value : value.replaceAll(/\s*\n\s*/g, ' ')
        }
      }
      start = end + 1
    }
    return values
  }
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** A line that begins with a blank belongs to the one before. */
const isFolded = (text: string, start: number): boolean => text[start] === ' ' || text[start] === '\t'
