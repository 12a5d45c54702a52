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

export type Fields<Name extends string> = { readonly [name in Name]?: string }

/**
 * Reads the fields of those names, in lower case, from the lines of a head: the first of each name, folded lines joined by a
 * blank. Lines that are no fields are passed over.
 */
export const fieldReader = <Name extends string>(
  names: readonly Name[],
): ((text: string, from: number) => Fields<Name>) => {
  // Most names are not wanted: their length tells so without a copy.
  const byLength: (readonly Name[] | undefined)[] = []
  for (const name of names) byLength[name.length] = [...(byLength[name.length] ?? []), name]
  return (text, from) => {
    const fields: { [name in Name]?: string } = {}
    for (let start = from; start < text.length; ) {
      const newline = text.indexOf('\n', start)
      let end = newline < 0 ? text.length : newline
      const next = end + 1
      const colon = text.indexOf(':', start)
      if (colon < 0) break
      const wanted = colon < end ? byLength[nameEnd(text, start, colon) - start] : undefined
      if (wanted) {
        const found = text.slice(start, nameEnd(text, start, colon)).toLowerCase()
        const name = wanted.find((one) => one === found)
        if (name !== undefined && fields[name] === undefined) {
          end = foldedEnd(text, end)
          fields[name] = fieldValue(text.slice(colon + 1, end))
          start = end + 1
          continue
        }
      }
      start = next
    }
    return fields
  }
}

/** Blanks before a colon are tolerated. */
const nameEnd = (text: string, start: number, colon: number): number => {
  let end = colon
  while (end > start && text.charCodeAt(end - 1) === 32) end--
  return end
}

/** Lines that begin with a blank belong to the one before. */
const foldedEnd = (text: string, lineEnd: number): number => {
  let end = lineEnd
  while (text[end + 1] === ' ' || text[end + 1] === '\t') {
    if (isEmptyLine(text, end + 1)) break
    const newline = text.indexOf('\n', end + 1)
    end = newline < 0 ? text.length : newline
  }
  return end
}

const isEmptyLine = (text: string, start: number): boolean => text[start] === '\r' || text[start] === '\n'

const fieldValue = (raw: string): string => {
  const value = raw.trim()
  return value.includes('\n') ? value.replaceAll(/\s*\n\s*/g, ' ') : value
}
