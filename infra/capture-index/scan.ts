import type { ScanRange } from '../../src/ports/capture-index.ts'
import { createHeap } from './heap.ts'
import type { Manifest, Run } from './manifest.ts'
import type { RunBlocks } from './run-blocks.ts'
import { createRunCursor, type RunCursor } from './run-cursor.ts'
import { type AskedOf, decisive, shown, type Visible } from './visible.ts'

/** Searches that are under way at once. */
const maxSearches = 64
/** Lines of a batch: few at first, since many look-ups want no more. */
const batchLines = { first: 32, most: 512 }

/** The lines of all runs that show some, merged, each once. */
export async function* scanRuns(
  manifest: Manifest,
  blocks: RunBlocks,
  visibleLines: (run: Run, asked: AskedOf) => Visible,
  range: ScanRange,
): AsyncGenerator<readonly Buffer[]> {
  const { asOf, backwards = false } = range
  const hasRemovals = manifest.lastRemoval !== undefined
  const wanted = [
    ...manifest.live.map((run) => ({ run, isRemoved: false })),
    ...(asOf === undefined ? [] : manifest.removed.map((run) => ({ run, isRemoved: true }))),
  ].filter(({ run }) => mayHold(run, range))

  const cursors: RunCursor[] = []
  for (let i = 0; i < wanted.length; i += maxSearches) {
    const some = wanted.slice(i, i + maxSearches).flatMap(({ run, isRemoved }) => {
      const visible = visibleLines(run, { isRemoved, asOf, hasRemovals })
      return visible === 'none' ? [] : [createRunCursor(blocks, run, range, visible)]
    })
    const found = await Promise.all(some.map((cursor) => cursor.refill()))
    cursors.push(...some.filter((_, j) => found[j]))
  }

  const order = (a: RunCursor, b: RunCursor) => {
    const least = Buffer.compare(a.lines[a.at]!, b.lines[b.at]!)
    return backwards ? -least : least
  }
  const heap = createHeap(cursors, order)
  let batch: Buffer[] = []
  let size = batchLines.first
  let last: Buffer | undefined
  let rank = 0
  for (let cursor = heap.least(); cursor; cursor = heap.least()) {
    const line = cursor.lines[cursor.at]!
    const own = cursor.ranks?.[cursor.at] ?? shown
    if (last?.equals(line)) rank = decisive(rank, own)
    else {
      if (last && rank > 0) batch.push(last)
      last = line
      rank = own
    }
    cursor.at++
    if (cursor.at < cursor.lines.length || (await cursor.refill())) heap.settle()
    else heap.drop()
    if (batch.length < size) continue
    yield batch
    batch = []
    size = Math.min(2 * size, batchLines.most)
  }
  if (last && rank > 0) batch.push(last)
  if (batch.length > 0) yield batch
}

/** By the keys of its first and last line. */
const mayHold = ({ first, last, lines }: Run, { from, to }: ScanRange): boolean => {
  if (lines === 0) return false
  const lastKey = Buffer.from(last, 'latin1')
  if (to && Buffer.compare(Buffer.from(first, 'latin1'), to) >= 0) return false
  return !from || Buffer.compare(lastKey, from.subarray(0, lastKey.length)) >= 0
}
