import { randomInt } from 'node:crypto'
import * as t from 'io-ts'
import { type Graph, readGraph } from '../../domain/matching/graph/graph.ts'
import { readHeaded, writeHeaded } from '../runtime/headed.ts'

/*
 * The graph as it was once all facts up to a place had been told, behind one line of JSON that says which place of which
 * log that is. The event that told them proves that the log is still the same: one that was put back from an older copy
 * has another.
 */

const Header = t.type({
  format: t.literal(1),
  /** Identity of the log. */
  log: t.string,
  /** Facts up to here are folded in. Decimal text. */
  through: t.string,
  /** Where the graph stream of a generation stood then: its last event. */
  head: t.type({ generation: t.number, revision: t.string, id: t.string }),
})
export type SnapshotHeader = Omit<t.TypeOf<typeof Header>, 'format'>

export const snapshotParts = (header: SnapshotHeader, graph: Graph): Iterable<Uint8Array> =>
  writeHeaded({ format: 1, ...header }, graph.parts())

export interface Snapshot {
  readonly header: SnapshotHeader
  /** Undefined where the graph is of another version. */
  readonly graph: () => Graph | undefined
}

/** Undefined where it is of another version, or nonsense. */
export const readSnapshot = (bytes: Uint8Array): Snapshot | undefined => {
  const read = readHeaded(Header, bytes)
  return read && { header: read.header, graph: () => readGraph(read.body, randomInt(2 ** 31)) }
}
