import { hashBytes } from '../hash.ts'
import { type Tile, tileLevels, tileOf, tilePath } from '../tiles.ts'
import { type Range, type Subtree, subtreesOf } from '../tree.ts'
import { completeRoot, joined } from './hashes.ts'

/* Hashes of a tree's nodes, read from its tiles. */

export const hashesIn = (bytes: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: bytes.length / hashBytes }, (_, i) =>
    bytes.subarray(i * hashBytes, (i + 1) * hashBytes),
  )

/** Hash of a complete subtree out of the hashes of its tile. */
const hashInTile = (hashes: readonly Uint8Array[], { level, index }: Subtree): Uint8Array => {
  const height = level % tileLevels
  const first = Number(BigInt.asUintN(tileLevels - height, index)) << height
  const row = hashes.slice(first, first + (1 << height))
  if (row.length < 1 << height)
    throw new RangeError(`the tile ends before subtree ${index} of level ${level}`)
  return completeRoot(row)
}

/** Reads a tile; wider ones are taken, too, for a partial tile goes once its full one is there. */
export type ReadTile = (tile: Tile) => Promise<Uint8Array>

/** Hashes of nodes of a tree, read from its tiles: each tile once. Throws what `read` throws; `RangeError` for a short tile. */
export const nodeHashes = async (
  nodes: readonly Range[],
  size: bigint,
  read: ReadTile,
): Promise<readonly Uint8Array[]> => {
  const wanted = new Map<string, Tile>()
  for (const node of nodes)
    for (const subtree of subtreesOf(node)) {
      const tile = tileOf(subtree, size)
      wanted.set(tilePath(tile), tile)
    }
  const tiles = new Map(
    await Promise.all([...wanted].map(async ([path, tile]) => [path, hashesIn(await read(tile))] as const)),
  )
  return nodes.map((node) =>
    joined(
      subtreesOf(node).map((subtree) => hashInTile(tiles.get(tilePath(tileOf(subtree, size)))!, subtree)),
    ),
  )
}
