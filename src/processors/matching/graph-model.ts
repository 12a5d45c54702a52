import { randomInt } from 'node:crypto'
import * as t from 'io-ts'
import { createGraph, type Graph, readGraph } from '../../domain/matching/graph/graph.ts'
import { category } from '../../domain/matching/work.ts'
import type { InMemoryModel, ModelDefinition } from '../runtime/in-memory-model.ts'
import { type GraphStreams, publishedThrough, readBackward } from './graph-streams.ts'
import { applyWorkEvent } from './work-facts.ts'

/** Also the name of the graph's snapshot. */
export const matcherName = 'matching-matcher'

interface GraphModel extends InMemoryModel {
  readonly graph: Graph
}

/**
 * Names the position up to which facts are folded in, and the event that published them. It proves that the log is
 * still the same: a log restored from an older copy has another event in its place, or none.
 */
const Header = t.type({
  format: t.literal(1),
  /** Identity of the log. */
  log: t.string,
  /** Facts up to here are folded in. Decimal text. */
  through: t.string,
  /** Last event of a generation's graph stream at that time. */
  head: t.type({ generation: t.number, revision: t.string, id: t.string }),
})
type Header = t.TypeOf<typeof Header>

/** The graph of all published facts; `streams` determine which those are. */
export const graphModel = (streams: GraphStreams): ModelDefinition<GraphModel, Header> => ({
  name: matcherName,
  filter: { categories: [category] },
  initial: (log) => ({ log, graph: createGraph(seed()), folded: -1n, unsaved: 0 }),
  evolve: ({ graph }, event) => void applyWorkEvent(graph, event),
  header: Header,
  holds: async ({ through, head }, eventStore) => {
    if (BigInt(through) > publishedThrough(streams).through) return false
    const [event] = await readBackward(eventStore, head.generation, BigInt(head.revision), 1)
    return event?.id === head.id
  },
  decode: ({ header: { log, through }, body }) => {
    const graph = readGraph(body, seed())
    return graph && { log, graph, folded: BigInt(through), unsaved: 0 }
  },
  encode: ({ log, graph }) => {
    const { through } = publishedThrough(streams)
    const witness = [...streams].find(([, stream]) => stream.revision >= 0n && stream.through === through)
    if (!witness) return undefined
    const [generation, { revision, id }] = witness
    const head = { generation, revision: `${revision}`, id }
    return { header: { format: 1, log, through: `${through}`, head }, body: graph.parts() }
  },
})

const seed = (): number => randomInt(2 ** 31)
