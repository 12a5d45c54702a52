import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/* Bytes behind one line of JSON that says what they are: how snapshots are kept. */

const newline = 10

export function* writeHeaded(header: object, body: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(header)}\n`)
  yield* body
}

/** Undefined where the first line is not such a header. */
export const readHeaded = <Header>(
  codec: t.Decoder<unknown, Header>,
  bytes: Uint8Array,
): { readonly header: Header; readonly body: Uint8Array } | undefined => {
  const end = bytes.indexOf(newline)
  if (end < 0) return undefined
  try {
    const decoded = codec.decode(JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()))
    if (isLeft(decoded)) return undefined
    // Plain bytes: copies of a Buffer's parts are not what they are elsewhere.
    const body = new Uint8Array(bytes.buffer, bytes.byteOffset + end + 1, bytes.byteLength - end - 1)
    return { header: decoded.right, body }
  } catch {
    return undefined
  }
}
