import type { TextDecoder as Decoder } from 'node:util'

/** Bytes of the longest line: the longest address and the longest path fit, however they are escaped. */
const maxLineBytes = 64 * 1024

const lineFeed = 10

export interface TextLine {
  /** From 1. */
  readonly number: number
  /** Without its end (LF or CR LF); undefined if longer than 64 KiB, or not text in the encoding. */
  readonly text: string | undefined
}

/** Splits a text into lines, in the memory of one line. Drops a byte order mark at its beginning. */
export interface LineSplitter {
  /**
   * Yields the lines that end in this chunk. Must be read to the end before the next chunk. Throws
   * `TypeError` if UTF-16 is malformed.
   */
  push(chunk: Uint8Array): Generator<TextLine>
  /** Yields the last line, if it has no end. */
  end(): Generator<TextLine>
}

/** Accepts every encoding of `TextDecoder`; throws `RangeError` for others. */
export const createLineSplitter = (encoding = 'utf-8'): LineSplitter => {
  const transcode = transcoder(encoding)
  const decoder = new TextDecoder(transcode ? 'utf-8' : encoding, { fatal: true, ignoreBOM: true })
  let number = 0
  let begun: Uint8Array<ArrayBufferLike> = new Uint8Array()

  const finish = (end: Uint8Array): TextLine => {
    const line = begun.length === 0 ? end : Buffer.concat([begun, end])
    begun = new Uint8Array()
    number += 1
    const text = line.length > maxLineBytes ? undefined : decode(decoder, line)
    return { number, text: text?.replace(number === 1 ? /^\uFEFF/ : '', '').replace(/\r$/, '') }
  }

  function* split(chunk: Uint8Array): Generator<TextLine> {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      yield finish(chunk.subarray(from, at))
      from = at + 1
    }
    // One byte more than allowed is enough to know that the line is too long.
    begun = Buffer.concat([begun, chunk.subarray(from)]).subarray(0, maxLineBytes + 1)
  }

  return {
    push: (chunk) => split(transcode ? transcode(chunk) : chunk),
    *end() {
      if (begun.length > 0) yield finish(new Uint8Array())
    },
  }
}

/** The lines of a text in UTF-8. */
export async function* textLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  const lines = createLineSplitter()
  for await (const chunk of bytes) yield* lines.push(chunk)
  yield* lines.end()
}

/** Returns the label to decode a text with: `UTF-16` leaves the byte order to the byte order mark. */
export const encodingOf = (label: string, text: Uint8Array): string =>
  /^utf-?16/i.test(label) && text[0] === 0xfe && text[1] === 0xff ? 'utf-16be' : label

/** Converts UTF-16 to UTF-8, in which line ends are single bytes; undefined for other encodings. */
const transcoder = (encoding: string): ((chunk: Uint8Array) => Uint8Array) | undefined => {
  if (!/^utf-16/i.test(new TextDecoder(encoding).encoding)) return undefined
  let decoder: Decoder | undefined
  return (chunk) => {
    // By the byte order mark if the label does not state the byte order.
    decoder ??= new TextDecoder(encodingOf(encoding, chunk), { fatal: true, ignoreBOM: true })
    return Buffer.from(decoder.decode(chunk, { stream: true }))
  }
}

const decode = (decoder: Decoder, bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
