import * as t from 'io-ts'
import { EventPlace } from '../../domain/kernel/event-place.ts'
import type { Board } from '../../domain/research/selection/board.ts'
import { boardParts, readBoard } from '../../domain/research/selection/create-board.ts'
import { readHeaded, writeHeaded } from '../runtime/headed.ts'

/*
 * The board as it was behind an event, after one line of JSON that says which event of which log that was. The event proves
 * that the log is still the same: one that was put back from an older copy has another in its place, or none.
 */

const Header = t.type({
  format: t.literal(1),
  /** Identity of the log. */
  log: t.string,
  /** The last event that is folded in. */
  last: EventPlace,
  /** The time it was brought to; what was so before is no more to be told from it. */
  advancedTo: t.string,
})
export type SnapshotHeader = Omit<t.TypeOf<typeof Header>, 'format'>

export const snapshotParts = (header: SnapshotHeader, board: Board): Iterable<Uint8Array> =>
  writeHeaded({ format: 1, ...header }, boardParts(board))

export interface BoardSnapshot {
  readonly header: SnapshotHeader
  /** Undefined where the board is of another version. */
  readonly board: () => Board | undefined
}

/** Undefined where it is of another version, or nonsense. */
export const readSnapshot = (bytes: Uint8Array): BoardSnapshot | undefined => {
  const read = readHeaded(Header, bytes)
  return read && { header: read.header, board: () => readBoard(read.body) }
}
