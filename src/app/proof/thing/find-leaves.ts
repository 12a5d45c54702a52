import { tileWidth } from '@fonds/tlog'
import { isRight } from 'fp-ts/lib/Either.js'
import {
  type EventLeaf,
  entryForm,
  leafLine,
  parseEventEntry,
} from '../../../domain/kernel/proof/event-leaf.ts'
import { bundleEntries, type TileFiles } from '../open-tree.ts'

export interface FoundEntry {
  readonly index: bigint
  /** Its name, also where the entry has a digest. */
  readonly stream: string
  readonly entry: Uint8Array
  readonly leaf: EventLeaf
}

export interface EventPlace {
  readonly stream: string
  readonly revision: bigint
}

/** Which leaves are wanted: all of some streams, and single events of others. */
export interface WantedLeaves {
  readonly streams: readonly string[]
  readonly events: readonly EventPlace[]
}

interface ScanOptions {
  readonly onProgress: (leaves: number, of: number) => void
  readonly signal: AbortSignal
}

/**
 * Searches the entries of a tree, the newest first, until each stream's first event and each single event is found. Returns them in
 * the order of the tree. Memory holds what is found, and 256 entries.
 */
export const findLeaves = async (
  files: TileFiles,
  size: bigint,
  { streams, events }: WantedLeaves,
  { onProgress, signal }: ScanOptions,
): Promise<readonly FoundEntry[]> => {
  const names = new Map(
    [...streams, ...events.map(({ stream }) => stream)].map((name) => [leafLine(name), name]),
  )
  const whole = new Set(streams.map(leafLine))
  const single = new Set(events.map(keyOf))
  /** Streams whose first event was not found yet. */
  const open = new Set(whole)
  const found: FoundEntry[] = []
  const width = BigInt(tileWidth)
  for (let end = size; end > 0n && open.size + single.size > 0; ) {
    signal.throwIfAborted()
    const from = ((end - 1n) / width) * width
    const entries = await bundleEntries(files, from / width, Number(end - from))
    for (let at = Number(end - from) - 1; at >= 0; at--) {
      const entry = entries[at]!
      const [form, line = '', revision] = Buffer.from(entry).toString().split('\n', 3)
      if (form !== entryForm || !names.has(line)) continue
      if (!single.delete(`${line}\n${revision}`) && !whole.has(line)) continue
      const leaf = parseEventEntry(entry)
      if (!isRight(leaf)) continue
      found.push({ index: from + BigInt(at), stream: names.get(line)!, entry, leaf: leaf.right })
      if (leaf.right.revision === 0n || leaf.right.previous === undefined) open.delete(line)
    }
    end = from
    onProgress(Number(size - end), Number(size))
  }
  return found.reverse()
}

const keyOf = ({ stream, revision }: EventPlace): string => `${leafLine(stream)}\n${revision}`
