import { isLeft } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import {
  type GraphChanged,
  graphEvents,
  graphStream,
  type Member,
} from '../../domain/matching/graph/events.ts'
import { Away } from '../../ports/away.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { recentCache } from '../runtime/recent-cache.ts'
import { UnreadableStream } from '../runtime/stream-states.ts'

/** An event of the stream `graph-<generation>`. */
export interface ChangePlace {
  readonly generation: number
  readonly revision: number
}

/** What the log says of graphs. All calls throw `Away`. */
export interface Changes {
  /** The changes at these places, in the same order; undefined where there is no event or another one. */
  at(places: readonly ChangePlace[]): Promise<readonly (GraphChanged | undefined)[]>
  /**
   * All members of a component of which the change at this place holds a piece, sorted by id; undefined when it was never
   * told to the end, because the matcher died over it: then a later change tells it anew.
   */
  wholeOf(place: ChangePlace, change: GraphChanged, component: string): Promise<readonly Member[] | undefined>
}

/** Decoded events that are kept: the messages of one come close together, to several partitions. */
const mostKept = 128
/** Events read at once, and how many of them may be of no use. */
const longestRun = 32
const longestGap = 4

export const readChanges = (eventStore: Pick<EventStore, 'read'>): Changes => {
  const kept = recentCache<Known>(mostKept)
  /** The whole of large components: asked for once for each of their pieces. */
  const wholes = recentCache<readonly Member[]>(4)

  /** Reads `count` events from there on. */
  const read = async ({ generation, revision }: ChangePlace, count: number): Promise<Map<string, Known>> => {
    const stream = graphStream(generation)
    const page = await eventStore.read(stream, BigInt(revision), 'forward', count)()
    if (isLeft(page) && page.left.kind === 'Unavailable') throw new Away(page.left.reason)
    // A stream that was deleted for good holds nothing any more.
    const found = new Map<string, Known>()
    for (const event of isLeft(page) ? [] : page.right) {
      const key = keyOf({ generation, revision: Number(event.revision) })
      const known = decode(event)
      found.set(key, known)
      kept.set(key, known)
    }
    return found
  }

  const lookUp = async (places: readonly ChangePlace[]): Promise<ReadonlyMap<string, Known>> => {
    const found = new Map<string, Known>()
    const missing: ChangePlace[] = []
    for (const place of places) {
      const known = kept.get(keyOf(place))
      if (known) found.set(keyOf(place), known)
      else missing.push(place)
    }
    for (const { first, count } of runsOf(missing))
      for (const [key, known] of await read(first, count)) found.set(key, known)
    return found
  }

  /** `nothing` where the stream does not go so far. */
  const one = async (place: ChangePlace): Promise<Known | 'nothing'> =>
    place.revision < 0 ? 'other' : ((await lookUp([place])).get(keyOf(place)) ?? 'nothing')

  return {
    at: async (places) => {
      const found = await lookUp(places)
      return places.map((place) => {
        const known = found.get(keyOf(place))
        return known === 'other' ? undefined : known
      })
    },

    wholeOf: async ({ generation, revision }, change, component) => {
      const name = `${generation}/${change.version}/${component}`
      const known = wholes.get(name)
      if (known) return known
      const pieces = new Map<number, readonly Member[]>()
      let wanted = 0
      /** True when the event holds pieces of it. */
      const take = (known: Known | 'nothing'): boolean => {
        const before = pieces.size
        if (typeof known !== 'string' && known.version === change.version)
          for (const group of known.groups)
            if (group.component === component) {
              pieces.set(group.piece, group.members)
              wanted = group.pieces
            }
        return pieces.size > before
      }
      take(change)
      for (let at = revision - 1; !pieces.has(0); at--)
        if (!take(await one({ generation, revision: at }))) return undefined
      for (let at = revision + 1; !pieces.has(wanted - 1); at++) {
        const next = await one({ generation, revision: at })
        if (next === 'nothing')
          throw new Away(
            `${graphStream(generation)}: the rest of the component ${component} is not written yet`,
          )
        if (!take(next)) return undefined
      }
      if (pieces.size < wanted) return undefined
      const whole = [...pieces].sort(([a], [b]) => a - b).flatMap(([, members]) => members)
      wholes.set(name, whole)
      return whole
    },
  }
}

/** `other`: not a change. */
type Known = GraphChanged | 'other'

const keyOf = ({ generation, revision }: ChangePlace): string => `${generation}/${revision}`

const decode = (event: RecordedEvent): Known => {
  const read = graphEvents.read(event)
  if (isLeft(read)) throw new UnreadableStream(`${event.stream} revision ${event.revision}: ${read.left}`)
  return read.right.type === 'GraphChanged' ? read.right.data : 'other'
}

interface Run {
  readonly first: ChangePlace
  readonly count: number
}

/** Neighbours are read together. */
function* runsOf(places: readonly ChangePlace[]): Generator<Run> {
  const sorted = places.toSorted((a, b) => a.generation - b.generation || a.revision - b.revision)
  let first: ChangePlace | undefined
  let last = 0
  for (const place of sorted) {
    const fits =
      first?.generation === place.generation &&
      place.revision < first.revision + longestRun &&
      place.revision <= last + longestGap
    if (first && !fits) yield { first, count: last - first.revision + 1 }
    if (!fits) first = place
    last = place.revision
  }
  if (first) yield { first, count: last - first.revision + 1 }
}
