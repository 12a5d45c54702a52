import { isSameHash, tilePath, tileWidth } from '@fonds/tlog'
import { emptyTree, type FullTile, leafHash, nodeHashes } from '@fonds/tlog/compute'
import { BrokenTree, bundleEntries, type TileFiles, tileBytes } from '../open-tree.ts'

/* Proofs are made of the tiles: each must have the hashes of its entries. All throw `BrokenTree`. */

export const expectTile = async (files: TileFiles, { bytes, ...tile }: FullTile): Promise<void> => {
  const found = await tileBytes(files, tile)
  if (Buffer.compare(found.subarray(0, bytes.length), bytes) !== 0)
    throw new BrokenTree(`${tilePath(tile)} in ${files.folder} does not have the hashes of its entries`)
}

/** The tile of a full bundle, and the hash above that. */
export const expectTilesOf = async (files: TileFiles, index: bigint, size: bigint): Promise<void> => {
  const tree = emptyTree()
  for (const entry of await bundleEntries(files, index, tileWidth))
    for (const tile of tree.append(leafHash(entry))) await expectTile(files, { ...tile, index })
  const start = index * BigInt(tileWidth)
  const range = { start, end: start + BigInt(tileWidth) }
  const [above] = await nodeHashes([range], size, (tile) => tileBytes(files, tile))
  if (!isSameHash(above!, tree.root()))
    throw new BrokenTree(
      `a tile of level 1 in ${files.folder} does not have the hash of leaves ${range.start} to ${range.end - 1n}`,
    )
}
