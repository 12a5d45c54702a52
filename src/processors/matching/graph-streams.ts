import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import {
  category,
  type FactRef,
  type GraphEvent,
  graphEvents,
  graphStream,
} from '../../domain/matching/graph/events.ts'
import { workStream } from '../../domain/matching/work.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { readStream } from './read-stream.ts'

/** Position up to which facts are published. */
export interface Checkpoint {
  /** -1n: no fact is published. */
  readonly through: bigint
  /** The last published fact. */
  readonly last: FactRef | undefined
}

const nothing: Checkpoint = { through: -1n, last: undefined }

/** The end of the graph stream of a generation, by its last event. */
interface GraphStream extends Checkpoint {
  /** -1n: it has no events. */
  readonly revision: bigint
  /** Id of the last event; empty if there is none. */
  readonly id: string
  readonly version: number
  readonly timeSent: string
  /** Every component was written to it once. Generation 1 gets all from the first fact on. */
  readonly listed: boolean
}

/** By generation. */
export type GraphStreams = Map<number, GraphStream>

const empty = (generation: number): GraphStream => ({
  revision: -1n,
  id: '',
  version: 0,
  timeSent: '',
  ...nothing,
  listed: generation === 1,
})

/**
 * The stream after an event is appended to it. The event must name positions of this log, not of one it was copied
 * from.
 */
export const afterEvent = (
  stream: GraphStream,
  event: GraphEvent,
  revision: bigint,
  id: string,
): GraphStream => {
  const { version, through, last } = event.data
  const end = { revision, id, version, through: BigInt(through), last }
  return event.type === 'GraphListed'
    ? { ...end, timeSent: event.data.at, listed: true }
    : { ...end, timeSent: event.data.timeSent, listed: stream.listed }
}

/**
 * Checkpoint up to which facts are published to every generation. A generation that is still being listed does not
 * count: its listing brings it all there is.
 */
export const publishedThrough = (streams: GraphStreams): Checkpoint => {
  const all = [...streams.values()]
  const listed = all.filter((stream) => stream.listed)
  // If none is listed, all count, by what they got so far.
  const some = listed.length > 0 ? listed : all
  const through = smallest(some.map((stream) => stream.through))
  return some.find((stream) => stream.through === through) ?? nothing
}

/**
 * The position that an event of a graph stream names, as it is in this log, which may be a copy. -1n if the fact is
 * missing: all is published again. Throws `UnavailableError`.
 */
export const localPosition = async (
  eventStore: EventStore,
  { through, last }: GraphEvent['data'],
): Promise<bigint> => {
  if (!last) return BigInt(through)
  const [fact] = await readStream(eventStore, workStream(last.work), BigInt(last.revision), 'forward', 1)
  return fact && Number(fact.revision) === last.revision ? fact.position : -1n
}

export const smallest = (some: readonly bigint[]): bigint | undefined =>
  some.toSorted((one, other) => Number(one - other))[0]

/** `startedAt`: position of the event that the generation began with. Throws `UnavailableError`. */
export const readGraphStream = async (
  eventStore: EventStore,
  generation: number,
  startedAt: bigint,
): Promise<GraphStream> => {
  const [last] = await readBackward(eventStore, generation, 'end', 1)
  if (!last) return empty(generation)
  const event = readOrStop(graphEvents, last)
  const through = await localPosition(eventStore, event.data)
  const stream = { ...afterEvent(empty(generation), event, last.revision, last.id), through }
  return { ...stream, listed: stream.listed || (await wasListed(eventStore, generation, startedAt)) }
}

/** Some events of a graph stream, the newest first. Throws `UnavailableError`, also if the stream was deleted. */
export const readBackward = async (
  eventStore: EventStore,
  generation: number,
  from: bigint | 'end',
  limit: number,
): Promise<readonly RecordedEvent[]> => {
  return orThrow(eventStore.read(graphStream(generation), from, 'backward', limit), graphStream(generation))
}

/**
 * True if the generation was listed. Reads forward from its start: the listing mostly comes soon after it, and years
 * before the end.
 */
const wasListed = async (eventStore: EventStore, generation: number, startedAt: bigint): Promise<boolean> => {
  const filter = { categories: [category], types: ['GraphListed'] }
  for (let after = startedAt; ; ) {
    const { events, position, caughtUp } = await orThrow(eventStore.readAll(after, filter, 1))
    if (events.some(({ stream }) => stream === graphStream(generation))) return true
    if (caughtUp || position <= after) return false
    after = position
  }
}
