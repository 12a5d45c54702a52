import { setImmediate } from 'node:timers/promises'
import { inclusionNodes, isSameHash, parseHash, type Tile, tilePath, toBase64 } from '@fonds/tlog'
import { emptyTree, type GrowingTree, leafHash, nodeHashes } from '@fonds/tlog/compute'
import { lineOfKey, streamEntry } from '../../../domain/kernel/proof/stream-row.ts'
import { linesOf } from '../verify/export-files.ts'

/** Rows between two turns of other work: some 5 ms. */
const breath = 1000

/**
 * The rows of streams as text, `<stream> <leaf>` a line, some at a time; each is a leaf of the tree that is given. Memory does not
 * grow with them.
 */
export async function* rowsText(
  streams: Iterable<readonly [stream: string, leaf: number]>,
  tree: GrowingTree,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  let some: string[] = []
  for (const [key, leaf] of streams) {
    const line = lineOfKey(key)
    tree.append(leafHash(Buffer.from(streamEntry(line, leaf))))
    some.push(`${line} ${leaf}\n`)
    if (some.length < breath) continue
    yield some.join('')
    some = []
    signal?.throwIfAborted()
    await setImmediate()
  }
  yield some.join('')
}

/** How many streams there are, and the root of their rows. */
export const sealOfStreams = async (
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
