import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent, EventMetadata, Origin, RecordedEvent } from '../../domain/kernel/event.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { EventStore, ReadFailure } from '../../ports/event-store.ts'

/**
 * A stream folded: its state, and what was already handled in it. Event ids alone do not protect against a
 * redelivered command (the store writes at a fitting revision without looking at ids), so the causes are folded too.
 */
export interface StreamState<S> {
  readonly state: S
  /** -1n when there is no stream. */
  readonly revision: bigint
  /** Position of its last event, -1n when there is none. */
  readonly position: bigint
  /** Ids of the messages and events whose commands had an effect here. */
  readonly causes: ReadonlySet<string>
  /**
   * Highest offset handled, by `log/topic/partition`. It also covers a message that changed nothing: redelivered
   * behind a later one it must not be decided again, against a state it never met.
   */
  readonly offsets: ReadonlyMap<string, bigint>
}

export interface StreamStates {
  load<S, C extends Command, E extends DomainEvent, R extends Rejection>(
    decider: Decider<S, C, E, R>,
    stream: string,
  ): Promise<Either<ReadFailure, StreamState<S>>>
  /** Keeps what an append led to, so that the next command needs no reading. */
  keep<S>(stream: string, state: StreamState<S>): void
  forget(stream: string): void
}

export const initialState = <S>(initial: S): StreamState<S> => ({
  state: initial,
  revision: -1n,
  position: -1n,
  causes: new Set(),
  offsets: new Map(),
})

/** A stored event that this program cannot read: going on would fold a wrong state, so it stops here. */
export class UnreadableStream extends Error {
  override readonly name = 'UnreadableStream'
}

const pageSize = 1000

/** Cached by stream, least recently used out first. A stale entry is harmless: the append conflicts and reloads. */
export const streamStates = (store: EventStore, capacity = 20_000): StreamStates => {
  const cache = new Map<string, StreamState<unknown>>()

  const keep = (stream: string, state: StreamState<unknown>) => {
    cache.delete(stream)
    cache.set(stream, state)
    if (cache.size > capacity) cache.delete(cache.keys().next().value as string)
  }

  return {
    keep,
    forget: (stream) => {
      cache.delete(stream)
    },
    load: async <S, C extends Command, E extends DomainEvent, R extends Rejection>(
      decider: Decider<S, C, E, R>,
      stream: string,
    ): Promise<Either<ReadFailure, StreamState<S>>> => {
      const cached = cache.get(stream) as StreamState<S> | undefined
      if (cached) {
        keep(stream, cached)
        return right(cached)
      }
      let folded = initialState(decider.initial)
      for (;;) {
        const from = folded.revision < 0n ? 'start' : folded.revision + 1n
        const page = await store.read(stream, from, 'forward', pageSize)()
        if (page._tag === 'Left') return left(page.left)
        folded = fold(decider, folded, page.right)
        if (page.right.length < pageSize) break
      }
      keep(stream, folded)
      return right(folded)
    },
  }
}

const fold = <S, C extends Command, E extends DomainEvent, R extends Rejection>(
  decider: Decider<S, C, E, R>,
  from: StreamState<S>,
  events: readonly RecordedEvent[],
): StreamState<S> => {
  const last = events.at(-1)
  if (!last) return from
  let state = from.state
  const causes = new Set(from.causes)
  const offsets = new Map(from.offsets)
  for (const event of events) {
    const read = decider.events.read(event)
    if (read._tag === 'Left')
      throw new UnreadableStream(`${event.stream} revision ${event.revision}: ${read.left}`)
    state = decider.evolve(state, read.right)
    note(causes, offsets, event.metadata)
  }
  return { state, revision: last.revision, position: last.position, causes, offsets }
}

/** The state behind events that were just appended: no need to read them back. */
export const advance = <S, C extends Command, E extends DomainEvent, R extends Rejection>(
  decider: Decider<S, C, E, R>,
  from: StreamState<S>,
  events: readonly E[],
  metadata: EventMetadata,
  appended: { readonly revision: bigint; readonly position: bigint },
): StreamState<S> => {
  const causes = new Set(from.causes)
  const offsets = new Map(from.offsets)
  note(causes, offsets, metadata)
  return { state: events.reduce(decider.evolve, from.state), ...appended, causes, offsets }
}

const note = (causes: Set<string>, offsets: Map<string, bigint>, metadata: EventMetadata) => {
  causes.add(metadata.causationId)
  const { origin } = metadata
  if (!origin) return
  const log = logOf(origin)
  const offset = BigInt(origin.offset)
  if (offset > (offsets.get(log) ?? -1n)) offsets.set(log, offset)
}

const logOf = (origin: Origin): string => `${origin.log}/${origin.topic}/${origin.partition}`

/** Did a command with this cause (or a later one of the same partition) already have its say here? */
export const isHandled = (folded: StreamState<unknown>, causationId: string, origin?: Origin): boolean =>
  folded.causes.has(causationId) ||
  (origin !== undefined && BigInt(origin.offset) <= (folded.offsets.get(logOf(origin)) ?? -1n))
