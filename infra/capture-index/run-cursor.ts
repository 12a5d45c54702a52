import type { ScanRange } from '../../src/ports/capture-index.ts'
import type { Run } from './manifest.ts'
import { blockCount, type RunBlocks } from './run-blocks.ts'
import type { Visible } from './visible.ts'

/** Reads the lines of one run within a range, some at a time. */
export interface RunCursor {
  /** The lines at hand, and the place of the next among them. */
  lines: readonly Buffer[]
  at: number
  /** Puts the next lines at hand, at least one; false at the end. */
  refill(): Promise<boolean>
}

export const createRunCursor = (
  blocks: RunBlocks,
  run: Run,
  { from, to, backwards = false }: ScanRange,
  visible: Visible,
): RunCursor => {
  const count = blockCount(run)
  const bound = backwards ? to : from
  let block: number | undefined

  /** The last block whose first line is before the target: the lines around the target are there. */
  const search = async (target: Uint8Array): Promise<number> => {
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      let probe = middle
      let first = await firstLine(probe)
      while (!first && probe < high) first = await firstLine(++probe)
      if (first && Buffer.compare(first, target) < 0) low = probe
      else high = middle - 1
    }
    return low
  }

  const firstLine = async (at: number): Promise<Buffer | undefined> => {
    const lines = await blocks.lines(run, at)
    return lines.length === 0 ? undefined : lines.subarray(0, lines.indexOf(10))
  }

  const isIn = (line: Buffer): boolean =>
    (!from || Buffer.compare(line, from) >= 0) && (!to || Buffer.compare(line, to) < 0)

  const visibleLines = async (at: number, lines: readonly Buffer[]): Promise<readonly Buffer[]> => {
    if (typeof visible === 'string') return lines.filter(isIn)
    const origins = await blocks.origins(run, at, lines.length)
    return lines.filter((line, i) => visible(origins[i]!) && isIn(line))
  }

  const cursor: RunCursor = {
    lines: [],
    at: 0,
    refill: async () => {
      block ??= bound ? await search(bound) : backwards ? count - 1 : 0
      while (block >= 0 && block < count) {
        const bytes = await blocks.lines(run, block)
        const all = linesIn(bytes)
        const edge = backwards ? all[0] : all.at(-1)
        const shown = await visibleLines(block, all)
        block += backwards ? -1 : 1
        if (edge && isBeyond(edge)) block = -1
        if (shown.length === 0) continue
        cursor.lines = backwards ? shown.toReversed() : shown
        cursor.at = 0
        return true
      }
      return false
    },
  }

  const isBeyond = (line: Buffer): boolean =>
    backwards
      ? from !== undefined && Buffer.compare(line, from) < 0
      : to !== undefined && Buffer.compare(line, to) >= 0

  return cursor
}

const linesIn = (bytes: Buffer): readonly Buffer[] => {
  const lines: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at)
    lines.push(bytes.subarray(at, end))
    at = end + 1
  }
  return lines
}
