import { hashBytes } from '../hash.ts'
import { type Tile, tileLevels, tileOf, tilePath } from '../tiles.ts'
import { type Range, type Subtree, subtreesOf } from '../tree.ts'
import { completeRoot, joined } from './hashes.ts'

/* Hashes of a tree's nodes, read from its tiles. */

/** Hash of a complete subtree out of the bytes of its tile. */
const hashInTile = (bytes: Uint8Array, { level, index }: Subtree): Uint8Array => {
  const height = level % tileLevels
  const first = Number(BigInt.asUintN(tileLevels - height, index)) << height
  const end = (first + (1 << height)) * hashBytes
  if (bytes.length < end) throw new RangeError(`the tile ends before subtree ${index} of level ${level}`)
  return completeRoot(bytes.subarray(first * hashBytes, end))
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
    await Promise.all([...wanted].map(async ([path, tile]) => [path, await read(tile)] as const)),
  )
  return nodes.map((node) =>
    joined(
      subtreesOf(node).map((subtree) => hashInTile(tiles.get(tilePath(tileOf(subtree, size)))!, subtree)),
    ),
  )
}
