import { partialTiles, type Tile, tileWidth } from '../tiles.ts'
import { completeRoot, joined } from './hashes.ts'
import { hashesIn, type ReadTile } from './node-hashes.ts'

/* A tree that grows: it holds its partial tiles alone, at most 255 hashes a level, however many leaves there are. */

export interface FullTile extends Tile {
  readonly bytes: Uint8Array
}

export interface GrowingTree {
  readonly size: bigint
  /** Adds the hash of a leaf. Returns the tiles that became full by it, the lowest level first; mostly none. */
  append(leaf: Uint8Array): readonly FullTile[]
  root(): Uint8Array
  /** Partial tiles of the tree as it is now, the lowest level first. */
  partial(): readonly FullTile[]
}

/** Opens a tree of a size; `read` is asked for its partial tiles. Throws what `read` throws; `RangeError` for a short tile. */
export const growingTree = async (size: bigint, read: ReadTile): Promise<GrowingTree> => {
  const levels: Uint8Array[][] = []
  for (const tile of partialTiles(size)) {
    const hashes = hashesIn(await read(tile)).slice(0, tile.width)
    if (hashes.length < tile.width)
      throw new RangeError(`a tile of level ${tile.level} has ${hashes.length} of ${tile.width} hashes`)
    // A tile is a slice of a larger buffer, or of a file: what is kept is its own.
    levels[tile.level] = hashes.map((hash) => Uint8Array.from(hash))
  }
  return grow(size, levels)
}

export const emptyTree = (): GrowingTree => grow(0n, [])

const grow = (begun: bigint, levels: Uint8Array[][]): GrowingTree => {
  let size = begun
  const rowOf = (level: number) => {
    levels[level] ??= []
    return levels[level]
  }
  return {
    get size() {
      return size
    },
    append: (leaf) => {
      size += 1n
      rowOf(0).push(leaf)
      const full: FullTile[] = []
      for (let level = 0; rowOf(level).length === tileWidth; level++) {
        const row = rowOf(level)
        levels[level] = []
        const index = (size >> BigInt(8 * (level + 1))) - 1n
        full.push({ level, index, width: tileWidth, bytes: Buffer.concat(row) })
        rowOf(level + 1).push(completeRoot(row))
      }
      return full
    },
    root: () => joined(rightEdge(levels)),
    partial: () => partialTiles(size).map((tile) => ({ ...tile, bytes: Buffer.concat(rowOf(tile.level)) })),
  }
}

/** The largest complete subtrees of the tree, from left to right. */
const rightEdge = (levels: readonly (readonly Uint8Array[] | undefined)[]): readonly Uint8Array[] =>
  levels.toReversed().flatMap((row = []) => {
    const found: Uint8Array[] = []
    for (let at = 0, bit = tileWidth / 2; bit > 0; bit >>= 1)
      if ((row.length & bit) !== 0) {
        found.push(completeRoot(row.slice(at, at + bit)))
        at += bit
      }
    return found
  })
