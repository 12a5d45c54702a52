import type { ByteWindow } from '../bytes/byte-window.ts'

const tab = 9
const LF = 10
const CR = 13
const space = 32

/**
 * Length of the head at the start of the window, including its empty line. Lines end with LF, and any number
 * of CR before it. Examines at most `limit` bytes; -1 if they have no empty line, or do not fit into the window.
 */
export const headLength = (window: ByteWindow, limit: number): number => {
  let length = 0
  let lineStart = 0
  for (;;) {
    const { bytes, start } = window
    const stop = Math.min(window.available, limit)
    for (; length < stop; length++) {
      if (bytes[start + length] !== LF) continue
      let at = lineStart
      while (bytes[start + at] === CR) at++
      if (at === length) return length + 1
      lineStart = length + 1
    }
    if (length >= limit || !window.more()) return -1
  }
}

/** Skips line ends, at most `most` bytes. Returns the number of empty lines. */
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

/** A head as text, one character per byte. */
export interface Head {
  /** Text that begins with the head; more may follow. */
  readonly text: string
  /** Length of the head with its empty line, in characters; -1 if the text has no empty line. */
  readonly length: number
  readonly fields: Fields
}

/** Bytes of nearly every head: it is read without first searching for its end. */
const usualLength = 768

/** Reads a head at the start of the window, at most `limit` bytes; undefined if `headLength` finds none. */
export const headReader = (
  names: readonly string[],
): ((window: ByteWindow, limit: number) => Head | undefined) => {
  const readText = headParser(names)
  const readBytes = (window: ByteWindow, length: number): Head =>
    readText(window.latin1(window.start, window.start + length))
  return (window, limit) => {
    const head = readBytes(window, Math.min(window.available, limit, usualLength))
    if (head.length >= 0) return head
    const length = headLength(window, limit)
    return length < 0 ? undefined : readBytes(window, length)
  }
}

/**
 * Reads fields by their names, in lower case, from the lines of a text up to its first empty line: the first
 * of each name that is not empty, with folded lines joined by a blank. Blanks may stand before the colon.
 * Skips lines that are not fields.
 */
export const headParser = (names: readonly string[]): ((text: string) => Head) => {
  // Most names are not wanted, which their length shows.
  const ofLength: number[][] = []
  names.forEach(({ length }, index) => {
    ofLength[length] = [...(ofLength[length] ?? []), index]
  })

  const wantedAt = (text: string, start: number, end: number): number => {
    for (const index of ofLength[end - start] ?? []) if (isName(text, start, names[index]!)) return index
    return -1
  }

  return (text) => {
    const fields = new Array<string | undefined>(names.length).fill(undefined)
    let colon = -1
    for (let start = 0; start < text.length; ) {
      let end = lineEnd(text, start)
      if (isEmptyLine(text, start, end)) return { text, length: end + 1, fields }
      if (colon < start) colon = endOr(text, text.indexOf(':', start))
      const index =
        colon < end
          ? wantedAt(text, start, text.charCodeAt(colon - 1) > space ? colon : nameEnd(text, start, colon))
          : -1
      if (index >= 0 && !fields[index]) {
        let value = trimmed(text, colon + 1, end)
        while (isFolded(text, end + 1)) {
          const from = end + 1
          end = lineEnd(text, from)
          value = joined(value, trimmed(text, from, end))
        }
        fields[index] = value
      }
      start = end + 1
    }
    return { text, length: -1, fields }
  }
}

/** Returns true if the text has the name there, in any case. */
const isName = (text: string, start: number, name: string): boolean => {
  for (let i = 0; i < name.length; i++)
    if ((text.charCodeAt(start + i) | 0x20) !== name.charCodeAt(i)) return false
  return true
}

const endOr = (text: string, at: number): number => (at < 0 ? text.length : at)
const lineEnd = (text: string, from: number): number => endOr(text, text.indexOf('\n', from))

const isEmptyLine = (text: string, start: number, end: number): boolean =>
  end - start <= maxReturns && end < text.length && hasOnlyReturns(text, start, end)

/** Line ends have one CR, or none, or a few. */
const maxReturns = 3

const hasOnlyReturns = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) !== CR) return false
  return true
}

/** End of the name before a colon that blanks stand before. */
const nameEnd = (text: string, start: number, colon: number): number => {
  let end = colon
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return end
}

/** Returns true for a line that begins with a blank and so continues the one before. */
const isFolded = (text: string, start: number): boolean =>
  text.charCodeAt(start) === space || text.charCodeAt(start) === tab

const joined = (a: string, b: string): string => (a === '' ? b : b === '' ? a : `${a} ${b}`)

/** Trims blanks; `trim` would take the last byte of an `à` in UTF-8 for one. */
const trimmed = (text: string, start: number, end: number): string => {
  let [from, to] = [start, end]
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

const isBlank = (code: number): boolean => code === space || (code >= tab && code <= CR)
