import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { type Pair, pages } from './compare.ts'
import { type Contents, pageSize } from './contents.ts'

/**
 * The event of the target that stands where a position of the source is: the last that was copied of those up to it;
 * undefined where none was. Throws `UnavailableError`.
 */
export type Counterpart = (position: bigint) => Promise<RecordedEvent | undefined>

/** `pairs`: places that are the same, in order. From the nearest one on events are counted in both logs. */
export const createCounterpart = (
  source: EventStore,
  target: EventStore,
  { categories, leaves, end }: Pick<Contents, 'categories' | 'leaves' | 'end'>,
  pairs: readonly Pair[],
): Counterpart => {
  const isCopied = ({ stream }: RecordedEvent) => !leaves(stream)

  const countUpTo = async (from: bigint, to: bigint): Promise<number> => {
    let count = 0
    for (let position = from; ; ) {
      const page = await orThrow(source.readAll(position, {}, pageSize))
      count += page.events.filter((event) => isCopied(event) && event.position <= to).length
      if (page.caughtUp || page.position >= to) return count
      position = page.position
    }
  }
  const nth = async (from: bigint, count: number): Promise<RecordedEvent | undefined> => {
    let left = count
    for await (const page of pages(target, from, { categories }, isCopied)) {
      if (page.length >= left) return page[left - 1]
      left -= page.length
    }
    return undefined
  }

  return async (position) => {
    const to = position < end ? position : end
    // The last pair may be followed by nothing that was copied: then the event is the one at it, behind the pair before.
    const near = pairs.filter(({ source }) => source < to).slice(-2)
    for (const pair of [{ source: -1n, target: -1n }, ...near].reverse()) {
      const count = await countUpTo(pair.source, to)
      if (count > 0) return nth(pair.target, count)
    }
    return undefined
  }
}
