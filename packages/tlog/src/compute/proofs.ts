import { emptyRoot, isSameHash } from '../hash.ts'
import { inclusionPath, type PathStep } from '../tree.ts'
import { nodeHash } from './hashes.ts'

/* Checks of proofs, as RFC 9162, section 2.1, words them. They believe nothing but the roots. */

interface Inclusion {
  /** Hash of the leaf. */
  readonly leaf: Uint8Array
  readonly index: bigint
  readonly size: bigint
  /** Hashes from the leaf's sibling up. */
  readonly proof: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** Returns whether the leaf stands at that index of the tree with that root. */
export const isIncluded = ({ leaf, index, size, proof, root }: Inclusion): boolean => {
  const path = inclusionPath({ index, size, proof })
  if (path === undefined) return false
  const climb = (hash: Uint8Array, { sibling, isLeft }: PathStep) =>
    isLeft ? nodeHash(sibling, hash) : nodeHash(hash, sibling)
  return isSameHash(path.reduce(climb, leaf), root)
}

interface Consistency {
  readonly oldSize: bigint
  readonly oldRoot: Uint8Array
  readonly size: bigint
  readonly root: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/**
 * Returns whether the tree of the old size is the beginning of the other. The empty tree is the beginning of every tree,
 * without a proof: that says nothing about what there was.
 */
export const isConsistent = ({ oldSize, oldRoot, size, root, proof }: Consistency): boolean => {
  if (oldSize < 0n || oldSize > size) return false
  if (oldSize === size) return proof.length === 0 && isSameHash(oldRoot, root)
  if (oldSize === 0n) return proof.length === 0 && isSameHash(oldRoot, emptyRoot)
  // A complete old tree is the first node of its own proof, which leaves it out.
  const isComplete = (oldSize & (oldSize - 1n)) === 0n
  const [first, ...rest] = isComplete ? [oldRoot, ...proof] : proof
  if (first === undefined) return false
  let [node, last] = [oldSize - 1n, size - 1n]
  while (node % 2n === 1n) [node, last] = [node >> 1n, last >> 1n]
  let [oldHash, hash] = [first, first]
  for (const sibling of rest) {
    if (last === 0n) return false
    if (node % 2n === 1n || node === last) {
      oldHash = nodeHash(sibling, oldHash)
      hash = nodeHash(sibling, hash)
      while (node % 2n === 0n && node !== 0n) [node, last] = [node >> 1n, last >> 1n]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [node >> 1n, last >> 1n]
  }
  return last === 0n && isSameHash(oldHash, oldRoot) && isSameHash(hash, root)
}
