import type { Run } from './manifest.ts'
import { blockCount, type RunBlocks } from './run-blocks.ts'
import type { ScanRange } from './types.ts'
import { type Rank, shown, type Visible } from './visible.ts'

/** Reads the lines of one run within a range, some at a time. */
export interface RunCursor {
  /** The current lines, and the index of the next among them. */
  lines: readonly Buffer[]
  /** The rank of each line; undefined if all are shown. */
  ranks: readonly Rank[] | undefined
  at: number
  /** Loads the next lines, at least one. Returns false at the end. */
  refill(): Promise<boolean>
}

export const createRunCursor = (
  blocks: RunBlocks,
  run: Run,
  { from, to, backwards = false }: Pick<ScanRange, 'from' | 'to' | 'backwards'>,
  visible: Exclude<Visible, 'none'>,
): RunCursor => {
  const count = blockCount(run)
  const bound = backwards ? to : from
  let block: number | undefined

  /** Finds the last block whose first line is before the target: the lines around the target are there. */
  const search = async (target: Uint8Array): Promise<number> => {
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      let probe = middle
      let first = blocks.first(run, probe)
      // A cached block is not awaited: a microtask costs more than a comparison.
      if (first instanceof Promise) first = await first
      while (first.length === 0 && probe < high) first = await blocks.first(run, ++probe)
      if (first.length > 0 && Buffer.compare(first, target) < 0) low = probe
      else high = middle - 1
    }
    return low
  }

  /** Returns true if all lines of a block are behind the range. */
  const isBehind = async (at: number): Promise<boolean> => {
    if (backwards || !to || at >= count) return false
    const first = await blocks.first(run, at)
    return first.length > 0 && Buffer.compare(first, to) >= 0
  }

  const ranked = async (at: number, { lines, skipped }: BlockLines): Promise<RankedLines> => {
    if (visible === shown || lines.length === 0) return { lines, ranks: undefined }
    if (typeof visible === 'number') return { lines, ranks: lines.map(() => visible) }
    const origins = await blocks.origins(run, at, skipped + lines.length)
    if (!origins) return { lines: [], ranks: [] }
    const all = lines.map((_, i) => visible(origins[skipped + i]!))
    return { lines: lines.filter((_, i) => all[i] !== 0), ranks: all.filter((rank) => rank !== 0) }
  }

  const cursor: RunCursor = {
    lines: [],
    ranks: undefined,
    at: 0,
    refill: async () => {
      block ??= bound ? await search(bound) : backwards ? count - 1 : 0
      while (block >= 0 && block < count) {
        const found = linesWithin(await blocks.lines(run, block), from, to)
        const { lines, ranks } = await ranked(block, found)
        const isLast = backwards ? found.skipped > 0 : found.isPast
        block += backwards ? -1 : 1
        if (isLast || (await isBehind(block))) block = -1
        if (lines.length === 0) continue
        cursor.lines = backwards ? lines.toReversed() : lines
        cursor.ranks = backwards ? ranks?.toReversed() : ranks
        cursor.at = 0
        return true
      }
      return false
    },
  }

  return cursor
}

type RankedLines = Pick<RunCursor, 'lines' | 'ranks'>

interface BlockLines {
  readonly lines: readonly Buffer[]
  /** Lines of the block before them. */
  readonly skipped: number
  /** The block has lines behind the range. */
  readonly isPast: boolean
}

/** Selects the lines of a block from `from` up to `to`, which is exclusive. */
const linesWithin = (bytes: Buffer, from: Uint8Array | undefined, to: Uint8Array | undefined): BlockLines => {
  const lines: Buffer[] = []
  let skipped = 0
  let isBefore = from !== undefined
  const last = bytes.subarray(bytes.lastIndexOf(10, -2) + 1, -1)
  const isWithin = !to || Buffer.compare(last, to) < 0
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at)
    isBefore &&= bytes.compare(from!, 0, from!.length, at, end) < 0
    if (isBefore) skipped++
    else if (isWithin || bytes.compare(to!, 0, to!.length, at, end) < 0) lines.push(bytes.subarray(at, end))
    else return { lines, skipped, isPast: true }
    at = end + 1
  }
  return { lines, skipped, isPast: false }
}
