import { utf8Text } from './utf8.ts'

/** Bytes; the longest address and the longest name fit. */
const maxLineBytes = 64 * 1024

const lineFeed = 10

export interface TextLine {
  /** From 1. */
  readonly number: number
  /** Without its end (LF or CR LF); undefined where it is too long, or no UTF-8. */
  readonly text: string | undefined
}

/** The lines of a text, in the memory of one line. A byte order mark at its beginning is no part of it. */
export async function* textLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  let number = 0
  let begun: Uint8Array<ArrayBufferLike> = new Uint8Array()

  const finish = (end: Uint8Array): TextLine => {
    const line = begun.length === 0 ? end : Buffer.concat([begun, end])
    begun = new Uint8Array()
    number += 1
    const text = line.length > maxLineBytes ? undefined : utf8Text(line)
    return { number, text: text?.replace(number === 1 ? /^\uFEFF/ : '', '').replace(/\r$/, '') }
  }

  for await (const chunk of bytes) {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      yield finish(chunk.subarray(from, at))
      from = at + 1
    }
    // One byte more than allowed is enough to know that the line is too long.
    begun = Buffer.concat([begun, chunk.subarray(from)]).subarray(0, maxLineBytes + 1)
  }
  if (begun.length > 0) yield finish(new Uint8Array())
}
