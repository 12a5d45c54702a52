import { type Checkpoint, inclusionNodes, proofFileText, type Verifier } from '@fonds/tlog'
import { isIncluded, leafHash, nodeHashes } from '@fonds/tlog/compute'
import { isRight } from 'fp-ts/lib/Either.js'
import { type EventLeaf, parseEventEntry } from '../../domain/kernel/proof/event-leaf.ts'
import { findLeaf, type WantedLeaf } from './find-leaf.ts'
import { BrokenTree, openHead, type TileFiles, tileBytes } from './open-tree.ts'

export interface EventProof {
  /** A `.tlog-proof`, which needs nothing else. Its extra is the entry. */
  readonly text: string
  readonly origin: string
  readonly index: bigint
  readonly size: bigint
  readonly leaf: EventLeaf
}

/** Ids of other programs may hold anything. */
export const proofFileName = ({ leaf, index }: Pick<EventProof, 'leaf' | 'index'>): string =>
  `${typeof leaf.id === 'string' && /^[\w-]{1,100}$/.test(leaf.id) ? leaf.id : `leaf-${index}`}.tlog-proof`

/**
 * Proves that an event is in the tree of a head; undefined if it is not. `near`: leaf that it probably is. Throws `BrokenTree`,
 * `UnavailableError`.
 */
export const proveEvent = async (
  files: TileFiles,
  head: string,
  verifiers: readonly Verifier[],
  wanted: WantedLeaf,
  near?: bigint,
): Promise<EventProof | undefined> => {
  const { origin, size, root } = openHead(head, verifiers)
  const found = await findLeaf(files, size, wanted, near)
  if (!found) return undefined
  const { index, entry } = found
  const leaf = parseEventEntry(entry)
  if (!isRight(leaf)) return undefined
  const proof = await proofOf(files, { size, root }, index, entry)
  const text = proofFileText({ extra: entry, index, proof, checkpoint: head })
  return { text, origin, index, size, leaf: leaf.right }
}

/** Hashes from a leaf's sibling up. Throws `BrokenTree` where the entry is not the leaf that was signed. */
export const proofOf = async (
  files: TileFiles,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
  index: bigint,
  entry: Uint8Array,
): Promise<readonly Uint8Array[]> => {
  const proof = await nodeHashes(inclusionNodes(index, size), size, (tile) => tileBytes(files, tile))
  if (isIncluded({ leaf: leafHash(entry), index, size, proof, root })) return proof
  throw new BrokenTree(`entry ${index} in ${files.folder} is not the leaf that was signed`)
}
