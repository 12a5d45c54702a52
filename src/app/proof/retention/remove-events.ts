import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, unavailable } from '../../../async/unavailable.ts'
import { categoryOf, type RecordedEvent } from '../../../domain/kernel/event.ts'
import type { EventsRemoved, RemovedPart } from '../../../domain/kernel/retention.ts'
import { settledBy } from '../../../domain/kernel/settled.ts'
import type { EventStore } from '../../../ports/event-store.ts'

type Log = Pick<EventStore, 'read' | 'metadata' | 'setMetadata' | 'deleteStream' | 'scavenge'>

/** Streams that are changed side by side: appends of a turn share a transaction. */
const atOnce = 50

/**
 * Removes what an event names, by the means of the log: whole streams of Fonds' own are deleted softly, others begin later. May be
 * repeated. Returns how many events stay: their streams went on or take no such change, or they are not older, whatever the event says.
 * Throws `UnavailableError`.
 */
export const removeEvents = async (
  log: Log,
  { category, olderThan, streams }: Pick<EventsRemoved, 'category' | 'olderThan' | 'streams'>,
  signal: AbortSignal,
): Promise<number> => {
  const endings = settledBy(category)
  const remove = async (part: RemovedPart): Promise<boolean> =>
    // Other programs may write to the log, and must not have another stream removed by it.
    categoryOf(part.stream) === category &&
    (endings ? removeWhole(log, part, olderThan, endings) : removePart(log, part, olderThan))
  let stayed = 0
  for (let at = 0; at < streams.length; at += atOnce) {
    signal.throwIfAborted()
    const some = streams.slice(at, at + atOnce)
    const removed = await Promise.all(some.map(remove))
    const done = some.filter((_, i) => removed[i])
    stayed += eventsOf(some.filter((_, i) => !removed[i]))
    if (log.scavenge)
      await orThrow(log.scavenge(done.map(({ stream, before }) => ({ stream, before: BigInt(before) }))))
  }
  return stayed
}

/** How many events of those that one names are still shown: it is not carried out, or not whole. Throws `UnavailableError`. */
export const eventsLeft = async (
  log: Log,
  { streams }: Pick<EventsRemoved, 'streams'>,
  signal: AbortSignal,
): Promise<number> => {
  let left = 0
  for (const part of streams) {
    signal.throwIfAborted()
    const first = (await shown(log, part.stream, 'start', 'forward'))?.revision
    if (first !== undefined && first < BigInt(part.before)) left += part.events
  }
  return left
}

const eventsOf = (parts: readonly RemovedPart[]): number => parts.reduce((sum, { events }) => sum + events, 0)

/** False if it stays. */
const removeWhole = async (
  log: Log,
  { stream, before }: RemovedPart,
  olderThan: string,
  endings: readonly string[],
): Promise<boolean> => {
  const newest = await shown(log, stream, 'end', 'backward')
  if (newest && !(endings.includes(newest.type) && newest.recordedAt < olderThan)) return false
  return isDone(await log.deleteStream(stream, BigInt(before) - 1n, 'soft')())
}

const removePart = async (log: Log, { stream, before }: RemovedPart, olderThan: string): Promise<boolean> => {
  const metadata = await orThrow(log.metadata(stream))
  const { $tb, $maxAge } = metadata
  // A deleted stream has the greatest number there.
  if (typeof $tb === 'number' && $tb >= Number(before)) return true
  const last = await shown(log, stream, BigInt(before) - 1n, 'forward')
  // Events older than the stream's own limit are not shown.
  const isThere = last
    ? last.revision >= BigInt(before) || last.recordedAt < olderThan
    : $maxAge !== undefined
  return isThere && isDone(await log.setMetadata(stream, { ...metadata, $tb: Number(before) })())
}

/** The first event from there on that the stream shows; undefined if it shows none. Throws `UnavailableError`. */
const shown = async (
  log: Log,
  stream: string,
  from: bigint | 'start' | 'end',
  direction: 'forward' | 'backward',
): Promise<RecordedEvent | undefined> => {
  const read = await log.read(stream, from, direction, 1)()
  if (!isLeft(read)) return read.right[0]
  if (read.left.kind === 'Unavailable') throw unavailable(read.left)
  return undefined
}

const isDone = (result: Awaited<ReturnType<ReturnType<Log['setMetadata']>>>): boolean => {
  if (!isLeft(result)) return true
  const { left: failure } = result
  if (failure.kind === 'Unavailable') throw unavailable(failure)
  return failure.kind === 'StreamDeleted'
}
