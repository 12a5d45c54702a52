import { type GraphChanged, graphEvents } from '../../domain/matching/graph/events.ts'
import type { Graph } from '../../domain/matching/graph/graph.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { type GraphStreams, localPosition, readBackward } from './graph-streams.ts'

const pageSize = 20

/**
 * Marks all works in the changes after `through`, to be published again: some of their facts are in no change yet, and
 * none of a change without its last event is published. These facts come again, now with later ones, and may lead
 * elsewhere: a pair that was joined and published may have been parted since. Returns the placeholders in these
 * changes.
 */
export const touchUnfinished = async (
  eventStore: EventStore,
  graph: Graph,
  streams: GraphStreams,
  through: bigint,
): Promise<readonly string[]> => {
  const found = new Set<string>()
  for (const [generation, { listed }] of streams)
    for await (const { groups } of unfinishedChanges(eventStore, generation, through))
      for (const { component, members, placeholders } of groups) {
        // A generation that is still to be listed gets all works anyway. Pieces of a component are one by its name.
        if (listed) graph.touchTogether([component, ...members.map(([id]) => id)])
        for (const id of placeholders) found.add(id)
      }
  return [...found]
}

/**
 * Changes after a position, the newest first: those that name a later position, and those that follow the change that
 * reached it, which name the same one because they were never finished.
 */
async function* unfinishedChanges(
  eventStore: EventStore,
  generation: number,
  published: bigint,
): AsyncGenerator<GraphChanged> {
  let held: GraphChanged[] = []
  let reached = { through: '', position: -1n }
  for (let from: bigint | 'end' = 'end'; ; ) {
    const page = await readBackward(eventStore, generation, from, pageSize)
    for (const recorded of page) {
      const event = readOrStop(graphEvents, recorded)
      const { through, last } = event.data
      // Only the last event of an append, which comes first here, names its fact.
      if (last || through !== reached.through)
        reached = { through, position: await localPosition(eventStore, event.data) }
      if (reached.position < published) return
      // The listing published all before it once more.
      if (event.type === 'GraphListed') return yield* held
      if (held[0] && held[0].version !== event.data.version) {
        yield* held
        held = []
      }
      if (reached.position > published) yield event.data
      else held.push(event.data)
    }
    const last = page.at(-1)
    if (!last || last.revision === 0n) {
      // If nothing was ever finished, the first change was not either.
      if (published < 0n) yield* held
      return
    }
    from = last.revision - 1n
  }
}
