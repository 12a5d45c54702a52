import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, unavailable } from '../../async/unavailable.ts'
import { category as earlierCategory, earlierStream } from '../../domain/kernel/earlier-event.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { ReadFailure } from '../../ports/event-store.ts'
import type { Point } from '../../ports/view-store.ts'
import type { Whole } from '../../workflows/premis-model.ts'
import { type Found as EventsFound, historyOf } from '../event-reading.ts'
import { elsewhereOf } from '../events-elsewhere.ts'
import type { Home } from '../system.ts'
import type { Mappings } from './exported-event.ts'

/* The events of things and of their parts, a page at a time. */

export type Reading = Pick<Home, 'eventStore' | 'workflows' | 'viewStore'>

const pageSize = 1000

/** An event, and the id of the thing that a part of it is about; absent: it is about its stream. */
export interface Found {
  readonly event: RecordedEvent
  readonly about?: string
}

/** The events that there were at a moment. */
interface Counts {
  /** Position behind which none of them is. */
  readonly end: bigint
  readonly has: (event: RecordedEvent) => boolean
}

/** `head`: position of the last event of the log now. Without `until` all up to there count. */
export const countsUntil = (head: bigint, until?: Point): Counts => {
  if (until === undefined) return { end: head, has: ({ position }) => position <= head }
  if ('position' in until) return { end: until.position, has: ({ position }) => position <= until.position }
  const time = new Date(until.time).toISOString()
  return { end: head, has: ({ position, recordedAt }) => position <= head && recordedAt <= time }
}

export interface Export {
  readonly home: Reading
  readonly mappings: Mappings
  readonly wholes: readonly Whole[]
  readonly counts: Counts
  readonly ids: readonly string[]
}

/** The events of earlier systems about the parts of wholes. */
export async function* earlierOf(of: Export): AsyncGenerator<Found> {
  for (const whole of of.wholes)
    if (whole.kind === 'log') yield* inLog(of, { ...whole, categories: [earlierCategory] })
    else
      for (const stream of whole.streams())
        for await (const event of inStreams(of, [earlierStream(idOf(stream))])) yield { event }
}

/** A whole that is found in the log has its own streams among what is found. */
export async function* eventsOf(of: Export): AsyncGenerator<Found> {
  const { ids, wholes } = of
  const isInLog = (event: RecordedEvent) =>
    wholes.some((whole) => whole.kind === 'log' && whole.includes(event))
  for (const id of ids) for await (const found of ownEvents(of, id)) if (!isInLog(found.event)) yield found
  for (const whole of wholes)
    if (whole.kind === 'log') yield* inLog(of, whole)
    else
      for (const stream of whole.streams()) for await (const event of inStreams(of, [stream])) yield { event }
  yield* earlierOf(of)
}

export async function* ownEvents(of: Export, id: string): AsyncGenerator<Found> {
  const streams = [...new Set(of.home.workflows.flatMap((workflow) => workflow.streamsOf(id)))]
  for await (const event of inStreams(of, streams, elsewhereOf(of.home, id)))
    yield streams.includes(event.stream) ? { event } : { event, about: id }
}

async function* inStreams(
  { home, counts }: Export,
  streams: readonly string[],
  elsewhere: ReturnType<typeof elsewhereOf> = [],
): AsyncGenerator<RecordedEvent> {
  for (let from: bigint | undefined = 0n; from !== undefined && from <= counts.end; ) {
    const read: Either<ReadFailure, EventsFound> = await historyOf(
      home.eventStore,
      streams,
      from,
      pageSize,
      elsewhere,
    )
    if (isLeft(read)) {
      if (read.left.kind === 'Unavailable') throw unavailable(read.left)
      return
    }
    yield* read.right.events.filter(counts.has)
    from = read.right.through === undefined ? undefined : read.right.through + 1n
  }
}

async function* inLog(
  { home, counts }: Export,
  { categories, includes }: Extract<Whole, { readonly kind: 'log' }>,
): AsyncGenerator<Found> {
  for (let after = -1n; after < counts.end; ) {
    const batch = await orThrow(home.eventStore.readAll(after, { categories }, pageSize))
    for (const event of batch.events) if (counts.has(event) && includes(event)) yield { event }
    if (batch.caughtUp) return
    after = batch.position
  }
}
