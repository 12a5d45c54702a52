import { setImmediate } from 'node:timers/promises'
import type { ViewStore } from '../../ports/view-store.ts'
import { blocks, markLength, markOf, types } from './log-index.ts'

type Views = Pick<ViewStore, 'query'>

/** Events of some types in a block of the log, which begins behind a position. */
export interface TypedBlock {
  readonly after: bigint
  readonly count: number
}

/** The first blocks that hold events of these types and end behind a position, at most `most`. */
export const blocksOfTypes = (
  viewStore: Views,
  wanted: readonly string[],
  position: bigint,
  most: number,
): readonly TypedBlock[] => {
  const [first] = viewStore.query(blocks.name, {
    where: [{ column: 'after', is: '<=', value: Number(position) }],
    orderBy: [{ column: 'after', descending: true }],
    limit: 1,
  })
  const counts = new Map<number, number>()
  for (const type of new Set(wanted))
    for (const row of viewStore.query(types.name, {
      where: [
        { column: 'type', is: '=', value: type },
        { column: 'after', is: '>=', value: (first?.after as number | undefined) ?? -1 },
      ],
      orderBy: [{ column: 'after' }],
      limit: most,
    }))
      counts.set(row.after as number, (counts.get(row.after as number) ?? 0) + (row.count as number))
  return [...counts]
    .sort(([a], [b]) => a - b)
    .slice(0, most)
    .map(([after, count]) => ({ after: BigInt(after), count }))
}

/** A stretch of the log: behind a position, up to another. */
export interface Block {
  readonly after: bigint
  readonly until: bigint
}

const blocksOfPage = 200

/**
 * The blocks, of those folded up to a position, that may hold what a message led to: all that do, and a few more. Each
 * page of blocks is looked through in a turn of its own.
 */
export async function* blocksOfMessage(viewStore: Views, id: string, folded: bigint): AsyncGenerator<Block> {
  const mark = markOf(id)
  for (let from = -1; BigInt(from) < folded; ) {
    // One more tells where the last one ends.
    const page = viewStore.query(blocks.name, {
      where: [{ column: 'after', is: '>=', value: from }],
      limit: blocksOfPage + 1,
    })
    for (const [i, { after, messages }] of page.slice(0, blocksOfPage).entries())
      if (holds(messages as string, mark)) {
        const next = page[i + 1]
        yield {
          after: BigInt(after as number),
          until: next ? BigInt(next.after as number) : folded,
        }
      }
    const last = page[blocksOfPage]
    if (!last) return
    from = last.after as number
    await setImmediate()
  }
}

const holds = (messages: string, mark: string): boolean => {
  for (let at = messages.indexOf(mark); at >= 0; at = messages.indexOf(mark, at + 1))
    if (at % markLength === 0) return true
  return false
}
