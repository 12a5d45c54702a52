import type { TextDecoder as Decoder } from 'node:util'
import type { ContentFailure, ContentStore } from '../../ports/content-store.ts'
import { encodingOf } from '../bagit/declaration.ts'

/** Bytes. The longest path there is fits, however it is escaped; anything beyond is no manifest line. */
const maxLineBytes = 64 * 1024

const lineFeed = 10
const byteOrderMark = /^\uFEFF/

/** The line without its end; undefined where it is too long or not text in the manifest's encoding. */
type OnLine = (line: string | undefined, number: number) => void

/** Reads text content line by line (LF or CR LF), lines numbered from 1, in the memory of one line. */
export const readLines = async (
  store: ContentStore,
  path: string,
  encoding: string,
  onLine: OnLine,
): Promise<ContentFailure | undefined> => {
  const transcode = transcoder(encoding)
  const decoder = new TextDecoder(transcode ? 'utf-8' : encoding, { fatal: true, ignoreBOM: true })
  let isText = true
  let number = 0
  let begun: Uint8Array<ArrayBufferLike> = new Uint8Array()

  /** Nothing more, once it is no text. */
  const inUtf8 = (bytes: Uint8Array): Uint8Array => {
    try {
      if (isText) return transcode ? transcode(bytes) : bytes
    } catch {
      isText = false
    }
    return new Uint8Array()
  }
  const finish = (end: Uint8Array) => {
    const bytes = begun.length === 0 ? end : Buffer.concat([begun, end])
    begun = new Uint8Array()
    number++
    const line = bytes.length > maxLineBytes ? undefined : decode(decoder, bytes)
    onLine(line?.replace(number === 1 ? byteOrderMark : '', '').replace(/\r$/, ''), number)
  }

  const read = await store.read(path, {}, (bytes) => {
    const chunk = inUtf8(bytes)
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      finish(chunk.subarray(from, at))
      from = at + 1
    }
    // One byte more than allowed is enough to know that the line is too long.
    begun = Buffer.concat([begun, chunk.subarray(from)]).subarray(0, maxLineBytes + 1)
  })()
  if (read._tag === 'Left') return read.left
  if (!isText) return { kind: 'Unreadable', path, reason: `it is not ${encoding} text` }
  if (begun.length > 0) finish(new Uint8Array())
  return undefined
}

/** UTF-16 as UTF-8, in which line ends are single bytes; undefined of encodings in which they are already. Throws `TypeError`. */
const transcoder = (encoding: string): ((chunk: Uint8Array) => Uint8Array) | undefined => {
  if (!/^utf-16/i.test(new TextDecoder(encoding).encoding)) return undefined
  let decoder: Decoder | undefined
  return (chunk) => {
    // By its byte order mark, where the name does not say it.
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
