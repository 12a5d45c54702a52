import type { ByteWindow } from '../bytes/byte-window.ts'

const tab = 9
const LF = 10
const CR = 13
const space = 32

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

/** A character a byte. */
export interface Head {
  /** Begins with the head; more may stand behind it. */
  readonly text: string
  /** Length of the head with its empty line, in characters; -1 if the text has no empty line. */
  readonly length: number
  readonly fields: Fields
}

/** Nearly every head is shorter: it is read without looking for its end first. */
const usualLength = 768

/** Reads a head at the start of the window, no more than `limit` bytes; undefined where `headLength` gives none. */
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
 * Reads the fields of those names, in lower case, from the lines of a text, up to its first empty line: the first of each name,
 * folded lines joined by a blank. Lines that are no fields are passed over.
 */
export const headParser = (names: readonly string[]): ((text: string) => Head) => {
  // Most names are not wanted: their length tells so.
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
      const index = colon < end ? wantedAt(text, start, colon) : -1
      if (index >= 0 && fields[index] === undefined) {
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

/** Whether the name stands there, whatever its case. */
const isName = (text: string, start: number, name: string): boolean => {
  for (let i = 0; i < name.length; i++)
    if ((text.charCodeAt(start + i) | 0x20) !== name.charCodeAt(i)) return false
  return true
}

const endOr = (text: string, at: number): number => (at < 0 ? text.length : at)
const lineEnd = (text: string, from: number): number => endOr(text, text.indexOf('\n', from))

const isEmptyLine = (text: string, start: number, end: number): boolean =>
  end < text.length && (end === start || (end === start + 1 && text.charCodeAt(start) === CR))

/** A line that begins with a blank belongs to the one before. */
const isFolded = (text: string, start: number): boolean =>
  text.charCodeAt(start) === space || text.charCodeAt(start) === tab

const joined = (a: string, b: string): string => (a === '' ? b : b === '' ? a : `${a} ${b}`)

/** Not by `trim`, to which the last byte of an `à` in UTF-8 is a blank. */
const trimmed = (text: string, start: number, end: number): string => {
  let [from, to] = [start, end]
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

const isBlank = (code: number): boolean => code === space || (code >= tab && code <= CR)
