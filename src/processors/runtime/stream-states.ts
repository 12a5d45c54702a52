import { type Either, isRight, left, right } from 'fp-ts/lib/Either.js'
import { scanResistantCache } from '../../async/scan-resistant-cache.ts'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { Fold } from '../../domain/kernel/decider.ts'
import { categoryOf, type DomainEvent, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventStore, ReadFailure } from '../../ports/event-store.ts'
import { causesIn, type Handled, note, nothingHandled } from './handled.ts'

/** A stream folded. */
export interface StreamState<S> {
  readonly state: S
  /** -1n when there is no stream. */
  readonly revision: bigint
  /** Position of its last event, -1n when there is none. */
  readonly position: bigint
  readonly handled: Handled
  /** The conversation that its last event belongs to; absent where there is none. */
  readonly correlationId?: string
}

export interface SingleStates {
  /** As it is now: from a cached state only what came since is read. Throws `UnreadableStream`. */
  load<S, E extends DomainEvent>(
    decider: Fold<S, E>,
    stream: string,
  ): Promise<Either<ReadFailure, StreamState<S>>>
  /** As this process last saw it: costs no reading, but others may have written since. */
  cached<S, E extends DomainEvent>(decider: Fold<S, E>, stream: string): StreamState<S> | undefined
  /**
   * The cached state, or that of a stream without events where those of its category that were looked for last had none: costs
   * no reading, and may be wrong. For what an append will check.
   */
  presumed<S, E extends DomainEvent>(decider: Fold<S, E>, stream: string): StreamState<S> | undefined
  /** Caches the state behind an append, so that the next command needs no reading. */
  keep<S>(stream: string, state: StreamState<S>): void
  forget(stream: string): void
}

/** Of any state: whoever gave it knows which. */
type AnyFold = Fold<never, DomainEvent>

export interface StreamStates extends SingleStates {
  /** The states of many streams, as `load` makes each; none of one that cannot be read. In one call, where the log takes it. */
  loadEach(wanted: ReadonlyMap<string, AnyFold>): Promise<ReadonlyMap<string, StreamState<never>>>
}

/** For what never changes once it is there: what this process last saw costs no reading. Throws `UnavailableError`. */
export const lastSeen = async <S, E extends DomainEvent>(
  states: StreamStates,
  decider: Fold<S, E>,
  stream: string,
): Promise<StreamState<S>> =>
  states.cached(decider, stream) ?? (await orThrow(() => states.load(decider, stream)))

/**
 * A stored event that this program cannot read. To fold on would make a wrong state, so work on the stream waits for a
 * program that can: usually a newer Fonds wrote it.
 */
export class UnreadableStream extends UnavailableError {
  override readonly name = 'UnreadableStream'
}

const pageSize = 1000

/** This many causes take as much memory as an ordinary state. */
const causesInState = 200

const weightOf = ({ handled }: StreamState<unknown>): number => 1 + causesIn(handled) / causesInState

