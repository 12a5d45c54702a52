import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type Bundle,
  bundleAt,
  entryBundle,
  hashBytes,
  type Tile,
  tilePath,
  tilesOf,
  tileWidth,
} from '@fonds/tlog'
import { BrokenTree, bundleEntries, expectWhole, type TileFiles } from '../open-tree.ts'

/** Writes the tiles and bundles of a tree of this size, and no others. Throws `BrokenTree`, `UnavailableError`. */
export const copyTree = async (files: TileFiles, size: bigint, folder: string): Promise<void> => {
  for (const tile of tilesOf(size)) await copyTile(files, tile, folder)
}

/** Writes the bundles of entries from a leaf on, which is the first of a bundle. Throws `BrokenTree`, `UnavailableError`. */
export const copyEntries = async (
  files: TileFiles,
  from: bigint,
  size: bigint,
  folder: string,
): Promise<void> => {
  for (let index = from / BigInt(tileWidth); index * BigInt(tileWidth) < size; index++)
    await copyTile(files, bundleAt(index, size), folder)
}

const copyTile = async (files: TileFiles, tile: Tile | Bundle, folder: string): Promise<void> => {
  const path = join(folder, tilePath(tile))
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await bytesOf(files, tile))
}

/** A wider one may stand in its place: the tree has grown. */
const bytesOf = async (files: TileFiles, tile: Tile | Bundle): Promise<Uint8Array> => {
  const found = await files.tile(tile)
  if (!found) throw new BrokenTree(`${files.folder} lacks ${tilePath(tile)}`)
  expectWhole(files, found)
  if (found.tile.width === tile.width) return found.bytes
  if (tile.level !== 'entries') return found.bytes.subarray(0, tile.width * hashBytes)
  const entries = await bundleEntries(files, tile.index, tile.width)
  return entryBundle(entries.slice(0, tile.width))
}
