import { concat } from '../bytes.ts'
import type { PathStep } from '../tree.ts'

/* Hashes of a Merkle tree (RFC 6962, section 2.1), as `compute/hashes.ts` has them for Node. */

export const sha256 = async (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))

export const leafHash = (entry: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  sha256(concat(Uint8Array.of(0), entry))

const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  sha256(concat(Uint8Array.of(1), left, right))

/** The hashes on the way from a leaf up: the leaf first, the root last. */
export const climb = async (leaf: Uint8Array, path: readonly PathStep[]): Promise<readonly Uint8Array[]> => {
  const hashes = [leaf]
  let hash = leaf
  for (const { sibling, isLeft } of path) {
    hash = await (isLeft ? nodeHash(sibling, hash) : nodeHash(hash, sibling))
    hashes.push(hash)
  }
  return hashes
}
