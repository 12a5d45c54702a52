import { randomInt } from 'node:crypto'
import * as t from 'io-ts'
import { type Graph, readGraph } from '../../domain/matching/graph/graph.ts'
import { snapshotFormat } from '../runtime/snapshot.ts'

/*
 * One line of JSON, then the graph as it was once all facts up to a position had been published. The line says which
 * position of which log that is, and which event published them: a log that was put back from an older copy has another.
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

export const matcherSnapshot = snapshotFormat(Header, {
  read: (body) => readGraph(body, randomInt(2 ** 31)),
  write: (graph: Graph) => graph.parts(),
})
