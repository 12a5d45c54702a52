import { randomInt } from 'node:crypto'
import { orThrow } from '../../async/unavailable.ts'
import type { FactRef } from '../../domain/matching/graph/events.ts'
import { createGraph, type Graph } from '../../domain/matching/graph/graph.ts'
import { category } from '../../domain/matching/work.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import { logPages } from '../runtime/log-pages.ts'
import { type GraphStreams, publishedThrough, readBackward } from './graph-streams.ts'
import { type KnownGenerations, readGenerations, syncGraphStreams } from './known-generations.ts'
import { matcherSnapshot } from './matcher-snapshot.ts'
import { touchUnfinished } from './unfinished-changes.ts'
import { applyWorkEvent } from './work-facts.ts'

/** All that the matcher knows, from the log. */
export interface MatcherState {
  /** Identity of the log. */
  readonly log: string
  readonly graph: Graph
  known: KnownGenerations
  readonly streams: GraphStreams
  /** The log is folded in up to here. */
  folded: bigint
  /** The last fact that is, and its position. */
  last: FactRef | undefined
  lastAt: bigint
  /** Placeholders in changes that were not finished: they may be none by now. */
  unfinishedPlaceholders: readonly string[]
  /** Facts folded in that the snapshot lacks. */
  unsaved: number
}

/**
 * The graph as it was published last: from the snapshot, and the facts that came since. What is in a change that was not
 * finished is to be published again. Throws `UnavailableError`, also when `signal` aborts.
 */
export const loadMatcherState = async (
  name: string,
  eventStore: EventStore,
  snapshots: SnapshotStore,
  signal: AbortSignal,
): Promise<MatcherState> => {
  const log = await orThrow(eventStore.identity())
  const known = await readGenerations(eventStore)
  const streams: GraphStreams = new Map()
  await syncGraphStreams(eventStore, known, streams)
  const { through, last } = publishedThrough(streams)

  const saved = await loadSnapshot(name, snapshots, log, through, eventStore)
  const graph = saved?.graph ?? createGraph(randomInt(2 ** 31))
  const unsaved = await foldFacts(graph, saved?.through ?? -1n, through, eventStore, signal)
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
    unsaved,
  }
}

interface SavedGraph {
  readonly graph: Graph
  readonly through: bigint
}

/** Undefined where there is none, or where it is not of this log as it is now. */
const loadSnapshot = async (
  name: string,
  snapshots: SnapshotStore,
  log: string,
  published: bigint,
  eventStore: EventStore,
): Promise<SavedGraph | undefined> => {
  const saved = await matcherSnapshot.load(snapshots, name, log, async ({ through, head }) => {
    if (BigInt(through) > published) return false
    const [event] = await readBackward(eventStore, head.generation, BigInt(head.revision), 1)
    return event?.id === head.id
  })
  return saved && { graph: saved.model, through: BigInt(saved.header.through) }
}

/** Brings the facts between two positions into the graph; gives their number. */
const foldFacts = async (
  graph: Graph,
  after: bigint,
  through: bigint,
  eventStore: EventStore,
  signal: AbortSignal,
): Promise<number> => {
  let folded = 0
  if (after >= through) return folded
  for await (const { events, position } of logPages(eventStore, after, { categories: [category] }, signal)) {
    for (const event of events) {
      if (event.position > through) return folded
      applyWorkEvent(graph, event)
      folded++
    }
    if (position >= through) break
  }
  return folded
}
