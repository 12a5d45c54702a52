import { type Range, type Subtree, subtreesOf } from '../tree.ts'
import { joined, nodeHash } from './hashes.ts'

/* A tree of which only its right edge is held: one hash a complete subtree, the larger ones left. */

export interface TreeEdge {
  readonly size: bigint
  /** Adds the hash of a leaf. */
  append(leaf: Uint8Array): void
  root(): Uint8Array
}

const asRange = ({ level, index }: Subtree): Range => ({
  start: index << BigInt(level),
  end: (index + 1n) << BigInt(level),
})

/** The nodes whose hashes are the edge of a tree of this size. */
export const edgeNodes = (size: bigint): readonly Range[] => subtreesOf({ start: 0n, end: size }).map(asRange)

/**
 * Goes on from the edge of a tree of this size: its root is that of leaves which nobody has to show again. Throws `RangeError`
 * where the hashes are not as many as `edgeNodes`.
 */
export const treeEdge = (begun: bigint, hashes: readonly Uint8Array[]): TreeEdge => {
  let size = begun
  const edge = [...hashes]
  if (edge.length !== edgeNodes(size).length)
    throw new RangeError(`the edge of ${size} leaves does not have ${edge.length} hashes`)
  return {
    get size() {
      return size
    },
    append: (leaf) => {
      let hash = leaf
      for (let rest = size; rest % 2n === 1n; rest >>= 1n) hash = nodeHash(edge.pop()!, hash)
      edge.push(hash)
      size += 1n
    },
    root: () => joined(edge),
  }
}
