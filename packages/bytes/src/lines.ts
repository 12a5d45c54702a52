import type { TextDecoder as Decoder } from 'node:util'

/** Bytes of the longest line: the longest address and the longest path fit, however they are escaped. */
const maxLineBytes = 64 * 1024

const byteOrderMark = '\uFEFF'
const lineFeed = 10
const carriageReturn = 13

export interface TextLine {
  /** From 1. */
  readonly number: number
  /** Without its end (LF, CR or CR LF); undefined if longer than 64 KiB, or not text in the encoding. */
  readonly text: string | undefined
}

/**
 * Splits a text into lines, in the memory of one line. A line ends with LF, CR or CR LF, also where they are mixed.
 * Drops a byte order mark at its beginning.
 */
export interface LineSplitter {
  /**
   * Yields the lines that end in this chunk. Must be read to the end before the next chunk. Throws
   * `TypeError` if UTF-16 is malformed.
   */
  push(chunk: Uint8Array): Generator<TextLine>
  /** Yields the last line, if it has no end. */
  end(): Generator<TextLine>
}

/**
 * Accepts every encoding of `TextDecoder`; throws `RangeError` for others. Without one, a text is UTF-8, or UTF-16 if it
 * begins with its byte order mark, as Windows writes it.
 */
export const createLineSplitter = (encoding?: string): LineSplitter => {
  const utf8 = createTranscoder(encoding)
  const decoder = new TextDecoder(isUtf16(encoding) ? 'utf-8' : encoding, { fatal: true, ignoreBOM: true })
  let number = 0
  let begun: Uint8Array<ArrayBufferLike> = new Uint8Array()
  /** The line feed of a CR LF that two chunks share. */
  let skipsLineFeed = false

  const finish = (end: Uint8Array): TextLine => {
    const line = begun.length === 0 ? end : Buffer.concat([begun, end])
    begun = new Uint8Array()
    number += 1
    const text = line.length > maxLineBytes ? undefined : decode(decoder, line)
    return { number, text: number === 1 && text ? withoutMark(text) : text }
  }

  function* split(chunk: Uint8Array): Generator<TextLine> {
    if (chunk.length === 0) return
    let from = skipsLineFeed && chunk[0] === lineFeed ? 1 : 0
    skipsLineFeed = chunk[chunk.length - 1] === carriageReturn
    const ends = lineEnds(chunk, from)
    for (let end = ends(from); end; end = ends(from)) {
      yield finish(chunk.subarray(from, end.at))
      from = end.next
    }
    // One byte more than allowed is enough to know that the line is too long.
    begun = Buffer.concat([begun, chunk.subarray(from)]).subarray(0, maxLineBytes + 1)
  }

  return {
    push: (chunk) => split(utf8.push(chunk)),
    *end() {
      yield* split(utf8.end())
      if (begun.length > 0) yield finish(new Uint8Array())
    },
  }
}

/** Finds the line ends of a chunk, from left to right: each byte is looked at once for each kind of end. */
const lineEnds = (chunk: Uint8Array, start: number) => {
  let feed = chunk.indexOf(lineFeed, start)
  let carriage = chunk.indexOf(carriageReturn, start)
  return (from: number): { readonly at: number; readonly next: number } | undefined => {
    if (feed >= 0 && feed < from) feed = chunk.indexOf(lineFeed, from)
    if (carriage >= 0 && carriage < from) carriage = chunk.indexOf(carriageReturn, from)
    if (carriage < 0 && feed < 0) return undefined
    if (carriage < 0 || (feed >= 0 && feed < carriage)) return { at: feed, next: feed + 1 }
    return { at: carriage, next: feed === carriage + 1 ? feed + 1 : carriage + 1 }
  }
}

const withoutMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text)

/** The lines of a whole text, as `createLineSplitter` splits them; the last one may be empty. */
export const linesOf = (text: string): string[] => withoutMark(text).split(/\r\n|\n|\r/)

/** The lines of a text of no declared encoding. */
export async function* textLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  const lines = createLineSplitter()
  for await (const chunk of bytes) yield* lines.push(chunk)
  yield* lines.end()
}

/** Returns the label to decode a text with: `UTF-16` leaves the byte order to the byte order mark. */
export const encodingOf = (label: string, text: Uint8Array): string =>
  /^utf-?16/i.test(label) && text[0] === 0xfe && text[1] === 0xff ? 'utf-16be' : label

const isUtf16 = (encoding: string | undefined): boolean => /^utf-16/.test(new TextDecoder(encoding).encoding)

/** Converts UTF-16 to UTF-8, in which line ends are single bytes; leaves other encodings as they are. */
const createTranscoder = (encoding: string | undefined) => {
  /** The first bytes, until they can hold a byte order mark. */
  let beginning: Uint8Array | undefined = new Uint8Array()
  let decoder: Decoder | undefined
  const convert = (bytes: Uint8Array): Uint8Array =>
    decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes
  return {
    push: (chunk: Uint8Array): Uint8Array => {
      if (!beginning) return convert(chunk)
      const bytes = beginning.length === 0 ? chunk : Buffer.concat([beginning, chunk])
      beginning = bytes.length < markBytes ? Uint8Array.from(bytes) : undefined
      if (beginning) return new Uint8Array()
      decoder = utf16Decoder(encoding, bytes)
      return convert(bytes)
    },
    end: (): Uint8Array => beginning ?? new Uint8Array(),
  }
}

const markBytes = 2

/** By the byte order mark if the label does not state the byte order. */
const utf16Decoder = (encoding: string | undefined, text: Uint8Array): Decoder | undefined => {
  const hasMark = (text[0] === 0xff && text[1] === 0xfe) || (text[0] === 0xfe && text[1] === 0xff)
  const label = encoding ?? (hasMark ? 'utf-16' : 'utf-8')
  return isUtf16(label)
    ? new TextDecoder(encodingOf(label, text), { fatal: true, ignoreBOM: true })
    : undefined
}

const decode = (decoder: Decoder, bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
