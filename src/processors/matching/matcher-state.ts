import type { FactRef } from '../../domain/matching/graph/events.ts'
import type { Graph } from '../../domain/matching/graph/graph.ts'
import { type InMemoryModel, loadModel, type ModelSources } from '../runtime/in-memory-model.ts'
import { graphModel } from './graph-model.ts'
import { type GraphStreams, publishedThrough } from './graph-streams.ts'
import { type KnownGenerations, readGenerations, syncGraphStreams } from './known-generations.ts'
import { touchUnfinished } from './unfinished-changes.ts'

/** The matcher's state, from the log. */
export interface MatcherState extends InMemoryModel {
  readonly graph: Graph
  known: KnownGenerations
  readonly streams: GraphStreams
  /** The last fact that is folded in, and its position. */
  last: FactRef | undefined
  lastAt: bigint
  /** Placeholders in unfinished changes: they may not be placeholders any more. */
  unfinishedPlaceholders: readonly string[]
  /** True until a change contains all facts of the unfinished ones. */
  hasUnfinished: boolean
}

/**
 * Loads the graph as it was last published: from the snapshot, and the facts since. Works in unfinished changes are
 * marked to be published again. Throws `UnavailableError`, also when `signal` aborts.
 */
export const loadMatcherState = async (sources: ModelSources, signal: AbortSignal): Promise<MatcherState> => {
  const { eventStore } = sources
  const known = await readGenerations(eventStore)
  const streams: GraphStreams = new Map()
  await syncGraphStreams(eventStore, known, streams)
  const { through, last } = publishedThrough(streams)

  const { log, graph, unsaved } = await loadModel(graphModel(streams), sources, signal, { position: through })
  // They were all published before.
  graph.take()
  const unfinishedPlaceholders = await touchUnfinished(eventStore, graph, streams, through)
  return {
    log,
    graph,
    known,
    streams,
    folded: through,
    last,
    lastAt: through,
    unfinishedPlaceholders,
    hasUnfinished: graph.pending > 0,
    unsaved,
  }
}
