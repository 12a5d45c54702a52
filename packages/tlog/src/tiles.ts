import type { Subtree } from './tree.ts'

/* Tiles: a tree as files of 256 hashes, as c2sp.org/tlog-tiles has them. */

/** Levels of the tree that one level of tiles takes. */
export const tileLevels = 8
/** Hashes of a full tile, entries of a full bundle. */
export const tileWidth = 256

export interface Tile {
  /** 0 holds hashes of leaves; each further level hashes of full tiles of the level below. */
  readonly level: number
  readonly index: bigint
  /** 1 to 256; below 256 the tile is partial. */
  readonly width: number
}

/** Entries of the leaves of a tile of level 0. */
export interface Bundle extends Omit<Tile, 'level'> {
  readonly level: 'entries'
}

/** 1234067 → `x001/x234/067` */
const indexPath = (index: bigint): string => {
  const digits = index.toString()
  const parts = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  return parts.map((part, i) => (i === parts.length - 1 ? part : `x${part}`)).join('/')
}

/** Path below the prefix of a log: `tile/0/x001/067`, and `tile/0/x001/067.p/12` for 12 hashes. */
export const tilePath = ({ level, index, width }: Tile | Bundle): string =>
  `tile/${level}/${indexPath(index)}${width === tileWidth ? '' : `.p/${width}`}`

/** Returns the tile of a path in its one canonical form; undefined for any other text. */
export const parseTilePath = (path: string): Tile | Bundle | undefined => {
  const found = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path)
  if (!found) return undefined
  const [, named = '', digits = '', partial] = found
  const level = named === 'entries' ? named : Number(named)
  const index = BigInt(digits.replace(/[x/]/g, ''))
  const width = partial === undefined ? tileWidth : Number(partial)
  const tile: Tile | Bundle = level === 'entries' ? { level, index, width } : { level, index, width }
  const isPossible = level === 'entries' || level < 64
  return isPossible && width > 0 && tilePath(tile) === path ? tile : undefined
}

/** Width that a tile has in a tree; 0: the tree has no such tile. */
const widthIn = (size: bigint, level: number, index: bigint): number => {
  const hashes = (size >> BigInt(tileLevels * level)) - index * BigInt(tileWidth)
  return hashes <= 0n ? 0 : hashes >= tileWidth ? tileWidth : Number(hashes)
}

/** Bundle of a tree of this size, by its index; of width 0 where the tree ends before it. */
export const bundleAt = (index: bigint, size: bigint): Bundle => ({
  level: 'entries',
  index,
  width: widthIn(size, 0, index),
})

/** Tile of a tree that a complete subtree is read from. */
export const tileOf = ({ level, index }: Subtree, size: bigint): Tile => {
  const tileLevel = Math.floor(level / tileLevels)
  const tileIndex = index >> BigInt((tileLevel + 1) * tileLevels - level)
  return { level: tileLevel, index: tileIndex, width: widthIn(size, tileLevel, tileIndex) }
}

/** Partial tiles at the right edge of a tree, level 0 first. */
export const partialTiles = (size: bigint): readonly Tile[] => {
  const found: Tile[] = []
  for (let level = 0, hashes = size; hashes > 0n; level++, hashes >>= BigInt(tileLevels)) {
    const width = Number(hashes % BigInt(tileWidth))
    if (width > 0) found.push({ level, index: hashes / BigInt(tileWidth), width })
  }
  return found
}

/** All tiles and bundles of a tree, level by level, and in the order of their indexes. */
export function* tilesOf(size: bigint): Generator<Tile | Bundle> {
  for (let level = 0; size >> BigInt(tileLevels * level) > 0n; level++)
    for (let index = 0n; widthIn(size, level, index) > 0; index++) {
      const tile = { index, width: widthIn(size, level, index) }
      yield { level, ...tile }
      if (level === 0) yield { level: 'entries', ...tile }
    }
}
