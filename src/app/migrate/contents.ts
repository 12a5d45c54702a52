import { pipe } from 'fp-ts/lib/function.js'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { categoryOf } from '../../domain/kernel/event.ts'
import { isLeaderEvent } from '../../domain/kernel/leader-lease.ts'
import type { EventStore, StreamMetadata } from '../../ports/event-store.ts'

/**
 * Returns the revision of the first readable event; `empty` if there is none, as after a soft deletion. Throws
 * `UnavailableError`.
 */
export const firstRevision = async (
  store: EventStore,
  stream: string,
): Promise<bigint | 'empty' | 'tombstoned'> => {
  const events = await pipe(
    store.read(stream, 'start', 'forward', 1),
    ifDeleted('tombstoned' as const),
    orThrow,
  )
  return events === 'tombstoned' ? events : (events[0]?.revision ?? 'empty')
}

/** The content of a log that is copied. */
export interface Contents {
  /** The log's last position when it was read. */
  readonly end: bigint
  readonly events: number
  /** Events of leader leases, which are not copied. */
  readonly leftOut: number
  /**
   * Streams whose first events `$maxCount` has removed. They are not copied: on a server revisions begin at 0, so their
   * events could not keep their own.
   */
  readonly cut: readonly string[]
  /** By stream, if it has any. */
  readonly metadata: ReadonlyMap<string, StreamMetadata>
  /** The last revision of each stream. */
  readonly streams: ReadonlyMap<string, bigint>
  /** The first readable revision of each stream whose earlier events were deleted before that was written. */
  readonly bornAt: ReadonlyMap<string, bigint>
  /** The target may hold no other events in these. */
  readonly categories: readonly string[]
  /** Returns true for streams that are not copied: leader leases and nodes, a server's own, cut ones. */
  readonly leaves: (stream: string) => boolean
}

export const pageSize = 1000

export const contentsOf = async (
  source: EventStore,
  { categories: own, signal }: { readonly categories: readonly string[]; readonly signal: AbortSignal },
): Promise<Contents> => {
  const end = await orThrow(source.head())
  const streams = new Map<string, bigint>()
  const cut = new Set<string>()
  const metadata = new Map<string, StreamMetadata>()
  const bornAt = new Map<string, bigint>()
  const leaves = (stream: string) => isLeaderEvent({ stream }) || stream.startsWith('$') || cut.has(stream)
  let events = 0
  let leftOut = 0
  for (let position = -1n; position < end; ) {
    signal.throwIfAborted()
    const page = await orThrow(source.readAll(position, {}, pageSize))
    for (const event of page.events) {
      if (event.position > end) break
      if (!streams.has(event.stream) && !leaves(event.stream)) {
        const found = await orThrow(source.metadata(event.stream))
        if (event.revision > 0n) cut.add(event.stream)
        else if (Object.keys(found).length > 0) metadata.set(event.stream, found)
        const first = await firstRevision(source, event.stream)
        if (typeof first === 'bigint' && first > 0n) bornAt.set(event.stream, first)
      }
      if (leaves(event.stream)) {
        if (!cut.has(event.stream)) leftOut++
        continue
      }
      streams.set(event.stream, event.revision)
      events++
    }
    position = page.position
    if (page.caughtUp) break
  }
  const categories = [...new Set([...own, ...[...streams.keys()].map(categoryOf)])]
  return { end, events, leftOut, cut: [...cut], metadata, streams, bornAt, categories, leaves }
}
