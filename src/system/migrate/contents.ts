import { isLeft } from 'fp-ts/lib/Either.js'
import { category as houseKeeping } from '../../domain/kernel/duty.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { type EventStore, EventStoreAway } from '../../ports/event-store.ts'
import { orAway } from '../../projections/runtime/fold.ts'

/** What is to be copied of a log. */
export interface Contents {
  /** Where the log ended when it was looked through. */
  readonly end: bigint
  readonly events: number
  /** Events that are not. */
  readonly leftOut: number
  /** The last revision of each stream. */
  readonly streams: ReadonlyMap<string, bigint>
  /** All of which the target may hold nothing else. */
  readonly categories: readonly string[]
  /** True for streams that only keep house, and for a server's own. */
  readonly leaves: (stream: string) => boolean
}

export const pageSize = 1000

export const contentsOf = async (
  source: EventStore,
  { categories: own, signal }: { readonly categories: readonly string[]; readonly signal: AbortSignal },
): Promise<Contents> => {
  const end = await orAway(source.head())
  const streams = new Map<string, bigint>()
  const cut = new Set<string>()
  const leaves = (stream: string) =>
    categoryOf(stream) === houseKeeping || stream.startsWith('$') || cut.has(stream)
  let events = 0
  let leftOut = 0
  for (let position = -1n; position < end; ) {
    signal.throwIfAborted()
    const page = await orAway(source.readAll(position, {}, pageSize))
    for (const event of page.events) {
      if (event.position > end) break
      if (!streams.has(event.stream) && !leaves(event.stream) && (await keepsLatest(source, event)))
        cut.add(event.stream)
      if (leaves(event.stream)) {
        leftOut++
        continue
      }
      streams.set(event.stream, event.revision)
      events++
    }
    position = page.position
    if (page.caughtUp) break
  }
  const categories = [...new Set([...own, ...[...streams.keys()].map(categoryOf)])]
  return { end, events, leftOut, streams, categories, leaves }
}

/**
 * Whether only the latest events of a stream are kept: the first ones are gone already, or the stream's metadata say so
 * in EventStoreDB's words. Such a stream cannot be copied with its revisions.
 */
const keepsLatest = async (source: EventStore, first: RecordedEvent): Promise<boolean> => {
  if (first.revision > 0n) return true
  const read = await source.read(`$$${first.stream}`, 'end', 'backward', 1)()
  if (isLeft(read)) {
    if (read.left.kind === 'Unavailable') throw new EventStoreAway(read.left.reason)
    return false
  }
  const data: unknown = read.right[0]?.data
  return typeof data === 'object' && data !== null && '$maxCount' in data
}
