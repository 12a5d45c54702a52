import { isSameHash } from '../hash.ts'
import { consistencyPath, inclusionPath, isOfNothing, type PathStep } from '../tree.ts'
import { nodeHash } from './hashes.ts'

/* Checks of proofs, as RFC 9162, section 2.1, words them. They believe nothing but the roots. */

const climb = (hash: Uint8Array, { sibling, isLeft }: PathStep): Uint8Array =>
  isLeft ? nodeHash(sibling, hash) : nodeHash(hash, sibling)

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
export const isConsistent = (claim: Consistency): boolean => {
  if (claim.oldSize === 0n) return isOfNothing(claim)
  const found = consistencyPath(claim)
  if (found === undefined) return false
  const { shared, path } = found
  const older = path.filter(({ isLeft }) => isLeft)
  return (
    isSameHash(older.reduce(climb, shared), claim.oldRoot) &&
    isSameHash(path.reduce(climb, shared), claim.root)
  )
}
