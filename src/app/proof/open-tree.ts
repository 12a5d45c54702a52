import {
  bundleAt,
  type Checkpoint,
  entriesIn,
  hashBytes,
  isSameHash,
  openNote,
  parseCheckpoint,
  partialTiles,
  type Tile,
  tilePath,
  tileWidth,
  type Verifier,
} from '@fonds/tlog'
import { type GrowingTree, growingTree } from '@fonds/tlog/compute'
import { isRight } from 'fp-ts/lib/Either.js'
import { plural } from '../../domain/kernel/amounts.ts'
import { parseEventEntry } from '../../domain/kernel/proof/event-leaf.ts'
import type { ProofLog, TreeFile } from '../../ports/proof-log.ts'

/** The files of the tree are not what was signed: nothing is added to it before a person has acted. */
export class BrokenTree extends Error {
  override readonly name = 'BrokenTree'
}

export type TileFiles = Pick<ProofLog, 'folder' | 'tile'>

/** The head, if one of these keys signed it. Throws `InvalidNote`, `UntrustedNote`. */
export const openHead = (text: string, verifiers: readonly Verifier[]): Checkpoint =>
  parseCheckpoint(openNote(text, verifiers).text)

export const originIn = (head: string): string => head.split('\n', 1)[0] ?? ''

/** The tree of a head, with the entries of its last bundle. Throws `BrokenTree`. */
export const openTree = async (
  files: TileFiles,
  { size, root }: Checkpoint,
): Promise<{ readonly tree: GrowingTree; readonly entries: readonly Uint8Array[] }> => {
  const tree = await growingTree(size, (tile) => tileBytes(files, tile))
  if (!isSameHash(tree.root(), root))
    throw new BrokenTree(`the tiles in ${files.folder} are not those of its checkpoint`)
  const width = Number(size % BigInt(tileWidth))
  const entries = width === 0 ? [] : await bundleEntries(files, size / BigInt(tileWidth), width)
  return { tree, entries: entries.slice(0, width) }
}

/** The hashes of a tile, or of a wider one that stands in its place. Throws `BrokenTree`. */
export const tileBytes = async (files: TileFiles, tile: Tile): Promise<Uint8Array> => {
  const found = await files.tile(tile)
  if (!found) throw new BrokenTree(`${files.folder} lacks tile ${tile.index} of level ${tile.level}`)
  expectWhole(files, found)
  return found.bytes
}

/** Entries of the leaves from 256 × `index` on: at least `width`, at most 256. Throws `BrokenTree`. */
export const bundleEntries = async (
  files: TileFiles,
  index: bigint,
  width: number,
): Promise<readonly Uint8Array[]> => {
  const found = await files.tile({ level: 'entries', index, width })
  if (!found) throw new BrokenTree(`${files.folder} lacks bundle ${index} of entries`)
  return entriesOf(files, found)
}

const entriesOf = ({ folder }: TileFiles, { tile, bytes }: TreeFile): readonly Uint8Array[] => {
  const entries = entriesIn(bytes, { ...tile, level: 'entries' })
  if (!entries)
    throw new BrokenTree(
      `${tilePath(tile)} in ${folder} is damaged: its ${bytes.length} bytes are not ${plural(tile.width, 'entry', 'entries')}`,
    )
  return entries
}

/** Throws `BrokenTree` for a file that was cut, or that has bytes too many. Hashes are not looked at. */
export const expectWhole = (files: TileFiles, file: TreeFile): void => {
  const { tile, bytes } = file
  if (tile.level === 'entries') entriesOf(files, file)
  else if (bytes.length !== tile.width * hashBytes)
    throw new BrokenTree(
      `${tilePath(tile)} in ${files.folder} is damaged: it has ${bytes.length} bytes, and ${plural(tile.width, 'hash', 'hashes')} take ${tile.width * hashBytes}`,
    )
}

/** Entries of a tree by index, each bundle read once while it is asked for in a row. */
export const entryReader = (files: TileFiles, size: bigint): ((index: bigint) => Promise<Uint8Array>) => {
  let known: { readonly index: bigint; readonly entries: readonly Uint8Array[] } | undefined
  return async (leaf) => {
    const index = leaf / BigInt(tileWidth)
    if (known?.index !== index) {
      const { width } = bundleAt(index, size)
      known = { index, entries: await bundleEntries(files, index, width) }
    }
    return known.entries[Number(leaf % BigInt(tileWidth))]!
  }
}

export const partialOf = (
  size: bigint,
): readonly (Tile | { level: 'entries'; index: bigint; width: number })[] => {
  const tiles = partialTiles(size)
  const [first] = tiles
  return first?.level === 0 ? [...tiles, { ...first, level: 'entries' }] : tiles
}

/** 1 if the tree's first entry names another tree, else 0. */
export const firstEventLeaf = async (
  entry: (index: bigint) => Promise<Uint8Array>,
  size: bigint,
): Promise<bigint> => (size === 0n || isRight(parseEventEntry(await entry(0n))) ? 0n : 1n)
