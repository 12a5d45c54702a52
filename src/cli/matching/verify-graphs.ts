import { isLeft } from 'fp-ts/lib/Either.js'
import { idOf } from '../../domain/kernel/event.ts'
import { workEvents } from '../../domain/matching/events.ts'
import type { Fact } from '../../domain/matching/graph/component.ts'
import { componentsOf } from '../../domain/matching/graph/components.ts'
import { type GraphEvent, graphEvents, graphStream } from '../../domain/matching/graph/events.ts'
import { category } from '../../domain/matching/work.ts'
import { Away } from '../../ports/away.ts'
import { livePosition } from '../../ports/view-store.ts'
import { factOf } from '../../processors/matching/facts.ts'
import { positionIn } from '../../processors/matching/heads.ts'
import { matching } from '../../projections/matching/projection.ts'
import { is } from '../../projections/matching/reading.ts'
import * as views from '../../projections/matching/views.ts'
import { orAway } from '../../projections/runtime/fold.ts'
import type { System } from '../../system/system.ts'
import { pagesOf } from '../query/pages.ts'

type Stores = Pick<System, 'eventStore' | 'viewStore'>

export interface Verified {
  /** By the records. */
  readonly components: number
  readonly works: number
  /** Components that the graphs do not have just so. */
  readonly differences: number
  /** The first few. */
  readonly examples: readonly Difference[]
}

/** A component by the records, and the graph that its first work is in; placeholders in brackets. */
export interface Difference {
  readonly expected: readonly string[]
  readonly found: readonly string[]
}

const mostExamples = 5
const batchSize = 10_000
const tries = 10

/**
 * M9: holds the graphs in the views against components found anew, by plain search, from the latest fact of each work up
 * to where the graphs have come. Throws `Away` where the views move on too fast.
 */
export const verifyGraphs = async (
  stores: Stores,
  generation: number,
  signal: AbortSignal,
): Promise<Verified> => {
  for (let i = 0; i < tries; i++) {
    const position = livePosition(stores.viewStore, matching.name)
    const through = await matchedThrough(stores, generation, position)
    const facts = await latestFacts(stores, through, signal)
    const graphs = graphsIn(stores, generation)
    // Facts do not change any more; graphs may, where another process folds.
    const moved = livePosition(stores.viewStore, matching.name)
    if (moved === position || (await matchedThrough(stores, generation, moved)) === through)
      return compare(facts, graphs)
  }
  throw new Away('the graphs change too fast to be compared; try again when less is coming in')
}

/** Up to where facts have come into the graphs that views of this position show; -1n for none. */
const matchedThrough = async (
  { eventStore }: Stores,
  generation: number,
  position: bigint,
): Promise<bigint> => {
  let from: bigint | 'end' = 'end'
  /** The event behind, which says for others of the same append up to where they come. */
  let behind: GraphEvent['data'] | undefined
  for (;;) {
    const read = await eventStore.read(graphStream(generation), from, 'backward', 100)()
    if (isLeft(read)) throw new Away(`the graphs of generation ${generation} cannot be read`)
    for (const recorded of read.right) {
      const event = graphEvents.read(recorded)
      if (isLeft(event)) throw new Error(event.left)
      const { data } = event.right
      const told: GraphEvent['data'] = data.last || behind?.through !== data.through ? data : behind
      if (recorded.position <= position) return positionIn(eventStore, told)
      behind = told
    }
    const first = read.right.at(-1)
    if (!first || first.revision === 0n) return -1n
    from = first.revision - 1n
  }
}

const filter = { categories: [category], types: ['WorkObserved', 'WorkCorrected'] }

const latestFacts = async (
  { eventStore }: Stores,
  through: bigint,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Fact>> => {
  const facts = new Map<string, Fact>()
  let after = -1n
  while (after < through) {
    signal.throwIfAborted()
    const batch = await orAway(eventStore.readAll(after, filter, batchSize))
    for (const recorded of batch.events) {
      if (recorded.position > through) break
      const read = workEvents.read(recorded)
      if (isLeft(read)) throw new Error(read.left)
      const event = read.right
      if (event.type !== 'WorkObserved' && event.type !== 'WorkCorrected') continue
      const id = idOf(recorded.stream)
      facts.set(id, factOf(id, Number(recorded.revision), event.data))
    }
    if (batch.caughtUp || batch.position <= after) break
    after = batch.position
  }
  return facts
}

interface Graph {
  /** As the views name and count it. */
  readonly component: unknown
  readonly size: unknown
  /** Its works, and its placeholders with a mark. */
  readonly ids: string[]
}

interface Graphs {
  readonly graphOf: ReadonlyMap<string, number>
  readonly graphs: ReadonlyMap<number, Graph>
}

const graphsIn = ({ viewStore }: Stores, generation: number): Graphs => {
  const ofIt = { where: [is('generation', generation)] }
  const graphs = new Map<number, Graph>()
  for (const page of pagesOf(viewStore, views.graphs, ofIt))
    for (const { graph, component, size } of page) graphs.set(graph as number, { component, size, ids: [] })
  const graphOf = new Map<string, number>()
  for (const page of pagesOf(viewStore, views.members, ofIt))
    for (const row of page) {
      const graph = row.graph as number
      const id = row.id as string
      graphOf.set(id, graph)
      if (!graphs.has(graph)) graphs.set(graph, { component: null, size: null, ids: [] })
      graphs.get(graph)?.ids.push(row.placeholder === 1 ? placeholder(id) : id)
    }
  return { graphOf, graphs }
}

const placeholder = (id: string): string => `(${id})`

const compare = (facts: ReadonlyMap<string, Fact>, { graphOf, graphs }: Graphs): Verified => {
  const components = componentsOf(facts.values())
  const examples: Difference[] = []
  let differences = 0
  const differ = (difference: Difference) => {
    differences++
    if (examples.length < mostExamples) examples.push(difference)
  }
  const compared = new Set<number>()
  for (const { members, placeholders } of components) {
    const component = members[0]![0]
    const number = graphOf.get(component)
    const graph = number === undefined ? undefined : graphs.get(number)
    if (number !== undefined) compared.add(number)
    const expected = [...members.map(([id]) => id), ...placeholders.map(placeholder)].sort()
    const found = (graph?.ids ?? []).toSorted()
    const isEqual = expected.length === found.length && expected.every((id, i) => id === found[i])
    if (!isEqual || graph?.component !== component || graph.size !== members.length)
      differ({ expected, found })
  }
  for (const [number, { ids }] of graphs) if (!compared.has(number)) differ({ expected: [], found: ids })
  return { components: components.length, works: facts.size, differences, examples }
}
