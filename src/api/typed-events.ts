import { setImmediate } from 'node:timers/promises'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { System } from '../app/system.ts'
import { livePosition } from '../async/caught-up.ts'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import { leaderEvents } from '../domain/kernel/leader-lease.ts'
import { presenceEvents } from '../domain/kernel/presence.ts'
import type { EventBatch, EventFilter } from '../ports/event-store.ts'
import type { Unavailable } from '../ports/unavailable.ts'
import { logIndex } from '../projections/kernel/log-index.ts'
import { blocksOfTypes } from '../projections/kernel/questions/log-places.ts'

/** Blocks of the log that are read for one answer. */
const maxBlocks = 50

/**
 * Events of some types behind a position, at most `limit`. Up to where the log's index is folded only the blocks that it
 * names are read; behind that, or without an index, it is `readAll`.
 */
export const eventsOfTypes = async (
  { eventStore, viewStore }: Pick<System, 'eventStore' | 'viewStore'>,
  filter: EventFilter & { readonly types: readonly string[] },
  after: bigint,
  limit: number,
): Promise<Either<Unavailable, EventBatch>> => {
  const folded = livePosition(viewStore, logIndex.name)
  if (after >= folded || filter.types.some(isUnindexed)) return eventStore.readAll(after, filter, limit)()
  const events: RecordedEvent[] = []
  const blocks = blocksOfTypes(viewStore, filter.types, after, maxBlocks)
  let position = after
  for (const block of blocks) {
    if (block.after > position) position = block.after
    const most = Math.min(block.count, limit - events.length)
    const page = await eventStore.readAll(position, filter, most)()
    if (isLeft(page)) return page
    events.push(...page.right.events)
    position = page.right.events.at(-1)?.position ?? position
    if (events.length >= limit) return right({ events, position, caughtUp: false })
    await setImmediate()
  }
  // The blocks read hold all events of these types up to where the index is folded, unless it names more blocks.
  if (blocks.length === maxBlocks) return right({ events, position, caughtUp: false })
  const rest = await eventStore.readAll(
    position > folded ? position : folded,
    filter,
    limit - events.length,
  )()
  return isLeft(rest) ? rest : right({ ...rest.right, events: [...events, ...rest.right.events] })
}

/** Events of leader leases are not in the index: the log keeps the latest alone. */
const isUnindexed = (type: string): boolean =>
  [...leaderEvents.types, ...presenceEvents.types].some((one) => one === type)
