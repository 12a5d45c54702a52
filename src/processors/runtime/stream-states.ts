import { estimatedBytes } from '@fonds/toolbox'
import { type Either, isRight, left, right } from 'fp-ts/lib/Either.js'
import { onceShare, scanResistantCache } from '../../async/scan-resistant-cache.ts'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { Fold } from '../../domain/kernel/decider.ts'
import { categoryOf, type DomainEvent, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventStore, ReadFailure } from '../../ports/event-store.ts'
import { causesIn, type Handled, note, nothingHandled } from './handled.ts'

/** A folded stream. */
export interface StreamState<S> {
  readonly state: S
  /** -1n if there is no stream. */
  readonly revision: bigint
  /** Position of its last event; -1n if there is none. */
  readonly position: bigint
  readonly handled: Handled
  /** Correlation of its last event; absent if there is none. */
  readonly correlationId?: string
}

export interface StreamStates {
  /** Returns the current state: after a cached one, reads only the events since. Throws `UnreadableStream`. */
  load<S, E extends DomainEvent>(
    decider: Fold<S, E>,
    stream: string,
  ): Promise<Either<ReadFailure, StreamState<S>>>
  /** Returns the state that this process last saw: needs no reading, but others may have written since. */
  cached<S, E extends DomainEvent>(decider: Fold<S, E>, stream: string): StreamState<S> | undefined
  /**
   * Returns the cached state, or that of a stream without events if the last streams of its category that were read had
   * none: needs no reading, and may be wrong. For commands whose append checks it.
   */
  presumed<S, E extends DomainEvent>(decider: Fold<S, E>, stream: string): StreamState<S> | undefined
  /** Caches the state after an append, so that the next command needs no reading. */
  keep<S>(stream: string, state: StreamState<S>): void
  forget(stream: string): void
  /** Loads the states of many streams, each as `load` does. In one call, if the log supports it. */
  loadEach(wanted: ReadonlyMap<string, AnyFold>): Promise<LoadedEach>
}

/** A fold of any state: its caller knows which. */
type AnyFold = Fold<never, DomainEvent>

type LoadedEach = ReadonlyMap<string, Either<ReadFailure | Thrown, StreamState<never>>>

/** An error that was thrown for one of many. */
export interface Thrown {
  readonly kind: 'Thrown'
  readonly error: unknown
}

/**
 * For state that never changes once it exists: returns what this process last saw, without reading. Throws
 * `UnavailableError`.
 */
export const lastSeen = async <S, E extends DomainEvent>(
  states: StreamStates,
  decider: Fold<S, E>,
  stream: string,
): Promise<StreamState<S>> =>
  states.cached(decider, stream) ?? (await orThrow(() => states.load(decider, stream)))

/**
 * A stored event that this program cannot read. Folding on would make a wrong state, so work on the stream waits for a
 * program that can: usually a newer Fonds wrote it.
 */
export class UnreadableStream extends UnavailableError {
  override readonly name = 'UnreadableStream'
}

const pageSize = 1000

/** Estimated memory of a stream's state, without what its decider keeps, and of each cause. */
const bytesOfStream = 500
const bytesOfCause = 40

const weightOf = ({ state, handled }: StreamState<unknown>): number =>
  bytesOfStream + estimatedBytes(state) + causesIn(handled) * bytesOfCause

const defaultStateBytes = 8 * 1024 ** 2

/** Share of the memory for names of streams that were seen, and what one takes. */
const namesShare = 1 / 10
const bytesOfName = 120

/** Cached by stream, up to so many bytes together; a tenth of that for streams seen once. */
export const streamStates = (store: EventStore, maxBytes = defaultStateBytes): StreamStates => {
  const stateBytes = (maxBytes * (1 - namesShare)) / (1 + onceShare)
  const maxNames = (maxBytes * namesShare) / bytesOfName
  const cache = scanResistantCache<StreamState<unknown>>(stateBytes, weightOf, maxNames)

  const cached = <S>(_: { readonly initial: S }, stream: string) =>
    cache.get(stream) as StreamState<S> | undefined

  /** By category: number of streams in a row that had no events when they were read. */
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

  /** Folds a page that was read together with others; undefined if that is not enough. */
  const loadRead = (decider: AnyFold, stream: string, page: readonly RecordedEvent[]) => {
    const known = cached(decider, stream)
    if (page.length === pageSize || !goesOn(page, known)) return undefined
    try {
      const state = foldPage(decider, stream, known ?? emptyStream(decider), page)
      found(stream, known, state)
      return state
    } catch {
      // `load` reports why.
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
      if (wanted.size < 2) return loadAlone(load, wanted)
      const pages = await readEach([...wanted.keys()])
      const read = new Map<string, Either<never, StreamState<never>>>()
      const others = [...wanted].filter(([stream, decider], i) => {
        const page = pages[i]
        const state = page && isRight(page) && loadRead(decider, stream, page.right)
        if (state) read.set(stream, right(state))
        return !state
      })
      return new Map([...read, ...(await loadAlone(load, others))])
    },
  }
}

/** Loads each stream by a call of its own. */
export const loadAlone = async (
  load: StreamStates['load'],
  wanted: Iterable<readonly [stream: string, decider: AnyFold]>,
): Promise<LoadedEach> => {
  const thrown = (error: unknown): Either<Thrown, never> => left({ kind: 'Thrown', error })
  return new Map(
    await Promise.all(
      Array.from(
        wanted,
        async ([stream, decider]) => [stream, await load(decider, stream).catch(thrown)] as const,
      ),
    ),
  )
}

/** Number of streams in a row without events, after which the next of the category is presumed to have none. */
const sureAfter = 8

const emptyStream = <S>({ initial }: { readonly initial: S }): StreamState<S> => ({
  state: initial,
  revision: -1n,
  position: -1n,
  handled: nothingHandled(),
})

/**
 * Folds on from a known state if the stream still holds that state's last event. If the stream was deleted and begun
 * again, or truncated, it is folded from its first event.
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

/** Reads the last event again: if it is still there, the state is one of this stream. */
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