/** Cached by stream: `capacity` ordinary ones, or fewer that have had thousands of causes; of streams seen once a tenth of that. */
export const streamStates = (store: EventStore, capacity = 10_000): StreamStates => {
  const cache = scanResistantCache<StreamState<unknown>>(capacity, weightOf)

  const cached = <S>(_: { readonly initial: S }, stream: string) =>
    cache.get(stream) as StreamState<S> | undefined

  /** By category: streams that had no events, in a row, when they were looked for. */
  const newInARow = new Map<string, number>()
  const noteFound = (category: string, { revision }: StreamState<unknown>) =>
    newInARow.set(category, revision < 0n ? (newInARow.get(category) ?? 0) + 1 : 0)

  const found = (stream: string, known: StreamState<unknown> | undefined, state: StreamState<unknown>) => {
    if (!known) noteFound(categoryOf(stream), state)
    cache.set(stream, state)
  }

  const load: StreamStates['load'] = async (decider, stream) => {
    const known = cached(decider, stream)
    const folded = await fold(store, decider, stream, known)
    if (folded._tag === 'Right') found(stream, known, folded.right)
    return folded
  }

  /** From a page that was read together with others; undefined where that is not enough. */
  const loadRead = (decider: AnyFold, stream: string, page: readonly RecordedEvent[]) => {
    const known = cached(decider, stream)
    if (page.length === pageSize || !goesOn(page, known)) return undefined
    try {
      const state = foldPage(decider, stream, known ?? emptyStream(decider), page)
      found(stream, known, state)
      return state
    } catch {
      // `load` tells why.
      return undefined
    }
  }

  const readEach = async (streams: readonly string[]) => {
    const places = streams.map((stream) => ({ stream, from: placeBehind(cache.get(stream)) }))
    const read = await store.readEach?.(places, pageSize)()
    return read && isRight(read) ? read.right : []
  }

  return {
    keep: cache.set,
    cached,
    presumed: (decider, stream) =>
      cached(decider, stream) ??
      ((newInARow.get(categoryOf(stream)) ?? 0) < sureAfter ? undefined : emptyStream(decider)),
    forget: cache.delete,
    load,
    loadEach: async (wanted) => {
      const states = new Map<string, StreamState<never>>()
      const pages = await readEach([...wanted.keys()])
      const others = [...wanted].filter(([stream, decider], i) => {
        const page = pages[i]
        const state = page && isRight(page) && loadRead(decider, stream, page.right)
        if (state) states.set(stream, state)
        return !state
      })
      const loadOne = async ([stream, decider]: (typeof others)[number]): Promise<void> => {
        const loaded = await load(decider, stream)
        if (isRight(loaded)) states.set(stream, loaded.right)
      }
      await Promise.allSettled(others.map(loadOne))
      return states
    },
  }
}

/** Streams without events, in a row, after which the next of the category is presumed to have none. */
const sureAfter = 8

const emptyStream = <S>({ initial }: { readonly initial: S }): StreamState<S> => ({
  state: initial,
  revision: -1n,
  position: -1n,
  handled: nothingHandled(),
})

/**
 * Folds on from a known state where the stream still holds that state's last event. Where it was deleted and begun anew, or
 * cut, it is folded from its first one.
 */
const fold = async <S, E extends DomainEvent>(
  store: EventStore,
  decider: Fold<S, E>,
  stream: string,
  known?: StreamState<S>,
): Promise<Either<ReadFailure, StreamState<S>>> => {
  let folded: StreamState<S> = known ?? emptyStream(decider)
  for (let from = placeBehind(known); ; from = folded.revision + 1n) {
    const page = await store.read(stream, from, 'forward', pageSize)()
    if (page._tag === 'Left') return left(page.left)
    if (folded === known && !goesOn(page.right, known)) return fold(store, decider, stream)
    folded = foldPage(decider, stream, folded, page.right)
    if (page.right.length < pageSize) return right(folded)
  }
}

/** The last event is read again: that it is still there shows that the state is one of this stream. */
const placeBehind = (known: StreamState<unknown> | undefined): bigint | 'start' =>
  known === undefined || known.revision < 0n ? 'start' : known.revision

const goesOn = (page: readonly RecordedEvent[], known: StreamState<unknown> | undefined): boolean =>
  known === undefined || known.revision < 0n || page[0]?.revision === known.revision

const foldPage = <S, E extends DomainEvent>(
  decider: Fold<S, E>,
  stream: string,
  before: StreamState<S>,
  page: readonly RecordedEvent[],
): StreamState<S> => {
  const { handled } = before
  let folded = before
  for (const event of page) {
    if (event.revision <= folded.revision) continue
    const read = decider.events.read(event)
    if (read._tag === 'Left') throw new UnreadableStream(`${stream} revision ${event.revision}: ${read.left}`)
    const { revision, position, metadata } = event
    note(handled, metadata)
    const state = decider.evolve(folded.state, read.right)
    folded = { state, revision, position, handled, correlationId: metadata.correlationId }
  }
  return folded
}
