import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/* The stored format of snapshots: one line of JSON, the header, then the model as bytes. */

/** Identifies the folded events: a snapshot is of one log, as it was then. */
export interface SnapshotHeader {
  readonly format: 1
  /** Identity of the log. */
  readonly log: string
}

export interface Snapshot<Header, Body> {
  readonly header: Header
  readonly body: Body
}

const newline = 10

export function* writeSnapshot({
  header,
  body,
}: Snapshot<SnapshotHeader, Iterable<Uint8Array>>): Generator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(header)}\n`)
  yield* body
}

/** Undefined if the first line is not such a header. */
export const readSnapshot = <Header>(
  codec: t.Decoder<unknown, Header>,
  bytes: Uint8Array,
): Snapshot<Header, Uint8Array> | undefined => {
  const end = bytes.indexOf(newline)
  if (end < 0) return undefined
  try {
    const decoded = codec.decode(JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()))
    if (isLeft(decoded)) return undefined
    // A Uint8Array: its `slice` copies, while that of a Buffer shares memory.
    const body = new Uint8Array(bytes.buffer, bytes.byteOffset + end + 1, bytes.byteLength - end - 1)
    return { header: decoded.right, body }
  } catch {
    return undefined
  }
}
