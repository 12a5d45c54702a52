import * as E from 'fp-ts/lib/Either.js'
import { livePosition } from '../../../async/caught-up.ts'
import { orThrow, UnavailableError } from '../../../async/unavailable.ts'
import { idOf } from '../../../domain/kernel/event.ts'
import { workEvents } from '../../../domain/matching/events.ts'
import { type Fact, factOf } from '../../../domain/matching/graph/component.ts'
import { type GraphEvent, graphEvents, graphStream } from '../../../domain/matching/graph/events.ts'
import { category } from '../../../domain/matching/work.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { matching } from '../projection.ts'
import type { Verified } from './answers.ts'
import { compareGraphs, graphsIn } from './compare-graphs.ts'
import { titleReader, titlesOf } from './titles.ts'

/**
 * Position in this log, which may be a copy, of the fact that an event of a graph stream names. Throws
 * `UnavailableError`.
 */
export type LocalPosition = (eventStore: EventStore, data: GraphEvent['data']) => Promise<bigint>

interface Stores {
  readonly eventStore: EventStore
  readonly viewStore: ViewStore
  readonly localPosition: LocalPosition
}

const batchSize = 10_000
const maxTries = 10

/**
 * M9: compares the graphs in the views with components computed again, by plain search, from the latest fact of each
 * work up to the position of the graphs. Throws `UnavailableError` if the views move too fast.
 */
export const verifyGraphs = async (
  stores: Stores,
  generation: number,
  signal: AbortSignal,
): Promise<Verified> => {
  for (let tried = 0; tried < maxTries; tried++) {
    const position = livePosition(stores.viewStore, matching.name)
    const through = await matchedThrough(stores, generation, position)
    const facts = await latestFacts(stores, through, signal)
    const graphs = graphsIn(stores.viewStore, generation)
    // The facts do not change any more; graphs may, if another process folds.
    const moved = livePosition(stores.viewStore, matching.name)
    if (moved === position || (await matchedThrough(stores, generation, moved)) === through)
      return withTitles(stores.viewStore, generation, compareGraphs(facts, graphs))
  }
  throw new UnavailableError('the graphs change too fast to be compared; try again when less is coming in')
}

const withTitles = (
  store: ViewStore,
  generation: number,
  compared: ReturnType<typeof compareGraphs>,
): Verified => {
  const ids = compared.examples.flatMap(({ expected, found }) => [...expected, ...found])
  return { generation, ...compared, titles: titlesOf(titleReader(store), ids) }
}

/** The position of the last fact that is in the graphs, as views of this position show them; -1n for none. */
const matchedThrough = async (
  { eventStore, localPosition }: Stores,
  generation: number,
  position: bigint,
): Promise<bigint> => {
  let from: bigint | 'end' = 'end'
  /** The next event, which has the position for the others of its append. */
  let behind: GraphEvent['data'] | undefined
  for (;;) {
    const read = await eventStore.read(graphStream(generation), from, 'backward', 100)()
    if (E.isLeft(read)) throw new UnavailableError(`the graphs of generation ${generation} cannot be read`)
    for (const recorded of read.right) {
      const event = graphEvents.read(recorded)
      if (E.isLeft(event)) throw new Error(event.left)
      const { data } = event.right
      const complete: GraphEvent['data'] = data.last || behind?.through !== data.through ? data : behind
      if (recorded.position <= position) return localPosition(eventStore, complete)
      behind = complete
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
    const batch = await orThrow(eventStore.readAll(after, filter, batchSize))
    for (const recorded of batch.events) {
      if (recorded.position > through) break
      const read = workEvents.read(recorded)
      if (E.isLeft(read)) throw new Error(read.left)
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
