import { type GraphChanged, graphEvents } from '../../domain/matching/graph/events.ts'
import type { Graph } from '../../domain/matching/graph/graph.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { type Heads, positionIn, readDown } from './heads.ts'

const pageSize = 20

/**
 * Marks all works that were told of behind `told`, for they may have been told what will not be so once the facts behind
 * it have come again, with more of them: a pair that was joined, told of, and parted since. Gives the placeholders that
 * were told of there.
 */
export const touchUnfinished = async (
  eventStore: EventStore,
  graph: Graph,
  heads: Heads,
  through: bigint,
): Promise<readonly string[]> => {
  const told = new Set<string>()
  for (const [generation, { listed }] of heads)
    for await (const { groups } of unfinished(eventStore, generation, through))
      for (const { members, placeholders } of groups) {
        // One that is still to be listed is told of all works anyway.
        if (listed) for (const [id] of members) graph.touch(id)
        for (const id of placeholders) told.add(id)
      }
  return [...told]
}

/**
 * The changes told behind a place, the newest first: those through a later one, and those behind the change that came to
 * it, which are through the same one because they were never finished.
 */
async function* unfinished(
  eventStore: EventStore,
  generation: number,
  told: bigint,
): AsyncGenerator<GraphChanged> {
  let held: GraphChanged[] = []
  let place = { said: '', position: -1n }
  for (let from: bigint | 'end' = 'end'; ; ) {
    const page = await readDown(eventStore, generation, from, pageSize)
    for (const recorded of page) {
      const event = readOrStop(graphEvents, recorded)
      const { through, last } = event.data
      // Of the events of an append only the last one, which comes first here, says it in full.
      if (last || through !== place.said)
        place = { said: through, position: await positionIn(eventStore, event.data) }
      if (place.position < told) return
      // All that was told before was told once more while the generation was listed.
      if (event.type === 'GraphListed') return yield* held
      if (held[0] && held[0].version !== event.data.version) {
        yield* held
        held = []
      }
      if (place.position > told) yield event.data
      else held.push(event.data)
    }
    const last = page.at(-1)
    if (!last || last.revision === 0n) {
      // Where nothing was ever finished, the first change was not either.
      if (told < 0n) yield* held
      return
    }
    from = last.revision - 1n
  }
}
