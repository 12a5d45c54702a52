import * as E from 'fp-ts/lib/Either.js'
import { parse, v5 as uuidv5 } from 'uuid'
import { UnavailableError } from '../../async/unavailable.ts'
import type { EventMetadata, NewEvent } from '../../domain/kernel/event.ts'
import { type GraphEvent, graphEvents, graphStream } from '../../domain/matching/graph/events.ts'
import type { AppendFailure, EventStore } from '../../ports/event-store.ts'
import { Fenced } from '../runtime/fenced.ts'
import { afterEvent, type GraphStreams } from './graph-streams.ts'

/** The causation of a change: its events carry it. */
export type Causation = Pick<EventMetadata, 'causationId' | 'correlationId'>

/** An append to the graph stream of a generation. */
export interface Append {
  readonly generation: number
  readonly events: readonly GraphEvent[]
}

/** Appends in order, each at the revision after the last, which `streams` keeps: that is the fence. */
export class ResumableWrite {
  readonly #appends: Iterator<Append>
  readonly #causation: Causation
  readonly #streams: GraphStreams
  readonly #eventStore: EventStore
  #current: IteratorResult<Append>

  constructor(
    appends: Iterator<Append>,
    causation: Causation,
    streams: GraphStreams,
    eventStore: EventStore,
  ) {
    this.#appends = appends
    this.#causation = causation
    this.#streams = streams
    this.#eventStore = eventStore
    this.#current = appends.next()
  }

  /**
   * Writes the remaining appends. Returns true once none is left, false once `isLeader` says no. After a failure it may
   * be called again: it repeats the failed append unchanged, so that a log that took it after all recognises it. Throws
   * `Fenced` if another matcher wrote, else `UnavailableError`.
   */
  async resume(isLeader: () => boolean): Promise<boolean> {
    for (; !this.#current.done; this.#current = this.#appends.next()) {
      if (!isLeader()) return false
      await this.#append(this.#current.value)
    }
    return true
  }

  async #append({ generation, events }: Append): Promise<void> {
    const name = graphStream(generation)
    const before = this.#streams.get(generation)!
    const { revision } = before
    const stored = events.map((event, i) => toStore(event, name, revision + 1n + BigInt(i), this.#causation))
    const appended = await this.#eventStore.append(name, revision < 0n ? 'none' : revision, stored)()
    if (E.isLeft(appended)) throw awayOf(name, appended.left)
    const after = events.reduce(
      (stream, event, i) => afterEvent(stream, event, stream.revision + 1n, stored[i]!.id),
      before,
    )
    this.#streams.set(generation, after)
  }
}

const awayOf = (stream: string, failure: AppendFailure): UnavailableError => {
  switch (failure.kind) {
    case 'Conflict':
      return new Fenced(`${stream} was written by another matcher`)
    case 'StreamDeleted':
      return new UnavailableError(`${stream} is permanently deleted; drop its generation and start another`)
    case 'TooLarge':
      return new UnavailableError(
        `${stream}: the log takes ${failure.limit} bytes an append, a change takes ${failure.bytes}; raise its limit to 1 MiB`,
      )
    case 'Refused':
    case 'Unavailable':
      return new UnavailableError(failure.reason)
  }
}

/** Namespace of event ids: UUIDv5 of stream, revision and content. */
const namespace = parse('6f0c8a52-5d0e-5c57-9f0e-1d3a7c1f8b24')

const toStore = (
  { type, data }: GraphEvent,
  stream: string,
  revision: bigint,
  causation: Causation,
): NewEvent => ({
  id: uuidv5(Buffer.from(`${stream}\n${revision}\n${type}\n${JSON.stringify(data)}`), namespace),
  type,
  data,
  metadata: { actor: 'fonds/matcher', ...causation, schema: graphEvents.schemaOf(type) },
})
