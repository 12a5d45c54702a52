import { emptyRoot, isSameHash } from './hash.ts'

/*
 * Which nodes of a Merkle tree a proof needs. A subtree of 2^level leaves is complete, and never
 * changes; all other nodes are at the right edge, and are made of complete subtrees.
 */

/** The subtree of the leaves `index * 2^level` up to `(index + 1) * 2^level`. */
export interface Subtree {
  readonly level: number
  readonly index: bigint
}

/** Leaves from `start` up to, and without, `end`. */
export interface Range {
  readonly start: bigint
  readonly end: bigint
}

/** The largest power of two that is smaller than a number of leaves. */
const splitOf = (leaves: bigint): bigint => 1n << BigInt((leaves - 1n).toString(2).length - 1)

const levelOf = (leaves: bigint): number => leaves.toString(2).length - 1

/** Complete subtrees that make up a node of the tree, from left to right. */
export const subtreesOf = ({ start, end }: Range): readonly Subtree[] => {
  const found: Subtree[] = []
  for (let at = start; at < end; ) {
    const level = levelOf(end - at)
    found.push({ level, index: at >> BigInt(level) })
    at += 1n << BigInt(level)
  }
  return found
}

/** Nodes of the proof that a leaf is in a tree, from the leaf's sibling up (RFC 6962, 2.1.1). */
export const inclusionNodes = (index: bigint, size: bigint): readonly Range[] => {
  if (index < 0n || index >= size) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`)
  const nodes: Range[] = []
  let [start, end] = [0n, size]
  while (end - start > 1n) {
    const middle = start + splitOf(end - start)
    const isLeft = index < middle
    nodes.push(isLeft ? { start: middle, end } : { start, end: middle })
    if (isLeft) end = middle
    else start = middle
  }
  return nodes.reverse()
}

/** Nodes of the proof that a tree is the beginning of a larger one (RFC 6962, 2.1.2); none where both have one size. */
export const consistencyNodes = (oldSize: bigint, size: bigint): readonly Range[] => {
  if (oldSize < 1n || oldSize > size)
    throw new RangeError(`nothing is shown of a tree of ${oldSize} leaves in one of ${size}`)
  if (oldSize === size) return []
  const nodes: Range[] = []
  let [start, end] = [0n, size]
  while (oldSize !== end) {
    const middle = start + splitOf(end - start)
    const isLeft = oldSize <= middle
    nodes.push(isLeft ? { start: middle, end } : { start, end: middle })
    if (isLeft) end = middle
    else start = middle
  }
  // The old tree itself is known to whoever asks.
  if (start > 0n) nodes.push({ start, end })
  return nodes.reverse()
}

/** A hash beside the way from a leaf to the root. */
export interface PathStep {
  readonly sibling: Uint8Array
  /** It stands left of the way. */
  readonly isLeft: boolean
}

interface Inclusion {
  readonly index: bigint
  readonly size: bigint
  /** Hashes from the leaf's sibling up. */
  readonly proof: readonly Uint8Array[]
}

/**
 * The way from a leaf to the root of its tree, as RFC 9162, section 2.1.3.2, folds it; undefined for a proof of another length than
 * that index and size have. Believes nothing.
 */
export const inclusionPath = ({ index, size, proof }: Inclusion): readonly PathStep[] | undefined => {
  if (index < 0n || index >= size) return undefined
  let [node, last] = [index, size - 1n]
  const path: PathStep[] = []
  for (const sibling of proof) {
    if (last === 0n) return undefined
    const isLeft = node % 2n === 1n || node === last
    path.push({ sibling, isLeft })
    if (isLeft) while (node % 2n === 0n && node !== 0n) [node, last] = [node >> 1n, last >> 1n]
    ;[node, last] = [node >> 1n, last >> 1n]
  }
  return last === 0n ? path : undefined
}

interface Consistency {
  readonly oldSize: bigint
  readonly oldRoot: Uint8Array
  readonly size: bigint
  readonly proof: readonly Uint8Array[]
}

/** The way from a node that two trees share up to the root of the larger; the steps that stand left lead to the root of the older, too. */
export interface SharedPath {
  readonly shared: Uint8Array
  readonly path: readonly PathStep[]
}

/**
 * The two ways of a proof that a tree is the beginning of another, as RFC 9162, section 2.1.4.2, folds them; undefined for a proof of
 * another length than those sizes have, and where the old tree is empty. Believes nothing.
 */
export const consistencyPath = ({ oldSize, oldRoot, size, proof }: Consistency): SharedPath | undefined => {
  if (oldSize < 1n || oldSize > size) return undefined
  if (oldSize === size) return proof.length === 0 ? { shared: oldRoot, path: [] } : undefined
  // A complete old tree is the first node of its own proof, which leaves it out.
  const isComplete = (oldSize & (oldSize - 1n)) === 0n
  const [shared, ...rest] = isComplete ? [oldRoot, ...proof] : proof
  if (shared === undefined) return undefined
  let [node, last] = [oldSize - 1n, size - 1n]
  while (node % 2n === 1n) [node, last] = [node >> 1n, last >> 1n]
  const path: PathStep[] = []
  for (const sibling of rest) {
    if (last === 0n) return undefined
    const isLeft = node % 2n === 1n || node === last
    path.push({ sibling, isLeft })
    if (isLeft) while (node % 2n === 0n && node !== 0n) [node, last] = [node >> 1n, last >> 1n]
    ;[node, last] = [node >> 1n, last >> 1n]
  }
  return last === 0n ? { shared, path } : undefined
}

/** Returns whether the tree without leaves is the beginning of the other: it needs no proof, and says nothing about what there was. */
export const isOfNothing = ({ oldRoot, size, root, proof }: Consistency & { root: Uint8Array }): boolean =>
  proof.length === 0 &&
  isSameHash(oldRoot, emptyRoot) &&
  (size > 0n || (size === 0n && isSameHash(root, emptyRoot)))
