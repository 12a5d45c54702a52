import { tilePath } from '@fonds/tlog'
import { emptyTree, type FullTile, type GrowingTree, leafHash, type ReadTile } from '@fonds/tlog/compute'

/** A tree of these entries with its tiles, full and partial, as a log would store them. */
export const grown = (
  entries: readonly Uint8Array[],
): {
  readonly tree: GrowingTree
  readonly read: ReadTile
  readonly files: ReadonlyMap<string, Uint8Array>
} => {
  const tree = emptyTree()
  const files = new Map<string, Uint8Array>()
  const store = (tile: FullTile) => files.set(tilePath(tile), tile.bytes)
  for (const entry of entries) tree.append(leafHash(entry)).forEach(store)
  tree.partial().forEach(store)
  return {
    tree,
    files,
    read: async (tile) => {
      const bytes = files.get(tilePath(tile))
      if (bytes === undefined) throw new Error(`no ${tilePath(tile)}`)
      return bytes
    },
  }
}
