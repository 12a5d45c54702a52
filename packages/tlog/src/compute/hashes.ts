import { hash } from 'node:crypto'
import { emptyRoot, hashBytes } from '../hash.ts'

/* Hashes of a Merkle tree, as RFC 6962, section 2.1, has them. */

export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')

export const leafHash = (entry: Uint8Array): Uint8Array => {
  const bytes = Buffer.allocUnsafe(1 + entry.length)
  bytes[0] = 0
  bytes.set(entry, 1)
  return sha256(bytes)
}

// Hashed at once and never kept: every node of a tree uses these 65 bytes.
const pair = Buffer.alloc(1 + 2 * hashBytes, 1)

export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  pair.set(left, 1)
  pair.set(right, 1 + hashBytes)
  return sha256(pair)
}

/** Root of a tree of 2^n leaves, from their hashes. */
export const completeRoot = (hashes: readonly Uint8Array[]): Uint8Array => {
  let row = hashes
  while (row.length > 1)
    row = Array.from({ length: row.length / 2 }, (_, i) => nodeHash(row[2 * i]!, row[2 * i + 1]!))
  return row[0]!
}

/** Hash of complete subtrees that stand side by side, the larger ones left. */
export const joined = (hashes: readonly Uint8Array[]): Uint8Array =>
  hashes.length === 0 ? emptyRoot : hashes.reduceRight((right, left) => nodeHash(left, right))
