import { randomInt } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Place } from '../../domain/matching/graph/events.ts'
import { type Graph, newGraph } from '../../domain/matching/graph/graph.ts'
import { category } from '../../domain/matching/work.ts'
import { Away } from '../../ports/away.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import { foldWork } from './facts.ts'
import { type Heads, readDown, toldThrough } from './heads.ts'
import { type KnownGenerations, keepHeads, readGenerations } from './known-generations.ts'
import { readSnapshot } from './matcher-snapshot.ts'
import { touchUnfinished } from './unfinished.ts'

/** All that the matcher knows, from the log. */
export interface Loaded {
  /** Identity of the log. */
  readonly log: string
  readonly graph: Graph
  known: KnownGenerations
  readonly heads: Heads
  /** The log is folded in up to here. */
  folded: bigint
  /** The last fact that is, and its position. */
  last: Place | undefined
  lastAt: bigint
  /** Placeholders that were told of behind that, and may be none by now. */
  doubtful: readonly string[]
  /** Facts folded in that the snapshot lacks. */
  unsaved: number
}

const pageSize = 2000

/**
 * The graph as it was told last: from the snapshot, and the facts that came since. What was told by a change that was not
 * finished is to be told again. Throws `Away`, also when `signal` aborts.
 */
export const load = async (
  name: string,
  eventStore: EventStore,
  snapshots: SnapshotStore,
  signal: AbortSignal,
): Promise<Loaded> => {
  const identity = await eventStore.identity()()
  if (isLeft(identity)) throw new Away(identity.left.reason)
  const log = identity.right
  const known = await readGenerations(eventStore)
  const heads: Heads = new Map()
  await keepHeads(eventStore, known, heads)
  const { through: told, last } = toldThrough(heads)

  const saved = await loadSnapshot()
  const graph = saved?.graph ?? newGraph(randomInt(2 ** 31))
  const unsaved = await foldSilently(saved?.through ?? -1n)
  graph.take()
  const doubtful = await touchUnfinished(eventStore, graph, heads, told)
  return { log, graph, known, heads, folded: told, last, lastAt: told, doubtful, unsaved }

  async function loadSnapshot(): Promise<{ readonly graph: Graph; readonly through: bigint } | undefined> {
    const bytes = await snapshots.load(name)
    const snapshot = bytes && readSnapshot(bytes)
    if (!snapshot || snapshot.header.log !== log) return undefined
    const through = BigInt(snapshot.header.through)
    const { generation, revision, id } = snapshot.header.head
    if (through > told) return undefined
    const [event] = await readDown(eventStore, generation, BigInt(revision), 1)
    const graph = event?.id === id ? snapshot.graph() : undefined
    return graph && { graph, through }
  }

  async function foldSilently(from: bigint): Promise<number> {
    let folded = 0
    for (let after = from; after < told; ) {
      // Others have their turn, and may call it off.
      await new Promise((resolve) => setImmediate(resolve))
      if (signal.aborted) throw new Away('the graph is no longer wanted')
      const page = await eventStore.readAll(after, { categories: [category] }, pageSize)()
      if (isLeft(page)) throw new Away(page.left.reason)
      const { events, position, caughtUp } = page.right
      for (const event of events) {
        if (event.position > told) return folded
        foldWork(graph, event)
        folded++
      }
      if (caughtUp) return folded
      after = position
    }
    return folded
  }
}
