import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, unavailable } from '../../../async/unavailable.ts'
import { categoryOf } from '../../../domain/kernel/event.ts'
import type { EventsRemoved, RemovedPart } from '../../../domain/kernel/retention.ts'
import { settledBy } from '../../../domain/kernel/settled.ts'
import type { EventStore } from '../../../ports/event-store.ts'

type Log = Pick<EventStore, 'read' | 'metadata' | 'setMetadata' | 'deleteStream' | 'scavenge'>

/** Streams that are changed side by side: appends of a turn share a transaction. */
const atOnce = 50

/**
 * Removes what an event names, by the means of the log: whole streams of Fonds' own are deleted softly, others begin later. May be
 * repeated. Returns how many events stay, as their streams went on or take no such change. Throws `UnavailableError`.
 */
export const removeEvents = async (
  log: Log,
  { category, streams }: Pick<EventsRemoved, 'category' | 'streams'>,
  signal: AbortSignal,
): Promise<number> => {
  const endings = settledBy(category)
  const remove = async (part: RemovedPart): Promise<boolean> =>
    // Other programs may write to the log, and must not have another stream removed by it.
    categoryOf(part.stream) === category &&
    (endings ? removeWhole(log, part, endings) : removePart(log, part))
  let stayed = 0
  for (let at = 0; at < streams.length; at += atOnce) {
    signal.throwIfAborted()
    const some = streams.slice(at, at + atOnce)
    const removed = await Promise.all(some.map(remove))
    const done = some.filter((_, i) => removed[i])
    stayed += some.filter((_, i) => !removed[i]).reduce((sum, { events }) => sum + events, 0)
    if (log.scavenge) await orThrow(log.scavenge(done.map(({ stream }) => stream)))
  }
  return stayed
}

/** False if it stays. */
const removeWhole = async (
  log: Log,
  { stream, before }: RemovedPart,
  endings: readonly string[],
): Promise<boolean> => {
  const newest = await log.read(stream, 'end', 'backward', 1)()
  if (isLeft(newest) && newest.left.kind === 'Unavailable') throw unavailable(newest.left)
  const [event] = isLeft(newest) ? [] : newest.right
  if (event && !endings.includes(event.type)) return false
  return isDone(await log.deleteStream(stream, BigInt(before) - 1n, 'soft')())
}

const removePart = async (log: Log, { stream, before }: RemovedPart): Promise<boolean> => {
  const metadata = await orThrow(log.metadata(stream))
  const { $tb } = metadata
  // A deleted stream has the greatest number there.
  if (typeof $tb === 'number' && $tb >= Number(before)) return true
  return isDone(await log.setMetadata(stream, { ...metadata, $tb: Number(before) })())
}

const isDone = (result: Awaited<ReturnType<ReturnType<Log['setMetadata']>>>): boolean => {
  if (!isLeft(result)) return true
  const { left: failure } = result
  if (failure.kind === 'Unavailable') throw unavailable(failure)
  return failure.kind === 'StreamDeleted'
}
