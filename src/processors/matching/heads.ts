import { isLeft } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import {
  category,
  type GraphEvent,
  graphEvents,
  graphStream,
  type Place,
} from '../../domain/matching/graph/events.ts'
import { workStream } from '../../domain/matching/work.ts'
import { Away } from '../../ports/away.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'

/** Up to where facts have come into changes. */
export interface Told {
  /** -1n: none has. */
  readonly through: bigint
  /** The last of them. */
  readonly last: Place | undefined
}

const nothing: Told = { through: -1n, last: undefined }

/** Where the graph stream of a generation stands, by its last event. */
export interface Head extends Told {
  /** -1n: it has no events. */
  readonly revision: bigint
  /** Of the last event; empty where there is none. */
  readonly id: string
  readonly version: number
  readonly timeSent: string
  /** It was told every component once. Generation 1 always was: it is told from the first fact on. */
  readonly listed: boolean
}

export type Heads = Map<number, Head>

const empty = (generation: number): Head => ({
  revision: -1n,
  id: '',
  version: 0,
  timeSent: '',
  ...nothing,
  listed: generation === 1,
})

/** The head once an event stands behind it that was written to this log. */
export const headBehind = (head: Head, event: GraphEvent, revision: bigint, id: string): Head => {
  const { version, through, last } = event.data
  const place = { revision, id, version, through: BigInt(through), last }
  return event.type === 'GraphListed'
    ? { ...place, timeSent: event.data.at, listed: true }
    : { ...place, timeSent: event.data.timeSent, listed: head.listed }
}

/**
 * Up to here facts have come into a change of every generation. One that is still to be listed does not count: it is
 * told all that there is, from the beginning on.
 */
export const toldThrough = (heads: Heads): Told => {
  const all = [...heads.values()]
  const listed = all.filter((head) => head.listed)
  // Without any that is listed all are to be told everything, whatever they were told before.
  const some = listed.length > 0 ? listed : all
  const through = smallest(some.map((head) => head.through))
  return some.find((head) => head.through === through) ?? nothing
}

/** Position in this log of what an event says of it. -1n where the fact is gone: all is to be told again. Throws `Away`. */
export const positionIn = async (
  eventStore: EventStore,
  { through, last }: GraphEvent['data'],
): Promise<bigint> => {
  if (!last) return BigInt(through)
  const read = await eventStore.read(workStream(last.work), BigInt(last.revision), 'forward', 1)()
  if (isLeft(read) && read.left.kind === 'Unavailable') throw new Away(read.left.reason)
  const fact = isLeft(read) ? undefined : read.right[0]
  return fact && Number(fact.revision) === last.revision ? fact.position : -1n
}

export const smallest = (some: readonly bigint[]): bigint | undefined =>
  some.toSorted((one, other) => Number(one - other))[0]

/** `startedAt`: position of the event that the generation began with. Throws `Away`. */
export const readHead = async (
  eventStore: EventStore,
  generation: number,
  startedAt: bigint,
): Promise<Head> => {
  const [last] = await readDown(eventStore, generation, 'end', 1)
  if (!last) return empty(generation)
  const event = readOrStop(graphEvents, last)
  const through = await positionIn(eventStore, event.data)
  const head = { ...headBehind(empty(generation), event, last.revision, last.id), through }
  return head.listed || !(await wasListed(eventStore, generation, startedAt))
    ? head
    : { ...head, listed: true }
}

/** Some events of a graph stream, the newest first. Throws `Away`. */
export const readDown = async (
  eventStore: EventStore,
  generation: number,
  from: bigint | 'end',
  limit: number,
): Promise<readonly RecordedEvent[]> => {
  const read = await eventStore.read(graphStream(generation), from, 'backward', limit)()
  if (isLeft(read)) throw new Away(`${graphStream(generation)}: ${JSON.stringify(read.left)}`)
  return read.right
}

/** It mostly comes soon after the start, and years before the head. */
const wasListed = async (eventStore: EventStore, generation: number, startedAt: bigint): Promise<boolean> => {
  for (let after = startedAt; ; ) {
    const read = await eventStore.readAll(after, { categories: [category], types: ['GraphListed'] }, 1)()
    if (isLeft(read)) throw new Away(read.left.reason)
    const { events, position, caughtUp } = read.right
    if (events.some(({ stream }) => stream === graphStream(generation))) return true
    if (caughtUp || position <= after) return false
    after = position
  }
}
