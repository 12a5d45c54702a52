import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { RemovedPart, RetentionState } from '../../domain/kernel/retention.ts'
import { settledBy } from '../../domain/kernel/settled.ts'
import { cutoffOf } from '../../domain/kernel/within-policy.ts'
import type { EventStore } from '../../ports/event-store.ts'

type Log = Pick<EventStore, 'readAll' | 'read' | 'scavenge'>

interface Due {
  readonly category: string
  readonly olderThan: string
  /** Older events were removed before: a server has them still, until it is scavenged. */
  readonly doneTo: string | undefined
  /** Nothing behind this position; absent: to the end of the log. */
  readonly upTo?: bigint
  readonly signal?: AbortSignal
}

const pageSize = 1000
/** Younger events behind which no older ones are looked for: other programs may date some of theirs as they like. */
const mostYounger = 1000
/** Streams that one event names, and characters of their names: an event must fit a server's limit of a MiB. */
const mostStreams = 500
const mostCharacters = 200_000

export const dueBy = (
  { category, state }: { readonly category: string; readonly state: RetentionState },
  now: string,
): Due | undefined =>
  state.policy && { category, olderThan: cutoffOf(state.policy, now), doneTo: state.doneTo }

/**
 * The events that a policy removes, some streams at a time: of streams of other programs the part that is older; of Fonds' own whole streams,
 * once their last event settled them and is older. A stream may come in several portions. Memory does not grow with the log. Throws
 * `UnavailableError`.
 */
export async function* dueEvents(log: Log, due: Due): AsyncGenerator<readonly RemovedPart[], void> {
  const { category, olderThan, upTo, signal } = due
  const doneTo = log.scavenge ? undefined : due.doneTo
  /** Streams whose next event is younger: what is behind it stays. */
  const ended = new Set<string>()
  let younger = 0
  const endings = settledBy(category)
  const portion = createPortion()
  for (let after = -1n; ; ) {
    signal?.throwIfAborted()
    const page = await orThrow(log.readAll(after, { categories: [category] }, pageSize))
    for (const event of page.events) {
      if (event.recordedAt >= olderThan) {
        ended.add(event.stream)
        younger++
      }
      if (younger >= mostYounger || (upTo !== undefined && event.position > upTo)) {
        yield* portion.rest()
        return
      }
      if (ended.has(event.stream)) continue
      if (doneTo !== undefined && event.recordedAt < doneTo) continue
      const part = endings ? await wholeStream(log, event, endings) : upToHere(event)
      if (part) yield* portion.add(part)
    }
    if (page.caughtUp) break
    after = page.position
  }
  yield* portion.rest()
}

/** How much a policy removes now. */
export const countDue = async (log: Log, due: Due): Promise<{ streams: number; events: number }> => {
  const streams = new Set<string>()
  let events = 0
  for await (const parts of dueEvents(log, due))
    for (const part of parts) {
      streams.add(part.stream)
      events += part.events
    }
  return { streams: streams.size, events }
}

const upToHere = ({ stream, revision }: RecordedEvent): RemovedPart => ({
  stream,
  before: `${revision + 1n}`,
  events: 1,
})

/** All of a stream that this event ended; undefined if it goes on, or is not shown any more. */
const wholeStream = async (
  log: Pick<EventStore, 'read'>,
  { stream, revision, type }: RecordedEvent,
  endings: readonly string[],
): Promise<RemovedPart | undefined> => {
  if (!endings.includes(type)) return undefined
  const [newest, oldest] = await Promise.all([
    log.read(stream, 'end', 'backward', 1)(),
    log.read(stream, 'start', 'forward', 1)(),
  ])
  for (const read of [newest, oldest])
    if (isLeft(read) && read.left.kind !== 'StreamDeleted') await orThrow(async () => read)
  if (isLeft(newest) || isLeft(oldest) || newest.right[0]?.revision !== revision) return undefined
  const first = oldest.right[0]?.revision ?? revision
  return { stream, before: `${revision + 1n}`, events: Number(revision - first) + 1 }
}

const createPortion = () => {
  let parts = new Map<string, RemovedPart>()
  let characters = 0
  const take = function* (): Generator<readonly RemovedPart[]> {
    if (parts.size > 0) yield [...parts.values()]
    parts = new Map()
    characters = 0
  }
  return {
    add: function* (part: RemovedPart): Generator<readonly RemovedPart[]> {
      const known = parts.get(part.stream)
      if (!known) characters += part.stream.length
      parts.set(part.stream, { ...part, events: part.events + (known?.events ?? 0) })
      if (parts.size >= mostStreams || characters >= mostCharacters) yield* take()
    },
    rest: take,
  }
}
