import { hashBytes } from '../hash.ts'
import { partialTiles, type Tile, tileWidth } from '../tiles.ts'
import { completeRoot, joined } from './hashes.ts'
import type { ReadTile } from './node-hashes.ts'

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
  const levels: Row[] = []
  for (const tile of partialTiles(size)) {
    const bytes = await read(tile)
    const row = emptyRow()
    levels[tile.level] = row
    row.length = tile.width * hashBytes
    if (bytes.length < row.length)
      throw new RangeError(`a tile of level ${tile.level} has ${bytes.length} of ${row.length} bytes`)
    row.bytes.set(bytes.subarray(0, row.length))
  }
  return grow(size, levels)
}

export const emptyTree = (): GrowingTree => grow(0n, [])

/** Hashes of a level that fill no tile yet, side by side. */
interface Row {
  readonly bytes: Uint8Array
  /** How many bytes of them are hashes. */
  length: number
}

const emptyRow = (): Row => ({ bytes: new Uint8Array(tileWidth * hashBytes), length: 0 })
const hashesOf = ({ bytes, length }: Row): Uint8Array => bytes.subarray(0, length)

const grow = (begun: bigint, levels: Row[]): GrowingTree => {
  let size = begun
  const rowOf = (level: number): Row => {
    levels[level] ??= emptyRow()
    return levels[level]
  }
  /** Returns whether the level has a full tile now. */
  const push = (row: Row, hash: Uint8Array): boolean => {
    row.bytes.set(hash, row.length)
    row.length += hashBytes
    return row.length === row.bytes.length
  }
  const fullTiles = (): readonly FullTile[] => {
    const full: FullTile[] = []
    for (let level = 0, isFull = true; isFull; level++) {
      const { bytes } = rowOf(level)
      levels[level] = emptyRow()
      const index = (size >> BigInt(8 * (level + 1))) - 1n
      full.push({ level, index, width: tileWidth, bytes })
      isFull = push(rowOf(level + 1), completeRoot(bytes))
    }
    return full
  }
  return {
    get size() {
      return size
    },
    append: (leaf) => {
      size += 1n
      return push(rowOf(0), leaf) ? fullTiles() : none
    },
    root: () => joined(rightEdge(levels)),
    partial: () =>
      partialTiles(size).map((tile) => ({ ...tile, bytes: Uint8Array.from(hashesOf(rowOf(tile.level))) })),
  }
}

const none: readonly FullTile[] = []

/** The largest complete subtrees of the tree, from left to right. */
const rightEdge = (levels: readonly (Row | undefined)[]): readonly Uint8Array[] =>
  levels.toReversed().flatMap((row) => {
    const found: Uint8Array[] = []
    if (!row) return found
    for (let at = 0, some = row.bytes.length / 2; some >= hashBytes; some /= 2)
      if ((row.length & some) !== 0) {
        found.push(completeRoot(row.bytes.subarray(at, at + some)))
        at += some
      }
    return found
  })
