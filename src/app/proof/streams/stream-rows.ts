import { inclusionNodes, isSameHash, parseHash, type Tile, tilePath, toBase64 } from '@fonds/tlog'
import { emptyTree, leafHash, nodeHashes } from '@fonds/tlog/compute'
import { streamEntry } from '../../../domain/kernel/proof/stream-row.ts'
import { rowsText } from '../../../workflows/system/seal-streams.ts'
import { linesOf } from '../verify/export-files.ts'

/** How many streams there are, and the root of their rows. */
export const rootOfStreams = async (
  streams: Iterable<readonly [stream: string, leaf: number]>,
  signal?: AbortSignal,
): Promise<{ readonly streams: number; readonly root: string }> => {
  const tree = emptyTree()
  for await (const _ of rowsText(streams, tree, signal)) {
    // Each row is in the tree.
  }
  return { streams: Number(tree.size), root: toBase64(tree.root()) }
}

/** A row with the hashes that prove its place. */
export interface StreamRow {
  readonly line: string
  readonly leaf: bigint
  readonly index: bigint
  readonly proof: readonly Uint8Array[]
}

/**
 * Proves the rows of streams, by the lines of these, in one pass; undefined where the text is not that of the root. Memory: 32 bytes
 * for 256 rows, and what is found.
 */
export const proveStreamRows = async (
  text: AsyncIterable<string>,
  root: string,
  wanted: ReadonlySet<string>,
): Promise<readonly StreamRow[] | undefined> => {
  const tree = emptyTree()
  const tiles = new Map<string, Uint8Array>()
  const found: Omit<StreamRow, 'proof'>[] = []
  let isNear = false
  for await (const row of linesOf(text)) {
    const end = row.lastIndexOf(' ')
    const [line, leaf] = [row.slice(0, end), row.slice(end + 1)]
    if (wanted.has(line)) {
      found.push({ line, leaf: BigInt(leaf), index: tree.size })
      isNear = true
    }
    for (const { bytes, ...tile } of tree.append(leafHash(Buffer.from(streamEntry(line, leaf))))) {
      if (tile.level > 0 || isNear) tiles.set(tilePath(tile), bytes)
      if (tile.level === 0) isNear = false
    }
  }
  for (const { bytes, ...tile } of tree.partial()) tiles.set(tilePath(tile), bytes)
  const expected = parseHash(root)
  if (expected === undefined || !isSameHash(tree.root(), expected)) return undefined
  const bytesOf = async (tile: Tile): Promise<Uint8Array> => tiles.get(tilePath(tile))!
  const proven: StreamRow[] = []
  for (const one of found)
    proven.push({
      ...one,
      proof: await nodeHashes(inclusionNodes(one.index, tree.size), tree.size, bytesOf),
    })
  return proven
}
