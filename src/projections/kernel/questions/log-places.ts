import { setImmediate } from 'node:timers/promises'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { logBlocks, logTypes } from '../../../domain/kernel/views.ts'
import { markLength, markOf } from '../log-index.ts'

/** Events of some types in a block of the log, which begins after a position. */
interface TypedBlock {
  readonly after: bigint
  readonly count: number
}

/** The first blocks that hold events of these types and end after a position, at most `most`. */
export const blocksOfTypes = (
  viewStore: Views,
  wanted: readonly string[],
  position: bigint,
  most: number,
): readonly TypedBlock[] => {
  const [first] = rows(viewStore, logBlocks, {
    where: [{ column: 'after', is: '<=', value: Number(position) }],
    orderBy: [{ column: 'after', descending: true }],
    limit: 1,
  })
  const counts = new Map<number, number>()
  for (const type of new Set(wanted))
    for (const row of rows(viewStore, logTypes, {
      where: [is('type', type), { column: 'after', is: '>=', value: first?.after ?? -1 }],
      orderBy: [{ column: 'after' }],
      limit: most,
    }))
      counts.set(row.after, (counts.get(row.after) ?? 0) + row.events)
  return [...counts]
    .sort(([a], [b]) => a - b)
    .slice(0, most)
    .map(([after, count]) => ({ after: BigInt(after), count }))
}

/** A part of the log: after a position, up to another. */
export interface Block {
  readonly after: bigint
  readonly until: bigint
}

const blocksOfPage = 200

/**
 * The blocks, folded up to a position, that may hold events caused by a message with one of some ids: all that do, and a
 * few more. The event loop runs between pages of blocks.
 */
export async function* blocksOfMessage(
  viewStore: Views,
  ids: readonly string[],
  folded: bigint,
): AsyncGenerator<Block> {
  const marks = ids.map(markOf)
  for (let from = -1; BigInt(from) < folded; ) {
    // One block more than a page: it shows where the last one of the page ends.
    const page = rows(viewStore, logBlocks, {
      where: [{ column: 'after', is: '>=', value: from }],
      limit: blocksOfPage + 1,
    })
    for (const [i, { after, messages }] of page.slice(0, blocksOfPage).entries())
      if (marks.some((mark) => holds(messages, mark))) {
        const next = page[i + 1]
        yield {
          after: BigInt(after),
          until: next ? BigInt(next.after) : folded,
        }
      }
    const last = page[blocksOfPage]
    if (!last) return
    from = last.after
    await setImmediate()
  }
}

const holds = (messages: string, mark: string): boolean => {
  for (let at = messages.indexOf(mark); at >= 0; at = messages.indexOf(mark, at + 1))
    if (at % markLength === 0) return true
  return false
}
