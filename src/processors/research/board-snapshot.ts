import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Board } from '../../domain/research/selection/board.ts'
import { boardParts, readBoard } from '../../domain/research/selection/create-board.ts'

/*
 * The board as it was behind an event, after one line of JSON that says which event of which log that was. The event proves
 * that the log is still the same: one that was put back from an older copy has another in its place, or none.
 */

const Header = t.type({
  format: t.literal(1),
  /** Identity of the log. */
  log: t.string,
  /** The last event that is folded in. Numbers are decimal text. */
  last: t.type({
    stream: t.string,
    revision: t.string,
    id: t.string,
    position: t.string,
    recordedAt: t.string,
  }),
  /** The time it was brought to; what was so before is no more to be told from it. */
  advancedTo: t.string,
})
export type SnapshotHeader = Omit<t.TypeOf<typeof Header>, 'format'>

const newline = 10

export function* snapshotParts(header: SnapshotHeader, board: Board): Generator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify({ format: 1, ...header })}\n`)
  yield* boardParts(board)
}

export interface BoardSnapshot {
  readonly header: SnapshotHeader
  /** Undefined where the board is of another version. */
  readonly board: () => Board | undefined
}

/** Undefined where it is of another version, or nonsense. */
export const readSnapshot = (bytes: Uint8Array): BoardSnapshot | undefined => {
  const end = bytes.indexOf(newline)
  if (end < 0) return undefined
  const header = headerOf(Buffer.from(bytes.subarray(0, end)).toString())
  // As plain bytes: copies of a Buffer's parts are not what they are elsewhere.
  const board = new Uint8Array(bytes.buffer, bytes.byteOffset + end + 1, bytes.byteLength - end - 1)
  return header && { header, board: () => readBoard(board) }
}

const headerOf = (text: string): SnapshotHeader | undefined => {
  try {
    const decoded = Header.decode(JSON.parse(text))
    return isLeft(decoded) ? undefined : decoded.right
  } catch {
    return undefined
  }
}
