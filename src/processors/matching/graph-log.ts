import { estimatedBytes, recentCache } from '@fonds/toolbox'
import * as E from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { type GraphChanged, graphEvents, graphStream } from '../../domain/matching/graph/events.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { UnreadableStream } from '../runtime/stream-states.ts'
import { readStream } from './read-stream.ts'

/** An event of the stream `graph-<generation>`. */
export interface GraphLocation {
  readonly generation: number
  readonly revision: number
}

/** `other`: an event that is no change. `nothing`: the stream does not go so far. */
export type GraphEntry = GraphChanged | 'other' | 'nothing'

/** Reads graph streams in any order. Throws `UnavailableError`. */
type ReadGraphLog = (locations: readonly GraphLocation[]) => Promise<readonly GraphEntry[]>

/** Events read at once, and how many unwanted ones may lie between two wanted. */
const maxRangeEvents = 32
const maxRangeGap = 4

/** `cacheBytes`: for decoded events. The messages of one event come close together, to several partitions. */
export const createReadGraphLog = (
  eventStore: Pick<EventStore, 'read'>,
  cacheBytes = 1024 ** 2,
): ReadGraphLog => {
  const recent = recentCache<GraphEntry>(cacheBytes, estimatedBytes)

  return async (locations) => {
    const found = new Map<string, GraphEntry>()
    const missing: GraphLocation[] = []
    for (const location of locations) {
      const known = recent.get(keyOf(location))
      if (known) found.set(keyOf(location), known)
      else missing.push(location)
    }
    for (const range of rangesOf(missing))
      for (const [key, entry] of await readRange(range, eventStore)) {
        found.set(key, entry)
        recent.set(key, entry)
      }
    return locations.map((location) => found.get(keyOf(location)) ?? 'nothing')
  }
}

interface Range {
  readonly first: GraphLocation
  readonly count: number
}

const readRange = async (
  { first: { generation, revision }, count }: Range,
  eventStore: Pick<EventStore, 'read'>,
): Promise<readonly (readonly [string, GraphEntry])[]> => {
  const stream = graphStream(generation)
  const events = await readStream(eventStore, stream, BigInt(revision), 'forward', count)
  return events.map((event) => [keyOf({ generation, revision: Number(event.revision) }), decode(event)])
}

const keyOf = ({ generation, revision }: GraphLocation): string => `${generation}/${revision}`

const decode = (event: RecordedEvent): GraphEntry => {
  const read = graphEvents.read(event)
  if (E.isLeft(read)) throw new UnreadableStream(`${event.stream} revision ${event.revision}: ${read.left}`)
  return read.right.type === 'GraphChanged' ? read.right.data : 'other'
}

/** Ranges of events to read: neighbours are read together. */
function* rangesOf(locations: readonly GraphLocation[]): Generator<Range> {
  const sorted = locations.toSorted((a, b) => a.generation - b.generation || a.revision - b.revision)
  let first: GraphLocation | undefined
  let last = 0
  for (const location of sorted) {
    const fits =
      first?.generation === location.generation &&
      location.revision < first.revision + maxRangeEvents &&
      location.revision <= last + maxRangeGap
    if (first && !fits) yield { first, count: last - first.revision + 1 }
    if (!fits) first = location
    last = location.revision
  }
  if (first) yield { first, count: last - first.revision + 1 }
}
