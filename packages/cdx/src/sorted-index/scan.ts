import { createHeap } from './heap.ts'
import type { Manifest, Run } from './manifest.ts'
import type { RunBlocks } from './run-blocks.ts'
import { createRunCursor, type RunCursor } from './run-cursor.ts'
import type { ScanRange } from './types.ts'
import { decisive, type Rank, shown, type Visible } from './visible.ts'

/** Searches that are under way at once. */
const maxSearches = 64
/** Lines of a batch: few at first, since many lookups need no more. */
const batchLines = { first: 32, most: 512 }

/** Selects and maps the lines of runs. */
export interface RunView<A> {
  /** Includes removed runs. */
  readonly includesRemoved: boolean
  visible(run: Run, isRemoved: boolean): Visible
  /** Maps a line by its highest rank. Undefined: the line is left out. */
  take(line: Buffer, rank: Rank): A | undefined
}

/** Merges the lines of all runs, each once. */
export async function* scanRuns<A>(
  manifest: Manifest,
  blocks: RunBlocks,
  { includesRemoved, visible: visibleLines, take }: RunView<A>,
  range: Pick<ScanRange, 'from' | 'to' | 'backwards'>,
): AsyncGenerator<readonly A[]> {
  const { backwards = false } = range
  const wanted = [
    ...manifest.live.map((run) => ({ run, isRemoved: false })),
    ...(includesRemoved ? manifest.removed.map((run) => ({ run, isRemoved: true })) : []),
  ].filter(({ run }) => mayHold(run, range))

  const cursors: RunCursor[] = []
  for (let i = 0; i < wanted.length; i += maxSearches) {
    const some = wanted.slice(i, i + maxSearches).flatMap(({ run, isRemoved }) => {
      const visible = visibleLines(run, isRemoved)
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
  let batch: A[] = []
  let size = batchLines.first
  let last: Buffer | undefined
  let rank = 0
  const emit = () => {
    const taken = last && take(last, rank)
    if (taken !== undefined) batch.push(taken)
  }
  for (let cursor = heap.least(); cursor; cursor = heap.least()) {
    const line = cursor.lines[cursor.at]!
    const own = cursor.ranks?.[cursor.at] ?? shown
    if (last?.equals(line)) rank = decisive(rank, own)
    else {
      emit()
      last = line
      rank = own
    }
    cursor.at++
    if (cursor.at < cursor.lines.length || (await cursor.refill())) heap.sift()
    else heap.drop()
    if (batch.length < size) continue
    yield batch
    batch = []
    size = Math.min(2 * size, batchLines.most)
  }
  emit()
  if (batch.length > 0) yield batch
}

/** Compares the range with the keys of the run's first and last line. */
const mayHold = ({ first, last, lines }: Run, { from, to }: Pick<ScanRange, 'from' | 'to'>): boolean => {
  if (lines === 0) return false
  const lastKey = Buffer.from(last, 'latin1')
  if (to && Buffer.compare(Buffer.from(first, 'latin1'), to) >= 0) return false
  return !from || Buffer.compare(lastKey, from.subarray(0, lastKey.length)) >= 0
}
