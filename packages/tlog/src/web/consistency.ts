import { isSameHash } from '../hash.ts'
import { consistencyPath, isOfNothing } from '../tree.ts'
import { climb } from './hashes.ts'

interface Consistency {
  readonly oldSize: bigint
  readonly oldRoot: Uint8Array
  readonly size: bigint
  readonly root: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/**
 * Returns whether the tree of the old size is the beginning of the other, as `compute/proofs.ts` finds it for Node. The empty tree is the
 * beginning of every tree, without a proof: that says nothing about what there was.
 */
export const isConsistent = async (claim: Consistency): Promise<boolean> => {
  if (claim.oldSize === 0n) return isOfNothing(claim)
  const found = consistencyPath(claim)
  if (found === undefined) return false
  const { shared, path } = found
  const [older, newer] = await Promise.all([
    climb(
      shared,
      path.filter(({ isLeft }) => isLeft),
    ),
    climb(shared, path),
  ])
  return isSameHash(older.at(-1)!, claim.oldRoot) && isSameHash(newer.at(-1)!, claim.root)
}
