import { type Checkpoint, consistencyNodes } from '@fonds/tlog'
import { isConsistent, nodeHashes } from '@fonds/tlog/compute'
import { BrokenTree, type TileFiles, tileBytes } from './open-tree.ts'

/**
 * Hashes by which somebody who has the root of the tree of `from` leaves finds the root of `to` (RFC 9162, section 2.1.4): 1 ≤ from ≤ to ≤
 * leaves of the signed head. Throws `BrokenTree` where the files do not lead to the root of that head, `UnavailableError`.
 */
export const proveConsistency = async (
  files: TileFiles,
  head: Pick<Checkpoint, 'size' | 'root'>,
  from: bigint,
  to: bigint,
): Promise<readonly Uint8Array[]> => {
  const read = nodesOf(files)
  const newRoot = to === head.size ? head.root : (await read([{ start: 0n, end: to }], to))[0]!
  const proof = await shownBy(read, from, { size: to, root: newRoot })
  // Damaged files look like another history to whoever asks.
  if (proof && (to === head.size || (await shownBy(read, to, head)))) return proof
  throw new BrokenTree(`the tiles in ${files.folder} are not those of its checkpoint`)
}

type ReadNodes = (nodes: Parameters<typeof nodeHashes>[0], size: bigint) => Promise<readonly Uint8Array[]>

const nodesOf =
  (files: TileFiles): ReadNodes =>
  (nodes, size) =>
    nodeHashes(nodes, size, (tile) => tileBytes(files, tile))

/** Undefined where the files show nothing of the kind. */
const shownBy = async (
  read: ReadNodes,
  oldSize: bigint,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
): Promise<readonly Uint8Array[] | undefined> => {
  const [[oldRoot], proof] = [
    oldSize === size ? [root] : await read([{ start: 0n, end: oldSize }], size),
    await read(consistencyNodes(oldSize, size), size),
  ]
  return isConsistent({ oldSize, oldRoot: oldRoot!, size, root, proof }) ? proof : undefined
}
